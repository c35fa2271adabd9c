import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { lockedIn } from '../../scripts/supply/lock.ts'
import type { Locked } from '../../scripts/supply/lock.ts'
import { processStart } from '../../src/evaluation/embedded-postgres/process-identity.ts'
import { findOldNode } from '../support/old-node.ts'
import { scratchPath } from '../support/scratch.ts'

const HERE = fileURLToPath(new URL('../..', import.meta.url))
const oldNode = findOldNode({ majorMin: 18 })
if (!oldNode)
  console.warn('SKIPPED: no Node older than 24 on this machine, so handing over to Node 24 is not tested here')

/** Prints which main it is, obeys its first argument, and counts the signals that it gets. */
const MAIN = `
const [order, ...rest]: string[] = process.argv.slice(2)
const cache = process.env['NODE_COMPILE_CACHE']
console.log(JSON.stringify({ version: process.version, pid: process.pid, cwd: process.cwd(), rest, cache, flags: process.execArgv }))
if (order === 'exit') process.exit(7)
if (order === 'die') process.kill(process.pid, 'SIGKILL')
if (order === 'wait') {
  for (const [signal, code] of [['SIGINT', 41], ['SIGTERM', 42], ['SIGHUP', 43]] as const) process.once(signal, () => process.exit(code))
  setInterval(() => {}, 60_000)
}
`

interface Said {
  readonly version: string
  readonly pid: number
  readonly cwd: string
  readonly rest: string[]
  readonly cache: string
  readonly flags: readonly string[]
}

/** The package's bin with a main of the test. Its dependencies are `levels` above it, where npm hoists them to. */
function installation({ levels = 0, dependencies = true } = {}): string {
  const root = scratchPath()
  const directory = join(root, ...['packages', 'day book'].slice(0, levels))
  for (const each of ['bin', 'src']) mkdirSync(join(directory, each), { recursive: true })
  for (const file of ['daybook.mjs', 'bundled-node.mjs', 'with-parent.mjs'])
    copyFileSync(join(HERE, 'bin', file), join(directory, 'bin', file))
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  writeFileSync(join(directory, 'src', 'main.ts'), MAIN)
  if (dependencies) symlinkSync(join(HERE, 'node_modules'), join(root, 'node_modules'))
  return join(directory, 'bin', 'daybook.mjs')
}

function run(node: string, bin: string, args: string[] = [], cwd = '/'): ChildProcess {
  // The tests have a compile cache of their own.
  const { NODE_COMPILE_CACHE: _ofTests, ...env } = process.env
  const child = spawn(node, [bin, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function finish(child: ChildProcess): Promise<{ code: number; said: string; complained: string }> {
  const [said, complained, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')])
  return { code: code as number, said, complained }
}

async function firstWords(child: ChildProcess): Promise<Said> {
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  return JSON.parse(line) as Said
}

test('under Node 24 it is the program itself', async () => {
  const child = run(process.execPath, installation(), ['hello', 'a b', '--c'])
  const { pid } = child
  const { said } = await finish(child)
  expect(JSON.parse(said)).toMatchObject({ version: process.version, pid, cwd: '/', rest: ['a b', '--c'] })
})

test.each([process.execPath, ...(oldNode ? [oldNode] : [])])('%s limits new objects, and keeps code', async (node) => {
  const bin = installation()
  const { flags, cache } = JSON.parse((await finish(run(node, bin, ['hello']))).said) as Said
  expect(flags).toContain('--max-semi-space-size=16')
  expect(cache).toBe(join(dirname(dirname(bin)), 'node_modules', '.cache', 'compiled'))
})

test('the flags and the cache of the operator win', async () => {
  const flag = '--max-semi-space-size=32'
  const cache = scratchPath()
  const child = spawn(process.execPath, [flag, installation(), 'hello'], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = JSON.parse((await finish(child)).said) as Said
  expect(said.cache).toBe(cache)
  expect(said.flags.filter((each) => each.startsWith('--max-semi-space-size')).at(-1)).toBe(flag)
})

test.runIf(oldNode).each([0, 1, 2])('an older Node hands over, with the dependencies %i levels up', async (levels) => {
  const { code, said, complained } = await finish(run(oldNode!, installation({ levels }), ['hello', 'a b', '--c']))
  expect(complained).toBe('')
  expect(JSON.parse(said)).toMatchObject({
    version: expect.stringMatching(/^v24\./) as string,
    cwd: '/',
    rest: ['a b', '--c'],
  })
  expect(code).toBe(0)
})

test.runIf(oldNode)('works through a symbolic link and from any directory', async () => {
  const links = scratchPath()
  mkdirSync(links)
  symlinkSync(installation({ levels: 2 }), join(links, 'daybook'))
  const { said } = await finish(run(oldNode!, join(links, 'daybook'), ['hello'], links))
  expect(JSON.parse(said)).toMatchObject({
    version: expect.stringMatching(/^v24\./) as string,
    cwd: realpathSync(links),
  })
})

test.runIf(oldNode)('keeps the exit code, also of a program that was killed', async () => {
  const bin = installation()
  expect(await finish(run(oldNode!, bin, ['exit']))).toMatchObject({ code: 7 })
  expect(await finish(run(oldNode!, bin, ['die']))).toMatchObject({ code: 137 })
})

test.runIf(oldNode).each([
  ['SIGINT', 41],
  ['SIGTERM', 42],
  ['SIGHUP', 43],
] as const)('passes %s on', async (signal, expected) => {
  const child = run(oldNode!, installation(), ['wait'])
  await firstWords(child)
  await pause(50)
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([expected, null])
})

test.each([process.execPath, ...(oldNode ? [oldNode] : [])])('%s opens no inspector on SIGUSR1', async (node) => {
  const child = run(node, installation(), ['wait'])
  const complained = text(child.stderr!)
  const { pid } = await firstWords(child)
  for (const each of new Set([child.pid!, pid])) process.kill(each, 'SIGUSR1')
  await pause(300)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([42, null])
  expect(await complained).toBe('')
})

test('nor does it in the image', () => {
  expect(readFileSync(join(HERE, 'Dockerfile'), 'utf8')).toMatch(/^ENTRYPOINT \["node", "--disable-sigusr1", /m)
})

test.runIf(oldNode)('killed with -9 it leaves no program behind', async () => {
  const child = run(oldNode!, installation(), ['wait'])
  const { pid } = await firstWords(child)
  expect(pid).not.toBe(child.pid)
  child.kill('SIGKILL')
  const until = Date.now() + 5_000
  while (processStart(pid) !== undefined && Date.now() < until) await pause(20)
  expect(processStart(pid)).toBeUndefined()
})

test.runIf(oldNode)('says what to do when there is no Node 24', async () => {
  const { code, complained } = await finish(run(oldNode!, installation({ dependencies: false })))
  expect(code).toBe(1)
  expect(complained).toMatch(/needs Node 24 or newer; this is v(?:18|2\d)\..*\n.*Install Node 24 .*npm ci/)
})

test('npm’s scripts find the Node of the packages where npm has left no link, or one that leads nowhere', () => {
  const directory = dirname(dirname(installation({ dependencies: false })))
  copyFileSync(join(HERE, 'bin', 'link-node.mjs'), join(directory, 'bin', 'link-node.mjs'))
  mkdirSync(join(directory, 'node_modules', '.bin'), { recursive: true })
  const link = join(directory, 'node_modules', '.bin', 'node')
  const fits = ({ os, cpu, bin }: Locked) => os === process.platform && cpu === process.arch && bin?.['node']
  const { path } = lockedIn('package-lock.json').find(fits)!
  symlinkSync(join(HERE, path), join(directory, path))
  const linkAnew = () => execFileSync(oldNode ?? process.execPath, [join(directory, 'bin', 'link-node.mjs')])
  linkAnew()
  const version = execFileSync(link, ['-v'], { encoding: 'utf8' })
  expect(version).toMatch(/^v2[46]\./)
  rmSync(link)
  symlinkSync('../node-nowhere/bin/node', link)
  linkAnew()
  expect(execFileSync(link, ['-v'], { encoding: 'utf8' })).toBe(version)
})
