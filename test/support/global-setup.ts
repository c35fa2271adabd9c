/** One Postgres for the whole run, with one migrated template. Every test file gets a copy of the template. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/evaluation/embedded-postgres.ts'
import { livingPostmaster } from '../../src/evaluation/embedded-postgres/postmaster-file.ts'
import { askToStop } from '../../src/evaluation/embedded-postgres/postmaster.ts'
import { processStart } from '../../src/evaluation/embedded-postgres/process-identity.ts'
import { ensureLogin } from '../../src/kernel/store/database-login.ts'
import { migrate } from '../../src/kernel/store/migrate.ts'
import { createTestDatabase, databasesOf, databaseUrl, dropDatabase, dropLogin } from './admin.ts'
import { eventStoreKind } from './event-store.ts'
import { databaseBase } from './scratch-base.ts'

const PREFIX = 'daybook-test-'
/** Some times what all tests of one checkout compile. */
const COMPILED_MAX = 60_000

declare module 'vitest' {
  interface ProvidedContext {
    /** Logs in with the right to create databases. */
    serverUrl: string
    template: string
    /** The login of services under test: it has the rights of a process. */
    login: { readonly user: string; readonly password: string }
  }
}

interface Server {
  readonly url: string
  close(): Promise<void>
}

interface RunDatabases {
  readonly provided: Pick<ProvidedContext, 'serverUrl' | 'template' | 'login'>
  close(): Promise<void>
}

/** The projects of one run share a server. They set up and end in the same process, each with a copy of this module. */
const shared = globalThis as typeof globalThis & {
  testRun?: { readonly databases: Promise<RunDatabases>; users: number }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  keepCompiled(project.config.root)
  shared.testRun ??= { databases: prepareDatabases(), users: 0 }
  const run = shared.testRun
  run.users += 1
  const { provided, close } = await run.databases
  project.provide('serverUrl', provided.serverUrl)
  project.provide('template', provided.template)
  project.provide('login', provided.login)
  return async () => {
    run.users -= 1
    if (run.users === 0) await close()
  }
}

/**
 * Uses the server of DAYBOOK_TEST_DATABASE_URL if it is set. Its login must be allowed to create databases
 * and roles.
 */
async function prepareDatabases(): Promise<RunDatabases> {
  console.log(`Licensing tests keep their events in ${eventStoreKind().what}`)
  const given = process.env['DAYBOOK_TEST_DATABASE_URL']
  const server = given ? { url: given, close: async () => {} } : await ownServer()
  const run = randomBytes(6).toString('hex')
  const template = `daybook_template_${run}`
  const login = { user: `daybook_login_${run}`, password: randomBytes(18).toString('base64url') }
  const close = async () => {
    // And those that `testDatabase` made of it.
    if (given) for (const name of await databasesOf(server.url, template)) await dropDatabase(server.url, name)
    // The login stays if an interrupted test has left a database that the login can access.
    if (given) await dropLogin(server.url, login.user).catch(() => {})
    await server.close()
  }
  try {
    await createTestDatabase(server.url, template)
    await migrate(databaseUrl(server.url, template))
    await ensureLogin(databaseUrl(server.url, template), databaseUrl(server.url, template, login))
  } catch (error) {
    await close()
    throw error
  }
  return { provided: { serverUrl: server.url, template, login }, close }
}

/**
 * Keeps Node's compile cache from one test process to the next: reading all sources is most of a start. It is begun anew when it
 * has become large, because Node keeps what it once compiled for ever, and again for each path of a checkout.
 */
function keepCompiled(root: string): void {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return
  const directory = join(root, 'node_modules', '.cache', 'compiled')
  process.env['NODE_COMPILE_CACHE'] = directory
  const versions = existsSync(directory) ? readdirSync(directory) : []
  const files = versions.reduce((sum, version) => sum + readdirSync(join(directory, version)).length, 0)
  if (files > COMPILED_MAX) rmSync(directory, { recursive: true, force: true })
}

/**
 * With the durable settings of a production server, because the services refuse to run without them.
 */
async function ownServer(): Promise<Server> {
  sweep(databaseBase)
  const directory = join(databaseBase, `${PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`)
  process.once('exit', () => removeAtOnce(directory))
  // A closed terminal would end the process without the event `exit`. vitest turns Ctrl-C and SIGTERM into it.
  process.once('SIGHUP', () => process.exit(129))
  // A second Ctrl-C must not interrupt the clean-up.
  process.on('SIGINT', () => {})
  const { url, stop } = await startEmbeddedPostgres({
    dataDir: directory,
    password: randomBytes(18).toString('base64url'),
    sharedDir: directory,
  })
  return { url, close: () => stop().then(() => removeAtOnce(directory)) }
}

/** Synchronous, because no asynchronous code runs in the event `exit`. */
function removeAtOnce(directory: string): void {
  const pgdata = join(directory, 'postgres')
  const server = livingPostmaster(pgdata)
  if (server) askToStop(server.pid)
  for (let waits = 0; livingPostmaster(pgdata) && waits < 200; waits++)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}

/**
 * Removes what a run left that was killed with -9. Its server notices within a minute that its directory is
 * gone, and ends.
 */
function sweep(base: string): void {
  for (const name of readdirSync(base).filter((each) => each.startsWith(PREFIX))) {
    const path = join(base, name)
    const pid = Number(name.slice(PREFIX.length).split('-')[0])
    const isOurs = statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()
    if (isOurs && processStart(pid) === undefined) rmSync(path, { recursive: true, force: true })
  }
}
