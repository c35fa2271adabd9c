/** Programs of tasks: their output, and how all their processes end with the task. */
import { expect, test } from 'vitest'
import { runProgram } from '../../src/agent/run-program.ts'

const node = (code: string) => ({ command: process.execPath, args: ['-e', code] })

function working() {
  const [said, stop] = [[] as [string, string][], new AbortController()]
  const write = async (of: 'OUT' | 'ERR', piece: string) => void said.push([of, piece])
  return { said, stop, work: { signal: stop.signal, write } }
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a program tells what it says and its exit code, and sees nothing of the environment', async () => {
  const { said, work } = working()
  const code = `console.log(Object.keys(process.env).length); console.error('ä'); process.exit(3)`
  expect(await runProgram(node(code), work)).toBe(3)
  expect(Object.fromEntries(said)).toEqual({ ERR: 'ä\n', OUT: '0\n' })
  await expect(runProgram({ command: '/no/such/program', args: [] }, work)).rejects.toMatchObject({
    code: 'NO_PROGRAM',
  })
})

test.each([
  ['that heeds SIGTERM', '', 60_000],
  ['that does not', `process.on('SIGTERM', () => {});`, 100],
])('a program %s ends with its children when the task is cancelled', async (_what, first, graceMs) => {
  const { said, stop, work } = working()
  const child = `${first} setInterval(() => {}, 1000); console.log(process.pid)`
  const parent = `${first} require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })`
  const running = runProgram(node(parent), work, graceMs)
  const ended = expect(running).rejects.toMatchObject({ name: 'AbortError' })
  await expect.poll(() => said.length).toBe(1)
  const pid = Number(said[0]![1])
  expect(isThere(pid)).toBe(true)
  stop.abort()
  await ended
  await expect.poll(() => isThere(pid)).toBe(false)
})

/** Says its process id, and goes on without its output. */
const LEFT = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`

test('what lets go of its output ends with its program', async () => {
  const { said, work } = working()
  const code = `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(LEFT)}], { stdio: 'ignore' })
    console.log(pid); process.exit(4)`
  expect(await runProgram(node(code), work, 500)).toBe(4)
  await expect.poll(() => isThere(Number(said[0]![1])), { timeout: 10_000 }).toBe(false)
})

test('a program whose output cannot be kept is ended', async () => {
  let pid = 0
  const write = async (_of: string, piece: string) => {
    pid = Number(piece)
    throw new Error('The disk is full')
  }
  const running = runProgram(node(`console.log(process.pid); ${LEFT}`), { ...working().work, write }, 500)
  await expect(running).rejects.toThrow('The disk is full')
  expect([pid > 0, isThere(pid)]).toEqual([true, false])
})
