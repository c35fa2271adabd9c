/** Follows on the agent: their lines get through slow connections, and nothing of them is left when they end. */
import { expect, test } from 'vitest'
import { parseJson } from '#kernel/http/strict-json'
import { logsFollower } from '../../src/agent/applications/follow.ts'
import { runFollow } from '../../src/agent/follow-runner.ts'
import { PanelRefusal } from '../../src/agent/panel-client.ts'
import { follower } from '../../src/agent/performer.ts'
import type { Followed } from '../../src/agent/performer.ts'
import { LINES_PER_PIECE, PIECE_BYTES_MAX, ProgressBody } from '../../src/tasks/protocol.ts'
import type { LogLine, ResultBody } from '../../src/tasks/protocol.ts'
import { newBoxKeys } from '../../src/tasks/sealed-box.ts'
import { count } from '../support/agent/kinds.ts'

/** Follows until it ends by itself, with a panel that takes bodies of so many bytes in time. */
async function followed(bytesMax: number, follow: (seen: Followed) => Promise<void>) {
  const [heard, sizes, ends]: [LogLine[], number[], ResultBody[]] = [[], [], []]
  const stopped = new AbortController()
  let ofFollow: AbortSignal | undefined
  const panel = {
    async progress(_id: string, body: ProgressBody) {
      const text = JSON.stringify(body)
      expect(ProgressBody.safeParse(parseJson(Buffer.from(text))).success).toBe(true)
      sizes.push(Buffer.byteLength(text))
      if (sizes.at(-1)! > bytesMax) throw new PanelRefusal(408, 'REQUEST_TIMEOUT')
      heard.push(...body.lines)
      return { next: (heard.at(-1)?.seq ?? 0) + 1, cancel: false, pause: false }
    },
    async result(_id: string, body: ResultBody) {
      ends.push(body)
      return { state: body.outcome, late: false }
    },
  }
  const counts = follower(count, async (_params, seen) => {
    ofFollow = seen.signal
    await follow(seen)
  })
  const followers = new Map([[count.name, counts]])
  const now = () => new Date('2026-01-01T00:00:00.000Z')
  const ask = { followId: 'a', issuedAt: now(), kind: count, params: {}, secrets: null }
  await runFollow(ask, { followers, boxKeys: newBoxKeys(), panel, now }, stopped.signal)
  return { heard, sizes, ends, isLeft: ofFollow!.aborted }
}

test('lines get through a connection that is too slow for long requests, once and in order', async () => {
  const texts = Array.from({ length: 1_200 }, (_none, nth) => `${nth} ${'x'.repeat(100)}`)
  const { heard, sizes, ends } = await followed(65_536, ({ say }) => say(texts))
  expect(heard.map(({ text }) => text)).toEqual(texts)
  expect(heard.map(({ seq }) => seq)).toEqual(texts.map((_text, nth) => nth + 1))
  expect(sizes[0]).toBeGreaterThan(65_536)
  expect(ends).toMatchObject([{ outcome: 'SUCCEEDED', lastSeq: texts.length }])
})

test('requests are as long as they may be, whatever is said, and none is longer', async () => {
  const texts = ['\u0001'.repeat(600_000), ...Array.from({ length: 2 * LINES_PER_PIECE }, () => '')]
  const { heard, sizes } = await followed(PIECE_BYTES_MAX, ({ say }) => say(texts))
  expect(heard.map(({ text }) => text).join('')).toBe(texts[0])
  expect(Math.max(...sizes)).toBeGreaterThan(PIECE_BYTES_MAX * 0.75)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(PIECE_BYTES_MAX)
})

test('a follow that has ended by itself leaves nothing that waits for the end of the agent', async () => {
  const { ends, isLeft } = await followed(PIECE_BYTES_MAX, async ({ say }) => say('the last line'))
  expect([ends.length, isLeft]).toEqual([1, true])
})

test('what an engine has left out of a log that it followed is read after the end of the container', async () => {
  const moment = (nth: number) => `2026-01-01T00:00:00.00000000${nth}Z`
  const frames = [1, 2, 3, 4].map((nth) => ({ of: 'OUT' as const, bytes: Buffer.from(`${moment(nth)} line ${nth}\n`) }))
  const container = { Id: 'a'.repeat(64), State: 'running', Labels: {} }
  const state = { State: { Running: true, StartedAt: moment(0) }, Config: { Labels: {} } }
  const engine = {
    call: async (_method: string, path: string) => ({
      status: 200,
      body: path.startsWith('/containers/json') ? [container] : state,
    }),
    async read(path: string, _signal: AbortSignal, heard: (some: typeof frames) => unknown) {
      await heard(path.includes('follow=true') ? frames.slice(0, 2) : frames)
      return 200
    },
  }
  const leave = new AbortController()
  const said: string[] = []
  const query = { installation: 'i', workload: { kind: 'APPLICATION', id: 'a' }, service: null, deploymentId: null }
  const say = async (texts: string | readonly string[]) => {
    said.push(...[texts].flat().flatMap((text) => (text === '' ? [] : [JSON.parse(text)[6]])))
    if (said.length === frames.length) leave.abort()
  }
  const { signal } = leave
  await logsFollower(engine).follow({ ...query, secretNames: [] }, { secrets: null, signal, say })
  expect(said).toEqual(['line 1', 'line 2', 'line 3', 'line 4'])
})
