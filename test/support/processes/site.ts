/** A customer's site: one database, and the processes that a test starts on it, called over TCP. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect } from 'vitest'
import type { ReadModel } from '#kernel/projections/read-model'
import { testDatabase } from '#test/support/database'
import { freePort } from '#test/support/free-port'
import { readModels } from '../../../src/composition/licensing.ts'
import { command } from './command.ts'
import type { CommandOutput } from './command.ts'
import { daybook } from './process.ts'
import type { RunningProcess } from './process.ts'

export const ADMIN = { email: 'ada@staff.test', password: 'a long enough passphrase 42' }
export const SLUG = 'storm'
export const BASE_URL = 'http://licensing.test'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

export interface CallOptions {
  readonly as?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Service extends RunningProcess {
  readonly port: number
  call(method: string, path: string, ask?: CallOptions): Promise<Reply>
}

/**
 * Close it in afterAll: that ends every process, by its pid, and drops the database.
 * @param models whose tables are there before the first start
 */
export async function openSite(more: NodeJS.ProcessEnv = {}, models: readonly ReadModel[] = readModels) {
  const database = await testDatabase(models)
  const env: NodeJS.ProcessEnv = {
    DATABASE_URL: database.loginUrl,
    DAYBOOK_SECRET_KEY: randomBytes(32).toString('base64'),
    DAYBOOK_ADMIN_EMAIL: ADMIN.email,
    DAYBOOK_ADMIN_PASSWORD: ADMIN.password,
    LICENSING_URL: BASE_URL,
    LICENSING_HOST: '127.0.0.1',
    // All requests of a storm come from one address.
    AUTH_FAILURES_PER_MINUTE: '1000000',
    ...more,
  }
  const superuser = new pg.Pool({ connectionString: database.url, max: 4 })
  superuser.on('error', () => {})
  const processes: RunningProcess[] = []

  function run(args: readonly string[], others: NodeJS.ProcessEnv = {}): RunningProcess {
    const running = daybook(args, { ...env, ...others })
    processes.push(running)
    return running
  }

  async function service(port?: number, others: NodeJS.ProcessEnv = {}): Promise<Service> {
    const own = port ?? (await freePort())
    const running = run(['licensing'], { LICENSING_PORT: String(own), ...others })
    await running.until('licensing service started')
    return { ...running, port: own, call: (method, path, ask) => call(own, method, path, ask) }
  }

  async function projector(): Promise<RunningProcess> {
    const running = run(['projector'])
    await running.until('projector started')
    return running
  }

  async function count(table: string, where = 'true'): Promise<number> {
    const { rows } = await superuser.query(`SELECT count(*)::int AS number FROM read.${table} WHERE ${where}`)
    return rows[0].number
  }

  async function fingerprints(): Promise<Record<string, string>> {
    const sums = readModels.map(async ({ name, table }) => {
      const { rows } = await superuser.query(
        `SELECT count(*) || ' rows ' || md5(coalesce(string_agg(line, E'\n' ORDER BY line), '')) AS sum
         FROM (SELECT t::text AS line FROM read.${table} t) AS lines`,
      )
      return [name, rows[0].sum] as const
    })
    return Object.fromEntries(await Promise.all(sums))
  }

  /** Resolves when every read model has reached the newest event. */
  async function settled(): Promise<void> {
    const behind = async () => {
      const { rows } = await superuser.query(
        'SELECT count(*)::int AS number FROM read.projection WHERE position < (SELECT max(pos) FROM store.event)',
      )
      return rows[0].number
    }
    await expect.poll(behind, { timeout: 20_000 }).toBe(0)
  }

  return {
    env,
    superuser,
    run,
    service,
    projector,
    count,
    settled,

    /** Runs a command that ends by itself, in this process. */
    finished: (args: readonly string[], others: NodeJS.ProcessEnv = {}): Promise<CommandOutput> =>
      command(args, { ...env, ...others }),

    /** Compares with `daybook rebuild`, beside the running processes. */
    async rebuiltEqualsLive(): Promise<void> {
      await settled()
      const live = await fingerprints()
      const rebuilt = await command(['rebuild'], env)
      expect(rebuilt, rebuilt.complained).toMatchObject({ code: 0 })
      expect(await fingerprints()).toEqual(live)
    },

    async close(): Promise<void> {
      await Promise.all(processes.map((running) => running.stop('SIGKILL')))
      await superuser.end()
      await database.drop()
    },
  }
}

async function call(
  port: number,
  method: string,
  path: string,
  { as, body, headers }: CallOptions = {},
): Promise<Reply> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

/** Signs the administrator in. @returns the access token */
export async function signIn({ call }: Service, password = ADMIN.password): Promise<string> {
  const login = await call('POST', '/api/admin/auth/login', { body: { email: ADMIN.email, password } })
  expect(login.status).toBe(200)
  return login.body.accessToken
}

/** Creates what a shop needs to sell: a plan called `storm`, and a machine token. @returns the token's secret */
export async function openShop({ call }: Service, session: string): Promise<string> {
  const plan = await call('POST', '/api/admin/plans', { as: session, body: { slug: SLUG, name: 'Storm' } })
  expect(plan.status).toBe(201)
  const body = { name: 'shop', permissions: ['licenses:manage', 'licenses:view'] }
  const minted = await call('POST', '/api/admin/machine-tokens', { as: session, body })
  expect(minted.status).toBe(201)
  return minted.body.secret
}

/** The number of answers with each status. */
export function statuses(replies: readonly { readonly status: number }[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  )
}
