/** One Postgres for all, with its own defaults; everything is on disk before it is acknowledged. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/evaluation/embedded-postgres.ts'
import { scratchBase } from '../test/support/scratch-base.ts'
import { connected } from './seeded.ts'

export interface Server {
  readonly version: string
  readonly pid: number
  url(database: string): string
  /** Replaces a database of that name. Waits for sessions that are ending on it or on its template, and ends none. */
  create(database: string, template?: string): Promise<void>
  /** Writes pending data of earlier tests to disk before the next one is timed. */
  settle(): Promise<void>
  stop(): Promise<void>
}

export async function startServer(): Promise<Server> {
  const directory = mkdtempSync(join(scratchBase, 'daybook-bench-'))
  // If root starts it, Postgres runs as another user, who has to enter the directory.
  chmodSync(directory, 0o711)
  const remove = () => rmSync(directory, { recursive: true, force: true })
  process.once('exit', remove)
  const postgres = await startEmbeddedPostgres({
    dataDir: join(directory, 'data'),
    password: randomBytes(18).toString('hex'),
  })
  const query = (text: string) =>
    connected(postgres.url, async (client) => (await client.query<Record<string, string>>(text)).rows)
  const [row] = await query(`SELECT current_setting('server_version') AS version`)
  return {
    version: row!['version']!,
    pid: Number.parseInt(readFileSync(join(postgres.pgdata, 'postmaster.pid'), 'utf8')),
    url: (database) => Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href,
    async create(database, template = 'template1') {
      // FORCE would end backends whose clients have closed already. A pool that notices that ends its process.
      await query(`DROP DATABASE IF EXISTS ${database}`)
      await query(`CREATE DATABASE ${database} TEMPLATE ${template}`)
    },
    settle: async () => void (await query('CHECKPOINT')),
    async stop() {
      await postgres.stop()
      remove()
    },
  }
}
