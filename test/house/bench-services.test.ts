/** The bench of the services counts processor time, sends load, copies written rows and judges goals. */
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { markdownTable } from '../../bench/markdown.ts'
import { processorTimeOf } from '../../bench/processor.ts'
import { pathGoals } from '../../bench/services/goals.ts'
import { between } from '../../bench/services/idle.ts'
import { fire, isWhole, requestBytes } from '../../bench/services/load.ts'
import { memoryGoals } from '../../bench/services/memory.ts'
import { isOfServices, servicesOptionsFrom } from '../../bench/services/options.ts'
import { inTurn } from '../../bench/services/panels.ts'
import { PATHS } from '../../bench/services/paths.ts'
import type { Answerer, PathSample } from '../../bench/services/paths.ts'
import { PLACE_OF_PATHS } from '../../bench/services/services.ts'
import { pathRows } from '../../bench/services/table.ts'
import { rowWriter } from '../../bench/services/twin/write-rows.ts'
import { idsIn } from '../../bench/services/written-rows.ts'
import { scratchPath } from '../support/scratch.ts'

const ROOT = join(import.meta.dirname, '../..')

const sample = (
  test: string,
  contestant: Answerer,
  round: number,
  [nodeUs, postgresUs]: readonly [number, number],
): PathSample => ({
  test,
  contestant,
  round,
  opsPerSecond: 1_000 * round,
  p50Ms: round,
  p99Ms: 2 * round,
  spent: { nodeUs, postgresUs },
})

/** The machine becomes ten times slower, but each round is slow for both. */
const SLOWING = [
  sample('tokenRead', 'daybook', 1, [40, 40]),
  sample('tokenRead', 'twin', 1, [60, 40]),
  sample('tokenRead', 'daybook', 2, [500, 400]),
  sample('tokenRead', 'twin', 2, [600, 400]),
  sample('tokenRead', 'daybook', 3, [700, 100]),
  sample('tokenRead', 'twin', 3, [600, 400]),
]

const goalOf = (samples: readonly PathSample[], start: string) =>
  pathGoals(samples).find(({ goal }) => goal.startsWith(start))

test('a goal of a path compares the processor time of Node and Postgres, round by round', () => {
  expect(goalOf(SLOWING, 'token read')).toMatchObject({ found: 0.8, met: true })
  expect(goalOf(SLOWING.slice(0, 4), 'token read')).toMatchObject({ found: 0.8, met: true })
  expect(goalOf(SLOWING.slice(2, 4), 'token read')).toMatchObject({ found: 0.9, met: false })
  expect(goalOf(SLOWING, 'key read')).not.toHaveProperty('met')
})

test('a goal of a path with samples that count no processor time is not measured', () => {
  const uncounted = SLOWING.map((each) => ({ ...each, spent: undefined }))
  expect(goalOf(uncounted, 'token read')).not.toHaveProperty('found')
})

test('a heartbeat is compared with its cryptography by the time of Node alone', () => {
  const samples = [
    sample('heartbeat', 'daybook', 1, [300, 900]),
    sample('heartbeat', 'cryptography', 1, [100, 0]),
    sample('heartbeat', 'twin', 1, [100, 100]),
  ]
  expect(goalOf(samples, 'heartbeat ≤')).toMatchObject({ found: 3, met: true })
})

test('rates have to be reached, and latencies kept', () => {
  const samples = [1, 2, 3].map((round) => sample('heartbeatX2', 'daybook', round, [1, 1]))
  expect(goalOf(samples, 'heartbeats over two')).toMatchObject({ found: 2_000, met: false })
  const slow = [sample('provisioning1', 'daybook', 9, [1, 1]), sample('provisioning1', 'twin', 1, [1, 1])]
  expect(goalOf(slow, 'provisioning, one at a time')).toMatchObject({ found: 9, met: false })
  expect(goalOf([sample('visible', 'daybook', 4, [1, 1])], 'append → visible p50')).toMatchObject({ met: true })
})

test('the table has a row for each measured path, with medians of both and the ratio', () => {
  const rows = pathRows(SLOWING)
  expect(rows).toHaveLength(2)
  expect(rows[1]).toEqual([
    'read with a machine token, 32 in flight',
    '500 + 100',
    '600 + 400',
    '0.80',
    '2,000',
    '2,000',
    '2.00 / 4.00',
    '2.00 / 4.00',
  ])
  const markdown = markdownTable(rows, ['two cores'])
  expect(markdown.split('\n')[1]).toBe(`| --- ${'| --: '.repeat(6)}| --- |`)
  expect(markdown).toMatch(/\| 2\.00 \/ 4\.00 \|\n\nTwo cores\.\n$/)
})

test('a path without a twin leaves its cells empty', () => {
  const [, row] = pathRows([sample('heartbeatX2', 'daybook', 1, [10, 5])])
  expect(row).toEqual([expect.any(String), '10.0 + 5.0', '–', '–', '1,000', '–', '1.00 / 2.00', '–'])
})

test('every path has the service among its contestants, and a name of its own', () => {
  for (const { contestants } of PATHS) expect(contestants[0]).toBe('daybook')
  expect(new Set(PATHS.map(({ name }) => name)).size).toBe(PATHS.length)
})

// Processor time, because a busy machine gives a program only a part of the time that passes.
const BURN = 'for (;;) { const { user, system } = process.cpuUsage(); if (user + system > 600_000) break }'
const STAY = 'setInterval(() => {}, 1e9);'
const READY = 'console.log("ready");'
const evaluated = (text: string) => `process.execPath, ['-e', ${JSON.stringify(text)}], { stdio: 'inherit' }`
const IN_THREAD = `
  const { Worker } = require('node:worker_threads')
  const burning = ${JSON.stringify(`${BURN}; require('node:worker_threads').parentPort.postMessage(0); ${STAY}`)}
  new Worker(burning, { eval: true }).on('message', () => { ${READY} })`
const IN_CHILD = `require('node:child_process').spawn(${evaluated(BURN + ';' + READY + STAY)})`
const PROGRAMS = [`${BURN};${READY}${STAY}`, IN_THREAD, IN_CHILD, READY + STAY]

/** @returns a program of Node that has said that it is ready */
async function program(text: string): Promise<ChildProcess> {
  const running = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(running.stdout, 'data')
  return running
}

test.runIf(process.platform === 'linux')(
  'processor time is that of all threads and children of Node, and of the children of Postgres',
  async () => {
    const all = await Promise.all(PROGRAMS.map(program))
    const [burning, withThread, withChild, waiting] = all.map(({ pid }) => pid!) as [number, number, number, number]
    try {
      const node = (pids: readonly number[]) => processorTimeOf(pids, waiting)!.nodeUs
      const none = node([waiting])
      for (const pid of [burning, withThread, withChild]) expect(node([pid]) - none).toBeGreaterThan(100_000)
      expect(node([burning, withThread])).toBeGreaterThanOrEqual(node([burning]) + 100_000)
      expect(processorTimeOf([], withChild)!.postgresUs).toBeGreaterThan(100_000)
      expect(processorTimeOf([], burning)).toEqual({ nodeUs: 0, postgresUs: 0 })
      expect(processorTimeOf([burning], 2 ** 30)).toBeUndefined()
    } finally {
      await promisify(execFile)('kill', ['-9', ...childrenOf(withChild)])
      for (const each of all) each.kill('SIGKILL')
    }
  },
)

const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

async function listening(handle: RequestListener) {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => void server.close() }
}

const GET = requestBytes('GET', '/a', {})

test('load keeps as many requests in flight as it should, over all ports, until none is left', async () => {
  const seen = new Map<number, { now: number; most: number; all: number }>()
  const handle: RequestListener = async ({ socket }, answer) => {
    const count = seen.get(socket.localPort!) ?? { now: 0, most: 0, all: 0 }
    seen.set(socket.localPort!, count)
    count.now += 1
    count.most = Math.max(count.most, count.now)
    count.all += 1
    await pause(5)
    count.now -= 1
    answer.setHeader('Content-Length', 2).end('{}')
  }
  using one = await listening(handle)
  using other = await listening(handle)
  const left = Array.from({ length: 40 }, () => GET)
  const fired = await fire({ ports: [one.port, other.port], inFlight: 8, seconds: Infinity, next: () => left.pop() })
  expect(fired.requests).toBe(40)
  expect(fired.p50Ms).toBeGreaterThanOrEqual(4)
  expect(fired.p99Ms).toBeGreaterThanOrEqual(fired.p50Ms)
  const counts = [...seen.values()]
  expect(counts.map(({ most }) => most)).toEqual([4, 4])
  expect(counts.reduce((sum, { all }) => sum + all, 0)).toBe(40)
})

test('load ends with its time, and with the first answer that is no success', async () => {
  using endless = await listening((_request, answer) => void answer.setHeader('Content-Length', 0).end())
  const { requests } = await fire({ ports: [endless.port], inFlight: 1, seconds: 0.1, next: () => GET })
  expect(requests).toBeGreaterThan(1)
  using failing = await listening((_request, answer) => void answer.writeHead(429, { 'Content-Length': 0 }).end())
  const load = { ports: [failing.port], inFlight: 1, seconds: 1 }
  await expect(fire({ ...load, next: () => GET })).rejects.toThrow('An answer is 429')
  await expect(fire({ ...load, next: () => undefined })).rejects.toThrow('No request was sent')
})

test('an answer is whole with the last byte of its body', () => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX: y\r\n\r\nabc'
  expect(isWhole(answer)).toBe(true)
  for (const length of [10, answer.length - 4, answer.length - 1]) expect(isWhole(answer.slice(0, length))).toBe(false)
  expect(isWhole('HTTP/1.1 204 No Content\r\n\r\n')).toBe(true)
})

test('a request has its length in bytes', () => {
  expect(requestBytes('POST', '/a', { b: 'c' }, '{"ü":1}').toString()).toBe(
    'POST /a HTTP/1.1\r\nhost: 127.0.0.1\r\nb: c\r\ncontent-length: 8\r\n\r\n{"ü":1}',
  )
})

const [OLD, NEW] = ['0190b9d5-5311-7479-bae2-e02d8bfd07bf', '0190b9d5-5f06-7479-bae2-e02d8bfd07bf']
const KEY = `email/${NEW}`
const TABLES = [
  { table: 'store.claim', columns: ['scope', 'key', 'pos'], rows: [['email', KEY, '8']] },
  {
    table: 'store.event',
    columns: ['pos', 'stream', 'data'],
    rows: [
      ['7', `customer-${NEW}`, `{"plan":"${OLD}","key":"${KEY}"}`],
      ['8', `customer-${NEW}`, null],
    ],
  },
]

test('ids and unique keys are found in written rows, the longest first', () => {
  expect(idsIn(TABLES)).toEqual([KEY, NEW, OLD])
})

test('rows are written with new ids and keys in every place, at the next positions', async () => {
  const { fresh, answer, write } = rowWriter({
    tables: TABLES,
    fresh: [KEY, NEW],
    position: 7,
    answer: `{"id":"${NEW}","plan":"${OLD}"}`,
  })
  const written: { text: string; values: (string | null)[] }[] = []
  const client = { query: async (query: (typeof written)[number]) => void written.push(query) }
  const [first, second] = [fresh(), fresh()]
  for (const each of [first, second]) await write(client as never, each)
  const [claim, events, nextClaim, nextEvents] = written as [any, any, any, any]
  const { id, plan } = JSON.parse(answer(first))
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect([id === NEW, plan]).toEqual([false, OLD])
  expect(events.text).toBe('INSERT INTO bare.event (pos, stream, data) VALUES ($1, $2, $3), ($4, $5, $6)')
  const [position, stream, data, ...more] = events.values
  expect(stream).toBe(`customer-${id}`)
  expect(more).toEqual([String(Number(position) + 1), stream, null])
  const [, key, keyPosition] = claim.values
  expect(key).toHaveLength(KEY.length)
  expect([key === KEY, keyPosition]).toEqual([false, more[0]])
  expect(JSON.parse(data)).toEqual({ plan: OLD, key })
  expect(Number(nextEvents.values[0])).toBe(Number(position) + 2)
  expect([nextEvents.values[1] === stream, nextClaim.values[1] === key]).toEqual([false, false])
})

test('items are used in turn, each as often as it may be', () => {
  const next = inTurn(['a', 'b'], 2)
  expect(Array.from({ length: 5 }, next)).toEqual(['a', 'b', 'a', 'b', undefined])
})

test('idle costs are counted for a second, processor time as a share of one core', () => {
  const before = { atMs: 1_000, nodeUs: 500, postgresUs: 100, nodeWakeUps: 10, postgresWakeUps: 5, transactions: 50 }
  const after = {
    atMs: 3_000,
    nodeUs: 20_500,
    postgresUs: 10_100,
    nodeWakeUps: 110,
    postgresWakeUps: 5,
    transactions: 8,
  }
  expect(between(before, after)).toEqual({
    nodePercent: 1,
    postgresPercent: 0.5,
    nodeWakeUps: 50,
    postgresWakeUps: 0,
    transactions: 0,
  })
})

test('memory is judged at rest, at its most, and by what the last load adds', () => {
  const kept = { atRest: 180, afterLoad: [300, 350, 330] }
  const lost = { atRest: 181, afterLoad: [300, 340, 351] }
  const goals = memoryGoals({ licensing: kept, panel: lost })
  expect(goals.map(({ met }) => met)).toEqual([true, true, true, false, false, false])
})

test('the services are measured when they are named, and a misspelt word stops the bench', () => {
  expect([[], ['--quick'], ['--memory'], ['--rounds', '2', '--services']].map(isOfServices)).toEqual([
    false,
    false,
    true,
    true,
  ])
  const { measurements, paths, rounds, isWhole } = servicesOptionsFrom(['--services', '--idle', '--only', 'heartbeat'])
  expect([measurements, paths.map(({ name }) => name), rounds, isWhole]).toEqual([
    ['services', 'idle'],
    ['heartbeat'],
    9,
    false,
  ])
  expect(() => servicesOptionsFrom(['--services', '--only', 'heartbeats'])).toThrow('heartbeats: unknown')
  expect(() => servicesOptionsFrom(['--services', '--quick'])).toThrow(/--quick/)
  expect(() => servicesOptionsFrom(['--idle', '--markdown', 'x.md'])).toThrow('--markdown writes')
})

test('the page on benchmarks has a place for the table of the services', () => {
  const page = readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8')
  const [begin, end] = PLACE_OF_PATHS.map((mark) => page.indexOf(mark))
  expect(begin).toBeGreaterThan(0)
  expect(end).toBeGreaterThan(begin!)
})

test.runIf(process.platform === 'linux')(
  'the bench of the services runs, with a twin that answers alike',
  async () => {
    const [file, table] = [scratchPath(), scratchPath()]
    const args = '--services --rounds 1 --seconds 0.1 --only tokenRead,activation'.split(' ')
    const bench = [join(ROOT, 'bench/bench.ts'), ...args, '--json', file, '--markdown', table]
    await promisify(execFile)(process.execPath, bench, { cwd: ROOT })
    const { services, goals } = JSON.parse(readFileSync(file, 'utf8'))
    const measured = ['tokenRead', 'activation'].flatMap((name) => [`${name} daybook`, `${name} twin`])
    const names = services.samples.map((each: PathSample) => `${each.test} ${each.contestant}`)
    expect(names.toSorted()).toEqual(measured.toSorted())
    for (const { spent, opsPerSecond } of services.samples)
      for (const figure of [spent.nodeUs, spent.postgresUs, opsPerSecond]) expect(figure).toBeGreaterThan(0)
    expect(goals.find(({ goal }: { goal: string }) => goal.startsWith('token read'))).toHaveProperty('met')
    expect(readFileSync(table, 'utf8')).toContain('| activation, 32 in flight | ')
  },
  120_000,
)
