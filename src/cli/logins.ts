/** Who logs in to a service's database: its owner, who makes and migrates it, and the processes, who own nothing. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { databaseUrlVariable, ownerUrlVariable } from '../config/environment.ts'
import { ensureLogin } from '../kernel/store/database-login.ts'
import { migrate } from '../kernel/store/migrate.ts'
import { readVariables } from '../config/variable.ts'

/** URLs of the same database. Alike where an installation knows one login for everything. */
export interface DatabaseLogins {
  readonly ownerUrl: string
  readonly url: string
}

export interface LoginNames {
  /** Names the database, as its processes log in. */
  readonly variable: 'DATABASE_URL' | 'PANEL_DATABASE_URL'
  readonly ownerVariable: 'DATABASE_OWNER_URL' | 'PANEL_DATABASE_OWNER_URL'
  /** In the Postgres of an evaluation: the database, and what processes log in as. */
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
 * Of a Postgres that the environment names; undefined where it names none. Either login stands in for the other.
 * @throws Error when a variable is wrong
 */
export function loginsIn(env: NodeJS.ProcessEnv, { variable, ownerVariable }: LoginNames): DatabaseLogins | undefined {
  const shape = { [variable]: databaseUrlVariable, [ownerVariable]: ownerUrlVariable }
  const read: Partial<Record<string, string>> = readVariables(z.object(shape), env)
  const [owner, processes] = [read[ownerVariable], read[variable]]
  const [ownerUrl, url] = [owner ?? processes, processes ?? owner]
  return ownerUrl === undefined || url === undefined ? undefined : { ownerUrl, url }
}

/** Of the Postgres of an evaluation. The processes' password is made of the owner's, so that nothing more is to be kept. */
export function evaluationLogins(ownerUrl: string, { login }: LoginNames, ownerPassword: string): DatabaseLogins {
  const url = new URL(ownerUrl)
  url.username = login
  url.password = createHmac('sha256', ownerPassword).update(login).digest('base64url')
  return { ownerUrl, url: url.href }
}

/** Brings the database to this version as its owner, and lets its processes in. @returns what was applied */
export async function migrateAs(logins: DatabaseLogins): Promise<string[]> {
  const applied = await migrate(logins.ownerUrl)
  await ensureLogin(logins.ownerUrl, logins.url)
  return applied
}
