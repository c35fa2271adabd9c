/** The one connection that a process appends over. It is replaced when it breaks. */
import pg from 'pg'
import type { PoolConfig, QueryArrayConfig } from 'pg'
import { isReadOnly } from '../outage.ts'
import type { AppendAnswer } from './append-call.ts'
import { lookupPoolConfig } from './lookup-pool.ts'

const QUERY_TIMEOUT_MS = 9_000

const TIMEOUT = `-c statement_timeout=${QUERY_TIMEOUT_MS}`
/** Exists since PostgreSQL 17; as a connection option, an unknown setting would refuse the connection. */
const TRANSACTION_TIMEOUT = `SELECT set_config(name, '${QUERY_TIMEOUT_MS}', false) FROM pg_catalog.pg_settings
  WHERE name = 'transaction_timeout'`
const BACKEND = 'SELECT pg_backend_pid() AS pid'

export class AppendConnection {
  readonly #config: PoolConfig
  #client: Promise<pg.Client> | undefined
  #backendId: number | undefined

  /** The process of the database behind the present connection, as notifications name it. */
  get backendId(): number | undefined {
    return this.#backendId
  }

  /** @param config the options of a pool from `servicePool` */
  constructor(config: PoolConfig) {
    const { options, ...rest } = lookupPoolConfig(config)
    this.#config = { ...rest, options: `${options} ${TIMEOUT}`, query_timeout: QUERY_TIMEOUT_MS }
  }

  /** @throws any error of the driver; after an error other than a refused statement, the next call reconnects */
  async query(query: QueryArrayConfig): Promise<AppendAnswer> {
    const client = await (this.#client ??= this.#connect())
    try {
      const { rows } = await client.query<[...AppendAnswer]>(query)
      return rows[0]!
    } catch (error) {
      if (isReadOnly(error) || !(error instanceof pg.DatabaseError && error.severity === 'ERROR')) this.#drop(client)
      throw error
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    this.#client = undefined
    await client?.end().catch(() => {})
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config)
    client.on('error', () => {})
    client.once('end', () => this.#forget())
    try {
      await client.connect()
      const { rows } = await client.query<{ pid: number }>(BACKEND)
      await client.query(TRANSACTION_TIMEOUT)
      this.#backendId = rows[0]!.pid
      return client
    } catch (error) {
      this.#drop(client)
      throw error
    }
  }

  #drop(client: pg.Client): void {
    this.#forget()
    client.removeAllListeners('end')
    client.end().catch(() => {})
  }

  #forget(): void {
    this.#client = undefined
    this.#backendId = undefined
  }
}
