/**
 * The logins of a service's database: its owner, which migrates it, and the login of the processes,
 * which owns nothing.
 */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { databaseUrlVariable, ownerUrlVariable } from '../config/environment.ts'
import { readVariables } from '../config/variable.ts'
import { ensureLogin } from '../kernel/store/database-login.ts'
import { migrate } from '../kernel/store/migrate.ts'

/** URLs of the same database. They are equal if an installation uses one login for everything. */
export interface DatabaseLogins {
  readonly ownerUrl: string
  readonly url: string
}

export interface LoginNames {
  /** The variable with the URL for the processes. */
  readonly variable: 'DATABASE_URL' | 'PANEL_DATABASE_URL'
  readonly ownerVariable: 'DATABASE_OWNER_URL' | 'PANEL_DATABASE_OWNER_URL'
  /** In the Postgres of an evaluation: the database, and the login of the processes. */
  readonly database: string
  readonly login: string
}

export const LICENSING_LOGINS = {
  variable: 'DATABASE_URL',
  ownerVariable: 'DATABASE_OWNER_URL',
  database: 'daybook',
  login: 'daybook_licensing',
} as const satisfies LoginNames

export const PANEL_LOGINS = {
  variable: 'PANEL_DATABASE_URL',
  ownerVariable: 'PANEL_DATABASE_OWNER_URL',
  database: 'daybook_panel',
  login: 'daybook_panel',
} as const satisfies LoginNames

export const isDatabaseNamed = (env: NodeJS.ProcessEnv, { variable, ownerVariable }: LoginNames): boolean =>
  [variable, ownerVariable].some((name) => env[name]?.trim())

/**
 * The logins from the environment; undefined if it names no database. If only one is set, it is used
 * for both.
 * @throws Error if a variable is invalid
 */
export function loginsIn(env: NodeJS.ProcessEnv, { variable, ownerVariable }: LoginNames): DatabaseLogins | undefined {
  const shape = { [variable]: databaseUrlVariable, [ownerVariable]: ownerUrlVariable }
  const read: Partial<Record<string, string>> = readVariables(z.object(shape), env)
  const [owner, processes] = [read[ownerVariable], read[variable]]
  const [ownerUrl, url] = [owner ?? processes, processes ?? owner]
  return ownerUrl === undefined || url === undefined ? undefined : { ownerUrl, url }
}

/**
 * The logins in the Postgres of an evaluation. The processes' password is derived from the owner's, so
 * that it need not be stored.
 */
export function evaluationLogins(ownerUrl: string, { login }: LoginNames, ownerPassword: string): DatabaseLogins {
  const url = new URL(ownerUrl)
  url.username = login
  url.password = createHmac('sha256', ownerPassword).update(login).digest('base64url')
  return { ownerUrl, url: url.href }
}

/**
 * Migrates the database as its owner, and creates the login of its processes.
 * @returns the applied migrations
 */
export async function migrateAs(logins: DatabaseLogins): Promise<string[]> {
  const applied = await migrate(logins.ownerUrl)
  await ensureLogin(logins.ownerUrl, logins.url)
  return applied
}
