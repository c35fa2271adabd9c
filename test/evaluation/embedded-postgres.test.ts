import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  runningPostgresUrl,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/evaluation/embedded-postgres.ts'
import { canRunScript, serverAccount } from '../../src/evaluation/embedded-postgres/account.ts'
import { livingPostmaster } from '../../src/evaluation/embedded-postgres/postmaster-file.ts'
import { askToStop } from '../../src/evaluation/embedded-postgres/postmaster.ts'
import { processStart } from '../../src/evaluation/embedded-postgres/process-identity.ts'
import { scratchBase } from '../support/scratch-base.ts'
import { scratchPath } from '../support/scratch.ts'

const password = 'a password with ? and @'
const isRoot = process.getuid?.() === 0
/** The copy of the programs for a checkout in a private home. All tests share one, because copying takes a second. */
const programs = join(scratchBase, `daybook-scratch-programs-${process.pid}`)
afterAll(() => rmSync(programs, { recursive: true, force: true }))
const HOLD = new URL('../support/hold-postgres.ts', import.meta.url).pathname

async function start(
  dataDir: string,
  options: { password?: string; sharedDir?: string } = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, password, sharedDir: programs, ...options })
  onTestFinished(server.stop)
  return server
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
    .query<Record<string, unknown>>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

/** Another process that holds the data directory, as a second `daybook start` does. */
function hold(dataDir: string): ChildProcess {
  const child = spawn(process.execPath, [HOLD, dataDir, programs], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function firstLine(child: ChildProcess): Promise<EmbeddedPostgres> {
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  return JSON.parse(line) as EmbeddedPostgres
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  await once(child, 'exit')
}

function stopLeftOver(pgdata: string): void {
  const left = livingPostmaster(pgdata)
  if (left) askToStop(left.pid, 'SIGKILL')
}

async function endedBy(pid: number): Promise<void> {
  while (processStart(pid) !== undefined) await pause(20)
}

/** A running server for all tests that only look at one. A canary was in the environment of its start. */
const runningDir = join(scratchBase, `daybook-scratch-running-${process.pid}`)
let running: EmbeddedPostgres
beforeAll(async () => {
  process.env['DAYBOOK_CANARY'] = 'canary'
  running = await startEmbeddedPostgres({ dataDir: runningDir, password, sharedDir: programs })
  delete process.env['DAYBOOK_CANARY']
})
afterAll(async () => {
  await running.stop()
  rmSync(runningDir, { recursive: true, force: true })
})

test('starts, stops, and a restart keeps data and port', async () => {
  const dataDir = scratchPath()
  const first = await start(dataDir)
  await query(first.url, `CREATE TABLE note AS SELECT 'kept' AS text`)
  await first.stop()
  expect(livingPostmaster(first.pgdata)).toBeUndefined()
  await expect(query(first.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED')

  const second = await start(dataDir)
  expect(second).toMatchObject({ url: first.url, pgdata: join(dataDir, 'postgres'), isAdopted: false })
  expect(await query(second.url, 'SELECT text FROM note')).toEqual([{ text: 'kept' }])
})

test('is durable, UTF-8, sorts by code point and listens on 127.0.0.1 only', async () => {
  const { url } = running
  const wanted = [
    'fsync',
    'full_page_writes',
    'synchronous_commit',
    'data_checksums',
    'server_encoding',
    'listen_addresses',
  ]
  const rows = await query(url, `SELECT ${wanted.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`)
  expect(rows).toEqual([
    {
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      listen_addresses: '127.0.0.1',
    },
  ])
  expect(await query(url, `SELECT 'Z' < 'a' AS c, lower('Ä') AS low`)).toEqual([{ c: true, low: 'ä' }])
})

test('makes its directory private and leaves modes that it found', async () => {
  const dataDir = scratchPath()
  await (await start(dataDir)).stop()
  expect((statSync(dataDir).mode & 0o777).toString(8)).toBe(isRoot ? '710' : '700')
  for (const file of ['postgres.log', 'postgres-port'])
    expect((statSync(join(dataDir, file)).mode & 0o077).toString(8)).toBe('0')

  const theirs = scratchPath()
  mkdirSync(theirs)
  chmodSync(theirs, 0o755)
  await (await start(theirs)).stop()
  expect((statSync(theirs).mode & 0o777).toString(8)).toBe('755')
})

test.skipIf(process.platform !== 'linux')('passes none of our environment to the server', () => {
  expect(readFileSync(`/proc/${livingPostmaster(running.pgdata)!.pid}/environ`, 'utf8')).not.toContain('canary')
})

test('logs no statement and no value', async () => {
  const { url } = running
  await query(url, 'CREATE TABLE one (x text PRIMARY KEY)')
  await query(url, `INSERT INTO one VALUES ('canary')`)
  await expect(query(url, `INSERT INTO one VALUES ('canary')`)).rejects.toThrow('duplicate key')
  const log = readFileSync(join(runningDir, 'postgres.log'), 'utf8')
  expect(log).toContain('duplicate key')
  expect(log).not.toContain('canary')
})

test('takes over the server that a parent killed with -9 left behind, and stops it', async () => {
  const dataDir = scratchPath()
  const parent = hold(dataDir)
  const left = await firstLine(parent)
  onTestFinished(() => stopLeftOver(left.pgdata))
  await query(left.url, `CREATE TABLE note AS SELECT 'kept' AS text`)
  const { pid } = livingPostmaster(left.pgdata)!
  await end(parent, 'SIGKILL')

  const server = await start(dataDir)
  expect(server).toMatchObject({ isAdopted: true, url: left.url })
  expect(livingPostmaster(server.pgdata)?.pid).toBe(pid)
  expect(await query(server.url, 'SELECT text FROM note')).toEqual([{ text: 'kept' }])
  await server.stop()
  expect(processStart(pid)).toBeUndefined()
})

test('restarts a survivor that was started with other settings', async () => {
  const dataDir = scratchPath()
  const parent = hold(dataDir)
  const left = await firstLine(parent)
  onTestFinished(() => stopLeftOver(left.pgdata))
  const { pid } = livingPostmaster(left.pgdata)!
  await end(parent, 'SIGKILL')

  const server = await startEmbeddedPostgres({ dataDir, password, sharedDir: programs, durable: false })
  onTestFinished(server.stop)
  expect(server.isAdopted).toBe(false)
  expect(processStart(pid)).toBeUndefined()
  expect(await query(server.url, 'SHOW fsync')).toEqual([{ fsync: 'off' }])
})

test('a crash of both processes keeps what was committed, and their stale files do not block', async () => {
  const dataDir = scratchPath()
  const parent = hold(dataDir)
  const left = await firstLine(parent)
  onTestFinished(() => stopLeftOver(left.pgdata))
  await query(left.url, `CREATE TABLE note AS SELECT 'kept' AS text`)
  const { pid } = livingPostmaster(left.pgdata)!
  await end(parent, 'SIGKILL')
  askToStop(pid, 'SIGKILL')
  await endedBy(pid)
  expect(existsSync(join(left.pgdata, 'postmaster.pid'))).toBe(true)

  const server = await start(dataDir)
  expect(server.isAdopted).toBe(false)
  expect(await query(server.url, 'SELECT text FROM note')).toEqual([{ text: 'kept' }])
})

test('a second start on a living data directory is refused with the pid of the first, which is not disturbed', async () => {
  const second = hold(runningDir)
  const [said, [code]] = await Promise.all([text(second.stderr!), once(second, 'exit')])
  expect(code).toBe(1)
  expect(said).toContain(`in use by process ${process.pid}.`)
  expect(await query(running.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await expect(startEmbeddedPostgres({ dataDir: runningDir, password, sharedDir: programs })).rejects.toThrow(
    `in use by process ${process.pid}.`,
  )
})

test('of several starts at once exactly one wins', async () => {
  const dataDir = scratchPath()
  const children = Array.from({ length: 4 }, () => hold(dataDir))
  const outcomes = await Promise.all(
    children.map((child) => Promise.race([firstLine(child), once(child, 'exit').then(() => undefined)])),
  )
  expect(outcomes.filter(Boolean)).toHaveLength(1)
  await end(children[outcomes.findIndex(Boolean)]!, 'SIGTERM')
})

test('a stale postmaster.pid whose pid another process has now does not block, nor is that process harmed', async () => {
  const dataDir = scratchPath()
  const first = await start(dataDir)
  const file = join(first.pgdata, 'postmaster.pid')
  const [, ...lines] = readFileSync(file, 'utf8').split('\n')
  await first.stop()
  // A process of the server's own user. Only such a process could mislead Postgres itself.
  const bystander = spawn('sleep', ['60'], { ...serverAccount(), cwd: '/', stdio: 'ignore' })
  onTestFinished(() => void bystander.kill())
  await once(bystander, 'spawn')
  writeFileSync(file, [bystander.pid, ...lines].join('\n'))

  await expect(start(dataDir)).resolves.toMatchObject({ isAdopted: false })
  expect(processStart(bystander.pid!)).toBeDefined()
})

test('a first start killed while it makes the cluster can be repeated', async () => {
  const dataDir = scratchPath()
  const parent = hold(dataDir)
  const isMaking = () =>
    existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith('postgres.unfinished-'))
  while (!isMaking()) await pause(5)
  await end(parent, 'SIGKILL')
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)

  const { url } = await start(dataDir)
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(isMaking()).toBe(false)
})

test('says what to do when the secrets are not those of the cluster', async () => {
  const dataDir = scratchPath()
  const { pgdata, stop } = await start(dataDir)
  await stop()
  await expect(start(dataDir, { password: 'another' })).rejects.toThrow(/password is not valid for .* secrets\.json/)
  expect(livingPostmaster(pgdata)).toBeUndefined()
  await expect(start(dataDir)).resolves.toMatchObject({ isAdopted: false })
})

test('a second process finds the running server of a data directory', async () => {
  const dataDir = scratchPath()
  expect(runningPostgresUrl(dataDir, password)).toBeUndefined()
  const { url, stop } = await start(dataDir)
  expect(runningPostgresUrl(dataDir, password)).toBe(url)
  await stop()
  expect(runningPostgresUrl(dataDir, password)).toBeUndefined()
})

test.runIf(isRoot)(
  'below a private directory the cluster goes where the server can reach it, and stays there',
  async () => {
    const [home, sharedDir] = [scratchPath(), scratchPath()]
    const umask = process.umask(0o077)
    onTestFinished(() => void process.umask(umask))
    const dataDir = join(home, '.daybook')
    mkdirSync(home, { mode: 0o700 })
    const first = await start(dataDir, { sharedDir })
    expect(first.pgdata.startsWith(`${sharedDir}/`)).toBe(true)
    expect((statSync(home).mode & 0o777).toString(8)).toBe('700')
    await query(first.url, `CREATE TABLE note AS SELECT 'kept' AS text`)
    await expect(startEmbeddedPostgres({ dataDir, password, sharedDir })).rejects.toThrow('in use')
    await first.stop()

    const second = await start(dataDir, { sharedDir })
    expect(second.pgdata).toBe(first.pgdata)
    expect(await query(second.url, 'SELECT text FROM note')).toEqual([{ text: 'kept' }])
  },
)

test.runIf(isRoot)('the server does not run as root', () => {
  const { pgdata } = running
  expect(statSync(pgdata).uid).not.toBe(0)
  expect(statSync(join(pgdata, 'postmaster.pid')).uid).toBe(serverAccount()!.uid)
})

test('what runs as the server’s account does not see the environment, in which the secret key stands', () => {
  vi.stubEnv('DAYBOOK_SECRET_KEY', 'of the installation')
  const account = { uid: process.getuid!(), gid: process.getgid!() }
  expect(canRunScript(account, 'test -n "$PATH"', '/')).toBe(true)
  expect(canRunScript(account, 'test -n "$DAYBOOK_SECRET_KEY"', '/')).toBe(false)
  vi.unstubAllEnvs()
})
