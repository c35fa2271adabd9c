/** An evaluation whose data directory cannot be used explains why and leaves no files behind. */
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { mount, noMounts, system } from '../../drills/privileges.ts'
import { installation } from '../../src/cli/installation.ts'
import { logFile } from '../../src/cli/log-file.ts'
import { reasonOf } from '../../src/cli/reason.ts'
import { directoryProblem, withDirectoryErrors } from '../../src/evaluation/data-directory-problem.ts'
import { createDataDirectory } from '../../src/evaluation/data-directory.ts'
import { startEmbeddedPostgres } from '../../src/evaluation/embedded-postgres.ts'
import { refuseFullDisk } from '../../src/evaluation/embedded-postgres/before-start.ts'
import { loadOrCreateSecrets } from '../../src/evaluation/secrets-file.ts'
import { scratchPath } from '../support/scratch.ts'

const isLinux = process.platform === 'linux'
const noMount = noMounts()
if (noMount !== undefined) console.warn(`SKIPPED: ${noMount}, so read-only and full disks are not tested here`)

/** Runs `work` on a file system of its own, of the given size. */
async function onDisk(size: string, work: (path: string) => unknown): Promise<void> {
  const path = scratchPath()
  const unmount = mount(path, '-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs')
  try {
    await work(path)
  } finally {
    unmount()
  }
}

/** The refusal of `daybook start` for a data directory. */
async function refusal(dataDir: string): Promise<string> {
  const password = 'not asked for'
  const started = withDirectoryErrors(dataDir, async () => {
    loadOrCreateSecrets(dataDir)
    return startEmbeddedPostgres({ dataDir, password })
  })
  const text = await started.then(
    async (server) => (await server.stop(), 'it started'),
    (error: unknown) => reasonOf(error),
  )
  expect(text).not.toBe('it started')
  return text
}

const ADVICE = /[Ss]et DAYBOOK_DATA_DIR to another directory\.$/

function expectClear(text: string, says: string): void {
  expect(text).toContain(says)
  expect(text).toMatch(ADVICE)
  expect(text.split('\n')).toHaveLength(1)
}

test('a file in its place is named', async () => {
  const path = scratchPath()
  writeFileSync(path, 'mine')
  expectClear(await refusal(path), `${path} is a file, or a path below a file.`)
  expectClear(await refusal(join(path, 'below')), `${join(path, 'below')} is a file, or a path below a file.`)
  expect(readFileSync(path, 'utf8')).toBe('mine')
})

test('a symbolic link that leads nowhere is refused', async () => {
  const path = scratchPath()
  symlinkSync(join(path, 'nowhere'), path)
  onTestFinished(() => rmSync(path, { force: true }))
  expectClear(await refusal(path), path)
})

test.runIf(isLinux).each(['/proc/daybook', '/proc/daybook/data', '/proc', '/dev/null', '/dev/null/data'])(
  'nothing can be made at %s, which is said without a stack',
  async (path) => expectClear(await refusal(path), `${path} `),
)

test.skipIf(noMount !== undefined)('a read-only file system is named, with a directory on it and without', async () => {
  await onDisk('1m', async (path) => {
    mkdirSync(join(path, 'known'))
    system('mount', '-o', 'remount,ro', path)
    for (const name of ['known', 'new'])
      expectClear(await refusal(join(path, name)), `${join(path, name)} is on a read-only file system.`)
  })
})

test.skipIf(noMount !== undefined)('a disk with no room for a database is refused before one is made', async () => {
  await onDisk('60m', async (path) => {
    const dataDir = join(path, 'data')
    expectClear(await refusal(dataDir), `${dataDir} is on a full disk: 5`)
    expect(readdirSync(dataDir)).toEqual(['secrets.json'])
    rmSync(dataDir, { recursive: true })
    fill(path)
    expectClear(await refusal(dataDir), `${dataDir} is on a full disk.`)
    expect(existsSync(join(dataDir, 'secrets.json'))).toBe(false)
  })
})

/** Fills the file system to the last byte, up to 60 MiB. */
function fill(path: string): void {
  const more = Buffer.alloc(1 << 20)
  const all = () => {
    for (let nth = 0; nth < 61; nth += 1) writeFileSync(join(path, `filling-${nth}`), more)
  }
  expect(all).toThrow('ENOSPC')
}

test.skipIf(noMount !== undefined)(
  'a log whose disk is full loses lines and not its service, says so once, and goes on',
  async () => {
    await onDisk('1m', async (path) => {
      const complaints: string[] = []
      const { write } = logFile(join(path, 'service.log'), (text) => complaints.push(text))
      write('first\n')
      fill(path)
      for (let nth = 0; nth < 5_000; nth += 1) write('second\n')
      expect(complaints).toEqual([
        expect.stringMatching(/service\.log cannot be written, so its log lines are lost: ENOSPC/),
      ])
      rmSync(join(path, 'filling-0'), { force: true })
      write('third\n')
      expect(readFileSync(join(path, 'service.log'), 'utf8')).toMatch(/^first\n[^]*third\n$/)
    })
  },
)

test('a new database needs more room than one that is there', () => {
  const refused = (mib: number, isNew: boolean) => () => refuseFullDisk('/data', mib, isNew)
  expect(refused(199, true)).toThrow('/data is on a full disk: 199 MiB are free, and a new database needs 200.')
  expect(refused(200, true)).not.toThrow()
  expect(refused(31.9, false)).toThrow('31 MiB are free, and the database needs 32.')
  expect(refused(32, false)).not.toThrow()
})

const failed = (code: string, path?: string): Error => Object.assign(new Error(`${code}: …`), { code, path })

test.each([
  [
    failed('EACCES', '/a/b/secrets.json'),
    '/a/b cannot be read and written by this user. Start Daybook as the user that owns it, or',
  ],
  [failed('EPERM', '/a'), '/a/b cannot be read and written by this user.'],
  [failed('ENOSPC', '/a/b/licensing.log'), '/a/b is on a full disk. Free some space, or'],
  [failed('EDQUOT', '/a/b'), '/a/b is on a full disk.'],
  [failed('53100'), '/a/b is on a full disk.'],
  [new Error('initdb failed: could not write to file: No space left on device\nmore'), '/a/b is on a full disk.'],
  [failed('EIO', '/a/b/postgres'), '/a/b cannot be used (EIO: …).'],
])('%s is told as a problem of the directory', (error, says) => {
  expectClear(directoryProblem(error, '/a/b')!.message, says)
})

test.each([
  failed('EACCES'),
  failed('EADDRINUSE'),
  failed('ENOENT', '/another/file'),
  failed('EACCES', '/a/bc'),
  new Error('something else'),
  'no error',
])('%s is none', (error) => expect(directoryProblem(error, '/a/b')).toBeUndefined())

test.each([
  [
    '17\n',
    /postgres was created by Postgres 17, but this Daybook contains Postgres 18\. Take a backup with the earlier Daybook/,
  ],
  [undefined, /postgres is not a Postgres database: its PG_VERSION is missing\./],
])('a database of another major version (%j) is refused before its server is started', async (version, says) => {
  const dataDir = scratchPath()
  loadOrCreateSecrets(dataDir)
  const pgdata = join(dataDir, 'postgres')
  mkdirSync(pgdata)
  if (version !== undefined) writeFileSync(join(pgdata, 'PG_VERSION'), version)
  const text = await refusal(dataDir)
  expect(text).toMatch(says)
  expectClear(text, pgdata)
  expect(existsSync(join(dataDir, 'postgres.log'))).toBe(false)
})

test('a command makes no evaluation, says that there is none, and names what is wrong with its directory', async () => {
  const [dataDir, file] = [scratchPath(), scratchPath()]
  mkdirSync(dataDir)
  writeFileSync(file, '')
  const at = (path: string) => installation({ DAYBOOK_DATA_DIR: path })
  await expect(at(dataDir)).rejects.toThrow(`there is no evaluation in ${dataDir}. Run "daybook start" first`)
  expect(readdirSync(dataDir)).toEqual([])
  loadOrCreateSecrets(dataDir)
  await expect(at(dataDir)).rejects.toThrow(`there is no evaluation in ${dataDir}. Run "daybook start" first`)
  expect(readdirSync(dataDir)).toEqual(['secrets.json'])
  await expect(at(file)).rejects.toThrow(`${file} is a file, or a path below a file.`)
})

const DIRECTORIES = 100
const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('SKIPPED: only root makes directories for another account')

test.runIf(isRoot)('a new data directory can be entered by the server from its first moment on', async () => {
  const parent = scratchPath()
  mkdirSync(parent)
  // Looks at each directory as soon as it has its name, and ends when the last one is there.
  const looking = new Worker(
    `const { parentPort, workerData: { parent, count } } = require('node:worker_threads')
    const { statSync } = require('node:fs')
    const modes = new Set()
    parentPort.postMessage('looking')
    for (let nth = 0; nth < count;) {
      const found = statSync(parent + '/' + nth, { throwIfNoEntry: false })
      if (!found) continue
      modes.add((found.mode & 0o777).toString(8) + (found.gid === 0 ? ' of root' : ''))
      nth += 1
    }
    parentPort.postMessage([...modes])`,
    { eval: true, workerData: { parent, count: DIRECTORIES } },
  )
  await once(looking, 'message')
  for (let nth = 0; nth < DIRECTORIES; nth += 1) createDataDirectory(join(parent, String(nth)))
  const [modes] = await once(looking, 'message')
  expect(modes).toEqual(['710'])
  expect(readdirSync(parent)).toHaveLength(DIRECTORIES)
})
