/** Transfers, follows and live output: a real agent with two panels, of which one has its poll. */
import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { logger } from '#kernel/logging/log'
import { tasks } from '#panel/agent/decider'
import { follow } from '#panel/agent/follow'
import { publicTaskKeyOf, taskJwkIn } from '#panel/agent/keys/task-keys'
import { linesOfTask, putLinesOfTask, takeLines } from '#panel/agent/live-lines'
import { WINDOW_BYTES } from '#panel/agent/live-pieces'
import { readResultFile, resultOfTask } from '#panel/agent/long-results'
import { queueTask } from '#panel/agent/queue-task'
import { findTransfer, openTransfer, readTransfer, receivePart } from '#panel/agent/transfers'
import { startAgent } from '../../../src/agent/agent.ts'
import type { TaskKind } from '../../../src/tasks/kind.ts'
import { answerMuch, count, echo, send, shout, take } from '../../support/agent/kinds.ts'
import {
  followed,
  testAskers,
  testBeat,
  testBytes,
  testFollowers,
  testPerformers,
} from '../../support/agent/performers.ts'
import { agentDouble } from '../../support/panel/agent-double.ts'
import { startPanel } from '../../support/panel/service.ts'
import { handServers, openTaskPanel, testServer } from '../../support/panel/task-panel.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const MIB = 1_024 * 1_024
const servers = handServers()
const dataDir = scratchOfFile()
const secrets = new Map<string, object | Error>()
const panel = await startPanel({ open: openTaskPanel(servers, secrets), dataDir })
const other = await openTaskPanel(servers)({ ...panel.settings, dataDir }, logger({ level: 'silent' }))
const { port } = await other.listen(0, '127.0.0.1')
const taskKey = () => panel.run(async (unit) => publicTaskKeyOf(await taskJwkIn(unit)))
const [own, quiet, foreign] = [testServer(uuidv7()), testServer(uuidv7()), testServer(uuidv7())]
for (const each of [own, quiet, foreign]) servers.known.set(each.serverId, each)
const double = agentDouble(panel.call, quiet, taskKey)

/** Downloads go to the other process, and the connection of an upload is cut when the test says so. */
let cutUploads = 0
const agent = await startAgent({
  panelUrl: panel.url,
  serverId: own.serverId,
  token: own.token,
  boxKeys: own.boxKeys,
  taskKeys: [await taskKey()],
  directory: join(dataDir, 'agent'),
  performers: testPerformers(dataDir),
  askers: testAskers,
  followers: testFollowers,
  planners: [],
  beat: testBeat,
  isReady: async () => true,
  log: () => {},
  backOff: { firstMs: 10, longestMs: 20 },
  fetch(url, init) {
    if (url.endsWith('/download')) return fetch(url.replace(panel.url, `http://127.0.0.1:${port}`), init)
    if (!url.endsWith('/upload') || cutUploads === 0) return fetch(url, init)
    cutUploads -= 1
    return fetch(url, { ...init, body: cut(init.body as Uint8Array), duplex: 'half' })
  },
})
afterAll(async () => {
  await agent.stop()
  await other.close(0)
})

/** Half of the bytes, and then an error. */
function cut(bytes: Uint8Array): ReadableStream {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length / 2))
      await new Promise((resolve) => setTimeout(resolve, 50))
      controller.error(new Error('The connection is cut'))
    },
  })
}

async function queue<Payload>(kind: TaskKind<Payload>, payload: Payload, serverId = own.serverId, taskId = uuidv7()) {
  const cause = { type: 'test', id: taskId }
  await panel.run((unit) => queueTask(unit, kind, { taskId, serverId, projectId: null, payload, cause }))
  await panel.panel.projector.catchUp()
  return taskId
}

const resultOf = (id: string) =>
  expect.poll(async () => (await panel.run((unit) => unit.look(tasks, id)))?.result, { timeout: 20_000 })

async function shaOf(bytes: number): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of testBytes(bytes)) hash.update(piece)
  return hash.digest('hex')
}

const telemetry = panel.panel.pool
const open = (mode: 'STORED' | 'LIVE', fromTask: string | null, toTask: string | null, bytesMax = 64 * MIB) =>
  openTransfer(telemetry, { transferId: fromTask ?? toTask!, mode, fromTask, toTask, bytesMax })
const files = () => readdir(join(dataDir, 'transfers')).catch(() => [])

const waitingBytes = async (): Promise<number> =>
  (await telemetry.query('SELECT coalesce(sum(octet_length(bytes)), 0)::int AS sum FROM telemetry.live_piece')).rows[0]!
    .sum

test('a live transfer passes through its window, over two processes, and leaves nothing', async () => {
  const bytes = 20 * MIB
  const [from, to] = [uuidv7(), uuidv7()]
  await open('LIVE', from, to)
  await queue(send, { bytes }, own.serverId, from)
  await expect.poll(waitingBytes).toBeGreaterThanOrEqual(WINDOW_BYTES)
  expect(await waitingBytes()).toBeLessThanOrEqual(WINDOW_BYTES + 4 * MIB)
  await queue(take, {}, own.serverId, to)
  const expected = JSON.stringify({ bytes, sha256: await shaOf(bytes) })
  await resultOf(to).toBe(expected)
  await resultOf(from).toBe(expected)
  expect(await waitingBytes()).toBe(0)
})

test('an empty one is whole', async () => {
  const [from, to] = [uuidv7(), uuidv7()]
  await open('LIVE', from, to)
  await Promise.all([queue(send, { bytes: 0 }, own.serverId, from), queue(take, {}, own.serverId, to)])
  await resultOf(to).toBe(JSON.stringify({ bytes: 0, sha256: await shaOf(0) }))
})

const as = (by: typeof quiet) => ({
  'daybook-server': by.serverId,
  'daybook-run': double.run,
  authorization: `Bearer ${by.token}`,
})

/** @returns the status, and the offset that it leads to */
async function upload(id: string, range: string, body: string, by = quiet) {
  const headers = { ...as(by), 'content-type': 'application/octet-stream', 'content-range': range }
  const reply = await fetch(`${panel.url}/api/agent/transfers/${id}/upload`, { method: 'POST', headers, body })
  return [reply.status, reply.headers.get('upload-offset') ?? ((await reply.json()) as { received: number }).received]
}

/** Uploads a result. @returns what the agent tells of it */
async function uploaded(id: string, text: string) {
  const bytes = Buffer.byteLength(text)
  expect(await upload(id, `bytes 0-${bytes - 1}/${bytes}`, text)).toEqual([200, bytes])
  return { bytes, sha256: createHash('sha256').update(text).digest('hex') }
}

test('offsets, lengths, foreign tasks and those that are over are refused', async () => {
  const [from, to] = [uuidv7(), uuidv7()]
  await open('STORED', from, to, 10)
  for (const id of [from, to]) await queue(echo, { text: 'x' }, quiet.serverId, id)
  await double.poll()
  const download = async (headers: Record<string, string> = {}, by = quiet, id = to) => {
    const url = `${panel.url}/api/agent/transfers/${id}/download`
    const reply = await fetch(url, { headers: { ...as(by), ...headers } })
    return [reply.status, reply.headers.get('content-range'), reply.ok ? await reply.text() : '']
  }
  for (const range of ['', 'bytes 3-1/*', 'bytes 0-9/5', 'bytes */*'])
    expect((await upload(from, range, 'abcd'))[0]).toBe(400)
  expect(await upload(from, 'bytes 0-3/*', 'abcd')).toEqual([200, 4])
  expect(await upload(from, 'bytes 2-3/*', 'cd')).toEqual([409, '4'])
  expect((await upload(from, 'bytes 4-14/*', 'efghijklmno'))[0]).toBe(413)
  expect((await upload(from, 'bytes 4-7/*', 'efgh', foreign))[0]).toBe(404)
  expect(await download()).toEqual([404, null, ''])
  expect(await upload(from, 'bytes 4-7/8', 'efgh')).toEqual([200, 8])
  expect(await upload(from, 'bytes 4-7/8', 'efgh')).toEqual([409, '8'])
  expect(await download()).toEqual([200, null, 'abcdefgh'])
  expect(await download({ range: 'bytes=5-' })).toEqual([206, 'bytes 5-7/8', 'fgh'])
  expect(await download({}, foreign)).toEqual([404, null, ''])
  expect(await download({}, quiet, from)).toEqual([404, null, ''])
  await double.succeed(to, { text: 'x' })
  expect(await download()).toEqual([404, null, ''])
})

/** What a handler has of a request that lasts until it leaves. */
function looking(at: typeof other = other) {
  const leave = new AbortController()
  const call = {
    telemetry: at.pool,
    read: at.read,
    service: at.services,
    now: at.clock.now(),
    abortSignal: leave.signal,
  }
  return { call, leave: () => leave.abort() }
}

const iterate = <Item>(all: AsyncIterable<Item>) => all[Symbol.asyncIterator]()

async function texts(lines: AsyncIterable<readonly { text: string }[]>, most: number): Promise<string[]> {
  const all: string[] = []
  for await (const some of lines) {
    all.push(...some.map(({ text }) => text))
    if (all.length >= most) break
  }
  return all
}

test('viewers share one follow, in another process than the poll, and it ends when the last one leaves', async () => {
  const params = { to: 1_000_000, everyMs: 20, characters: 10 }
  const [first, second] = [looking(), looking()]
  const lines = iterate(await follow(first.call, count, own.serverId, params))
  const early = (await lines.next()).value as { text: string }[]
  expect(early[0]!.text).toBe('with {"password":"***"}')
  const late = await texts(await follow(second.call, count, own.serverId, params), 5)
  expect(late.slice(0, 2)).toEqual(['with {"password":"***"}', '1 xxxxxxxx'])
  expect(followed.open).toBe(1)
  const followId = (await telemetry.query('SELECT ask_id AS id FROM telemetry.ask')).rows[0]!.id
  const foreignLine = { seq: 1_000_000, at: panel.panel.clock.now().toISOString(), of: 'OUT', text: 'foreign' }
  expect((await double.post(`tasks/${followId}/progress`, { attempt: 1, lines: [foreignLine] })).status).toBe(404)
  await lines.return!()
  const others = [first, second].map(
    ({ call }) =>
      () =>
        follow(call, count, own.serverId, params),
  )
  const newer = iterate(await others[0]!())
  await newer.next()
  await expect.poll(() => followed.open, { timeout: 15_000 }).toBe(1)
  // The end of the earlier follow leaves this one where it is found.
  await texts(await others[1]!(), 1)
  expect(followed.open).toBe(1)
  await newer.return!()
  await expect.poll(() => followed.open, { timeout: 15_000 }).toBe(0)
  expect((await telemetry.query('SELECT FROM telemetry.ask')).rowCount).toBe(0)
  expect(await panel.dump()).not.toContain('canary-of-a-follow')
})

test('a follow tells its end, what cannot be followed is said, and a silent server is', async () => {
  const params = { to: 3, everyMs: 0, characters: 9_000 }
  expect(await texts(await follow(looking().call, count, own.serverId, params), Infinity)).toHaveLength(7)
  const nothing = await follow(looking().call, count, own.serverId, { ...params, to: 0 })
  await expect(texts(nothing, 9)).rejects.toMatchObject({ statusCode: 503, code: 'NOT_THERE' })
  await expect(follow(looking().call, count, uuidv7(), params)).rejects.toMatchObject({ code: 'SERVER_OFFLINE' })
})

test('a reader that is behind makes the agent wait, and then has every line once and in order', async () => {
  const params = { to: 2_600, everyMs: 0, characters: 8_000 }
  const { call } = looking()
  const lines = iterate(await follow(call, count, own.serverId, params))
  const heard = ((await lines.next()).value as { text: string }[]).map(({ text }) => text)
  await expect.poll(waitingBytes, { timeout: 20_000 }).toBeGreaterThan(WINDOW_BYTES)
  expect(followed.said * params.characters).toBeLessThan(2 * WINDOW_BYTES + 3 * MIB)
  for (let next = await lines.next(); !next.done; next = await lines.next())
    heard.push(...next.value.map(({ text }) => text))
  expect(heard.slice(1).map((text) => Number.parseInt(text, 10))).toEqual(
    Array.from({ length: 2_600 }, (_none, nth) => nth + 1),
  )
})

test('a piece that is sent again with more lines, because its answer was lost, loses none', async () => {
  const [id, at] = [uuidv7(), panel.panel.clock.now().toISOString()]
  const said = (seq: number) => ({ seq, at, of: 'OUT' as const, text: String(seq) })
  expect(await putLinesOfTask(telemetry, id, [said(1)])).toEqual({ next: 2, pause: false })
  expect(await putLinesOfTask(telemetry, id, [said(1), said(2)])).toEqual({ next: 3, pause: false })
  expect(await putLinesOfTask(telemetry, id, [said(1)])).toEqual({ next: 2, pause: false })
  expect((await takeLines(telemetry, id, 0)).map(({ seq }) => seq)).toEqual([1, 2])
})

test('lines that come while the reader is behind are not kept, and the agent hears where to go on', async () => {
  const id = await queue(shout, { count: 1, characters: 1 }, quiet.serverId)
  const at = panel.panel.clock.now().toISOString()
  const PER_CALL = 600
  const put = (from: number) => {
    const said = Array.from({ length: PER_CALL }, (_none, nth) => {
      return { seq: from + nth, at, of: 'OUT' as const, text: 'x'.repeat(8_000) }
    })
    return putLinesOfTask(telemetry, id, said)
  }
  expect(await put(1)).toEqual({ next: 601, pause: false })
  expect(await put(601)).toEqual({ next: 1_201, pause: true })
  const full = await waitingBytes()
  for (let nth = 0; nth < 3; nth += 1) expect(await put(1_201)).toEqual({ next: 1_201, pause: true })
  expect(await waitingBytes()).toBe(full)
  expect(await takeLines(telemetry, id, 0)).toHaveLength(2 * PER_CALL)
  expect(await put(1_201)).toEqual({ next: 1_801, pause: false })
  expect((await takeLines(telemetry, id, 1_200)).map(({ seq }) => seq)[0]).toBe(1_201)
})

test('the output of a live task is read while it runs and is no history, and its input comes by a transfer', async () => {
  const id = uuidv7()
  await open('LIVE', null, id)
  await queue(shout, { count: 30, characters: 20 }, own.serverId, id)
  const heard = await texts(linesOfTask(looking().call, id), 30)
  expect(heard.map((text) => Number.parseInt(text, 10))).toEqual(Array.from({ length: 30 }, (_none, nth) => nth + 1))
  const input = async function* () {
    for (const word of ['hello', ' ', 'host']) yield Buffer.from(word)
  }
  const [{ call }, transfer] = [looking(), (await findTransfer(telemetry, id))!]
  const received = await receivePart(call, transfer, { at: 0, total: null, bytes: input() })
  await receivePart(call, { ...transfer, received }, { at: received, total: received, bytes: undefined })
  await resultOf(id).toBe(JSON.stringify({ heard: 'hello host' }))
  expect((await telemetry.query('SELECT FROM telemetry.task_line WHERE task_id = $1', [id])).rowCount).toBe(0)
  expect((await telemetry.query('SELECT FROM telemetry.live_piece')).rowCount).toBe(0)
})

test('an upload that stalls and goes on later changes nothing of what another request has finished', async () => {
  const id = uuidv7()
  await open('STORED', id, uuidv7(), 10)
  const [{ call }, transfer] = [looking(panel.panel), (await findTransfer(telemetry, id))!]
  const [isStalled, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* slow() {
    yield Buffer.from('xx')
    isStalled.resolve()
    await goOn.promise
    yield Buffer.from('xxxxxx')
  }
  async function* quick() {
    yield Buffer.from('abcdefgh')
  }
  const stalled = receivePart(call, transfer, { at: 0, total: 8, bytes: slow() })
  await isStalled.promise
  expect(await receivePart(call, transfer, { at: 0, total: 8, bytes: quick() })).toBe(8)
  goOn.resolve()
  await expect(stalled).rejects.toMatchObject({ code: 'OFFSET' })
  const whole = (await findTransfer(telemetry, id))!
  expect(whole.sha256).toBe(createHash('sha256').update('abcdefgh').digest('hex'))
  expect(await text(Readable.from(readTransfer(call, whole)))).toBe('abcdefgh')
})

test('an empty upload is whole', async () => {
  const id = uuidv7()
  await open('STORED', id, null, 10)
  await queue(echo, { text: 'x' }, quiet.serverId, id)
  await double.poll()
  expect(await upload(id, 'bytes */0', '')).toEqual([200, 0])
  const { size, sha256 } = (await findTransfer(telemetry, id))!
  expect({ size: Number(size), sha256 }).toEqual({ size: 0, sha256: createHash('sha256').digest('hex') })
})

test('a long result and long secrets go as stored transfers', async () => {
  const id = uuidv7()
  const secret = { text: 'canary-of-long-secrets'.repeat(60_000) }
  secrets.set(id, secret)
  await queue(answerMuch, { characters: 100_000 }, own.serverId, id)
  await resultOf(id).toMatch(/^\{"\$file":\{"bytes":100\d\d\d,"sha256":"[0-9a-f]{64}"\}\}$/)
  const { result } = (await panel.run((unit) => unit.look(tasks, id)))!
  const { call } = looking(panel.panel)
  const whole = { text: 'y'.repeat(100_000), heard: JSON.stringify(secret).length }
  expect(await resultOfTask(call, { id, result: result! })).toEqual(whole)
  expect(await resultOfTask(call, { id, result: '{"text":"x"}' })).toEqual({ text: 'x' })
  const stored = await Promise.all(
    (await files()).map((name) => readFile(join(dataDir, 'transfers', name, 'whole'), 'utf8')),
  )
  expect(stored.join('')).not.toContain('canary-of-long-secrets')
  expect(stored.length).toBeGreaterThan(1)
  secrets.delete(id)
})

test('an uploaded result that an event can hold stands in it', async () => {
  const id = await queue(echo, { text: 'x' }, quiet.serverId)
  await double.poll()
  const text = JSON.stringify({ text: 'short' })
  const file = await uploaded(id, text)
  await double.post(`tasks/${id}/result`, { attempt: 1, lastSeq: 0, outcome: 'SUCCEEDED', result: null, file })
  await resultOf(id).toBe(text)
})

test('a result that was read is not read again when the agent repeats that the task has ended', async () => {
  const id = await queue(echo, { text: 'x' }, quiet.serverId)
  await double.poll()
  const file = await uploaded(id, JSON.stringify({ text: 'long' }))
  const told = { attempt: 1, lastSeq: 0, outcome: 'SUCCEEDED', result: null, file }
  const tell = async () => (await double.post(`tasks/${id}/result`, told)).body
  expect(await tell()).toEqual({ state: 'SUCCEEDED', late: false })
  await rm(join(dataDir, 'transfers', id), { recursive: true })
  await telemetry.query('DELETE FROM telemetry.transfer WHERE transfer_id = $1', [id])
  expect(await tell()).toEqual({ state: 'SUCCEEDED', late: false })
  const bad = await queue(echo, { text: 'x' }, quiet.serverId)
  await double.poll()
  const tellBad = async () => (await double.post(`tasks/${bad}/result`, told)).body
  for (let times = 0; times < 2; times += 1) expect(await tellBad()).toEqual({ state: 'FAILED', late: false })
})

test('a result of too many values, or too deep, is not parsed', async () => {
  const id = await queue(answerMuch, { characters: 1 }, quiet.serverId)
  await double.poll()
  const deep = `${'['.repeat(33)}${']'.repeat(33)}`
  const tellDeep = () => double.succeed(id, JSON.parse(deep))
  expect((await tellDeep()).status).toBe(400)
  const { call } = looking(panel.panel)
  for (const [text, isRead] of [
    [JSON.stringify(Array.from({ length: 199_999 }, () => 0)), true],
    [JSON.stringify(Array.from({ length: 200_000 }, () => 0)), false],
    [deep.slice(1, -1), true],
    [deep, false],
  ] as const) {
    const own = await queue(echo, { text: 'x' }, quiet.serverId)
    await double.poll()
    const read = await readResultFile(call, own, await uploaded(own, text))
    expect(read).toEqual(isRead ? JSON.parse(text) : undefined)
  }
})

test('a stored upload goes on where it was cut, is read from any byte on, and is removed after a day', async () => {
  const bytes = 9 * MIB + 5
  const [from, to] = [uuidv7(), uuidv7()]
  await open('STORED', from, to)
  cutUploads = 2
  await queue(send, { bytes }, own.serverId, from)
  const expected = JSON.stringify({ bytes, sha256: await shaOf(bytes) })
  await resultOf(from).toBe(expected)
  expect(cutUploads).toBe(0)
  await queue(take, {}, own.serverId, to)
  await resultOf(to).toBe(expected)
  expect(await files()).toContain(from)
  panel.passTime(25 * 3_600_000)
  await panel.settle()
  expect(await files()).toEqual([])
})
