/** One Postgres for the whole run, and in it one migrated template of which every test file gets a copy. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createTestDatabase, databaseUrl, dropDatabase } from './admin.ts'
import { startEmbeddedPostgres } from '../src/embedded-postgres.ts'

const PREFIX = 'daybook-test-'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a login that may create databases. */
    serverUrl: string
    template: string
  }
}

interface Server {
  readonly url: string
  close(): Promise<void>
}

/** Uses the server of DAYBOOK_TEST_DATABASE_URL when it is set; its login must be allowed to create databases and roles. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['DAYBOOK_TEST_DATABASE_URL']
  const server = given ? { url: given, close: async () => {} } : await ownServer()
  const template = `daybook_template_${randomBytes(6).toString('hex')}`
  const close = async () => {
    if (given) await dropDatabase(server.url, template)
    await server.close()
  }
  try {
    await createTestDatabase(server.url, template)
    if (existsSync(new URL('../src/kernel/store/migrate.ts', import.meta.url)))
      await migrateTemplate(databaseUrl(server.url, template))
  } catch (error) {
    await close()
    throw error
  }
  project.provide('serverUrl', server.url)
  project.provide('template', template)
  return close
}

/**
 * Durable like the real one, so that what refuses to run on an unsafe server runs here too; it costs 0.2 ms per commit on a laptop's disk.
 * Root's TMPDIR may be private, and the server does not run as root: hence /tmp.
 */
async function ownServer(): Promise<Server> {
  const base = process.getuid?.() === 0 ? '/tmp' : tmpdir()
  sweep(base)
  const directory = join(base, `${PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`)
  const remove = () => rmSync(directory, { recursive: true, force: true })
  process.once('exit', remove)
  const { url, stop } = await startEmbeddedPostgres({
    dataDir: directory,
    password: randomBytes(18).toString('base64url'),
    sharedDir: directory,
  })
  return { url, close: () => stop().then(remove) }
}

/** What a run left that was killed with -9. Its server notices within a minute that its directory is gone, and ends. */
function sweep(base: string): void {
  for (const name of readdirSync(base).filter((each) => each.startsWith(PREFIX))) {
    const pid = name.slice(PREFIX.length).split('-')[0]!
    if (existsSync('/proc') && !existsSync(join('/proc', pid)))
      rmSync(join(base, name), { recursive: true, force: true })
  }
}

async function migrateTemplate(url: string): Promise<void> {
  const { migrate } = await import('../src/kernel/store/migrate.ts')
  await migrate(url)
}
