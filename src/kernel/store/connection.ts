/** How this process talks to Postgres: as which role, for how long at most, and in which types. */
import type { EventEmitter } from 'node:events'
import pg from 'pg'
import type { CustomTypesConfig, Pool, PoolClient, PoolConfig } from 'pg'

import { isReadOnly } from './outage.ts'

export { isUnavailable } from './outage.ts'

export type DatabaseRole = 'daybook_service' | 'daybook_projector' | 'daybook_queue'

const POOL_MAX = 10
const CONNECT_TIMEOUT_MS = 5_000
/** A frozen server never gets to its own statement_timeout, so the client counts too. */
const QUERY_TIMEOUT_MS = 9_500
const KEEP_ALIVE_AFTER_MS = 10_000

/** A process holds no more of a database's cores than this by wide reads. */
const WIDE_MAX = 2
/** A list counts and reads: twice the wait and twice the statement are less than the 10 s that a request may hang. */
const WIDE_WAIT_MS = 1_500
const WIDE_STATEMENT_MS = 3_000

const SETTINGS: Readonly<Record<string, string>> = {
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
  // A process whose machine has vanished says no goodbye, and its locks would outlive it by the hours that are the default.
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  // What store.append relies on, whatever the database's own default is.
  default_transaction_isolation: String.raw`read\ committed`,
  DateStyle: 'ISO',
  TimeZone: 'UTC',
}

/**
 * A pool whose connections act as `role`; without one, as the login itself.
 * int8 arrives as a number (beyond 2^53 the query fails), timestamptz as an ISO text in UTC, json parsed: in this pool only.
 * @throws a plain Error for a URL with `options`, which would silently take the role away
 */
export function servicePool(url: string, { role, max = POOL_MAX }: { role?: DatabaseRole; max?: number } = {}): Pool {
  if (/[?&]options=/.test(url)) throw new Error('The database URL must not carry "options": Daybook sets its own')
  return withErrorListeners(new pg.Pool(poolConfig(url, role, max)))
}

/** For reads whose cost grows with their tables, to where `pool` of servicePool leads: see wide-reads.ts. */
export function widePool({ options }: Pool): Pool {
  const limits = startOptions({ statement_timeout: `${WIDE_STATEMENT_MS}`, max_parallel_workers_per_gather: '0' })
  return withErrorListeners(
    new pg.Pool({
      ...options,
      // A pool hides its password from listing, so that no log shows it.
      password: options.password,
      options: `${options.options} ${limits}`,
      max: WIDE_MAX,
      connectionTimeoutMillis: WIDE_WAIT_MS,
      query_timeout: WIDE_STATEMENT_MS + 500,
    }),
  )
}

/**
 * A connection that dies is replaced by the next query. Unheard, its error would end the process: the pool hears it while the
 * connection is idle, the second listener while somebody holds it between two queries or closes it.
 */
export function withErrorListeners(pool: Pool): Pool {
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    const { connection } = client as DriverClient
    connection.on('errorMessage', (error) => {
      if (isReadOnly(error)) readOnlyClients.add(client)
    })
  })
  pool.on('release', endUnusable)
  return pool
}

/** Connections over which a write was refused. Another one may lead to whoever is the primary by now. */
const readOnlyClients = new WeakSet<PoolClient>()

/**
 * Kysely gives a connection back as free also when its query got no answer in time. Whoever took it next would wait behind that query
 * and hang for twice as long as anybody may: with a frozen Postgres 13 s were measured.
 */
function endUnusable(_error: Error | undefined, client: DriverClient): void {
  // The pool looks for this end right after it has told of the release.
  if (client.readyForQuery === false || readOnlyClients.has(client)) void client.end().catch(() => {})
}

/** The driver keeps these, and does not declare them. */
type DriverClient = PoolClient & {
  readonly readyForQuery?: boolean
  readonly connection: EventEmitter
  end(): Promise<void>
}

function poolConfig(url: string, role: DatabaseRole | undefined, max: number): PoolConfig {
  return {
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    options: startOptions({ ...SETTINGS, ...settingsOf(role) }),
    types: TYPES,
  }
}

/** The queue's own statements name its tables without a schema; and what it loses is found again, so it waits for no disk. */
function settingsOf(role: DatabaseRole | undefined): Readonly<Record<string, string>> {
  return role === 'daybook_queue'
    ? { role, search_path: 'bullmq', synchronous_commit: 'off' }
    : { search_path: 'read,store,telemetry,vault', ...(role ? { role } : {}) }
}

function startOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins
const parseDate: (text: string) => Date = pg.types.getTypeParser(TIMESTAMPTZ)

/** Text format only: nothing here asks for binary rows. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [INT8, safeInteger],
  [TIMESTAMPTZ, (text) => parseDate(text).toISOString()],
])

export const typeParser: CustomTypesConfig['getTypeParser'] = (oid, format) =>
  PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format)

const TYPES: CustomTypesConfig = { getTypeParser: typeParser }

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large to be read as a number`)
  return value
}
