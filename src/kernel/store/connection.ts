/** Connection pools for PostgreSQL: roles, timeouts and type parsers. */
import type { EventEmitter } from 'node:events'
import pg from 'pg'
import type { CustomTypesConfig, Pool, PoolClient, PoolConfig } from 'pg'
import { isReadOnly } from './outage.ts'

export { isUnavailable } from './outage.ts'

export type DatabaseRole = 'daybook_service' | 'daybook_projector' | 'daybook_queue'

const POOL_MAX = 10
const CONNECT_TIMEOUT_MS = 5_000
/** A frozen server cannot apply its statement_timeout, so the client has a timeout too. */
const QUERY_TIMEOUT_MS = 9_500
const KEEP_ALIVE_AFTER_MS = 10_000

/** The most cores of the database that the wide reads of one process use. */
const WIDE_MAX = 2
/** A list sends two queries: twice the wait and twice the statement are less than the 10 s that a request may take. */
const WIDE_WAIT_MS = 1_500
const WIDE_STATEMENT_MS = 3_000

const SETTINGS: Readonly<Record<string, string>> = {
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
  // A process whose machine fails does not close its connections; with the defaults, its locks would last for hours.
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  // store.append requires it, whatever the default of the database is.
  default_transaction_isolation: String.raw`read\ committed`,
  DateStyle: 'ISO',
  TimeZone: 'UTC',
}

/**
 * A pool whose connections act as `role`, or without one as the login itself. This pool returns int8 as a number (the
 * query fails beyond 2^53), timestamptz as an ISO text in UTC, and json parsed.
 * @throws Error for a URL with `options`, which would silently override the role
 */
export function servicePool(url: string, { role, max = POOL_MAX }: { role?: DatabaseRole; max?: number } = {}): Pool {
  if (/[?&]options=/.test(url)) throw new Error('Remove "options" from the database URL: Daybook sets its own')
  return withErrorListeners(new pg.Pool(poolConfig(url, role, max)))
}

/** The pool for wide reads (see wide-reads.ts), with the server and role of a pool from `servicePool`. */
export function widePool({ options }: Pool): Pool {
  const limits = startOptions({ statement_timeout: `${WIDE_STATEMENT_MS}`, max_parallel_workers_per_gather: '0' })
  return withErrorListeners(
    new pg.Pool({
      ...options,
      // Copied by name: a pool makes its password non-enumerable, so that no log shows it.
      password: options.password,
      options: `${options.options} ${limits}`,
      max: WIDE_MAX,
      connectionTimeoutMillis: WIDE_WAIT_MS,
      query_timeout: WIDE_STATEMENT_MS + 500,
    }),
  )
}

/**
 * The next query replaces a broken connection. An error event without a listener would end the process. The pool
 * emits it while the connection is idle, the client while it is checked out between two queries or closing.
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

/** Connections on which a write was refused as read-only. A new connection may reach the new primary. */
const readOnlyClients = new WeakSet<PoolClient>()

/**
 * Kysely also releases a connection whose query timed out. The next query on it would wait behind that query, longer
 * than the limit of 10 s for a request: 13 s were measured with a frozen PostgreSQL.
 */
function endUnusable(_error: Error | undefined, client: DriverClient): void {
  // The pool checks for an ended client right after it emits `release`.
  if (client.readyForQuery === false || readOnlyClients.has(client)) void client.end().catch(() => {})
}

/** Members of the driver that its types do not declare. */
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

/**
 * The statements of the queue name tables without a schema.
 * Lost jobs are found again, so the queue does not wait for the disk.
 */
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

/** For the text format only: no query in this code uses binary rows. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [INT8, safeInteger],
  [TIMESTAMPTZ, isoText],
])

export const typeParser: CustomTypesConfig['getTypeParser'] = (oid, format) =>
  PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format)

const TYPES: CustomTypesConfig = { getTypeParser: typeParser }

/** As the settings above make PostgreSQL write a time from year 1 to 9999. */
const UTC_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?\+00$/

/** To the millisecond. A `Date` takes ten times as long, and most rows have several times. */
function isoText(text: string): string {
  const [, date, time, fraction = '.'] = UTC_TIME.exec(text) ?? []
  if (date === undefined) return parseDate(text).toISOString()
  return `${date}T${time}${fraction.slice(0, '.000'.length).padEnd('.000'.length, '0')}Z`
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large to be read as a number`)
  return value
}
