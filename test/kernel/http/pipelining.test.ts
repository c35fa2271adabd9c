/** Several requests on one connection before the first is answered (RFC 9112, 9.3.2). */
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { everyone, route } from '#kernel/http/route'
import { answersIn, connection, rig } from '../../support/kernel/http-rig.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const LATER = { timeout: 20_000 }

/** Answers the nth request with n; with `holds`, only after `goOn` was called. */
async function counting(holds = false) {
  const seen = { begun: 0, atOnce: 0, most: 0 }
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  if (!holds) goOn()
  const counted = route('GET /count', {
    does: 'Count.',
    access: everyone,
    reply: z.object({ nth: z.int() }),
    async handle() {
      const nth = (seen.begun += 1)
      seen.atOnce += 1
      seen.most = Math.max(seen.most, seen.atOnce)
      await promise
      await new Promise((resolve) => setImmediate(resolve))
      seen.atOnce -= 1
      return { nth }
    },
  })
  const served = await rig([counted])
  const asking = await connection(served.port)
  closing.push(
    () => served.close(),
    () => asking.end(),
  )
  return { ...served, asking, seen, goOn }
}

const ASK = 'GET /count HTTP/1.1\r\nHost: x\r\n\r\n'

test('are answered one after another, in their order', async () => {
  const { asking, seen } = await counting()
  asking.send(ASK.repeat(60))
  await vi.waitFor(() => expect(answersIn(asking.heard)).toHaveLength(60), LATER)
  const bodies = answersIn(asking.heard).map(({ body }) => JSON.parse(body))
  expect(bodies).toEqual(Array.from({ length: 60 }, (_, index) => ({ nth: index + 1 })))
  expect(seen.most).toBe(1)
  asking.send(ASK)
  await vi.waitFor(() => expect(answersIn(asking.heard)).toHaveLength(61), LATER)
})

test('are no more than 64 that wait: one more ends the connection, and none of them is begun', async () => {
  const { asking, seen, goOn, call } = await counting(true)
  asking.send(ASK.repeat(65))
  await vi.waitFor(() => expect(seen.begun).toBe(1), LATER)
  expect(asking.isClosed).toBe(false)
  asking.send(ASK.repeat(300))
  await asking.closed
  const [only, ...others] = answersIn(asking.heard)
  expect(only).toMatchObject({ status: 429, head: expect.stringMatching(/error-code: PIPELINED/i) })
  expect(JSON.parse(only!.body)).toMatchObject({ statusCode: 429, message: expect.stringContaining('64') })
  expect(others).toEqual([])
  goOn()
  expect((await call('GET', '/count')).json).toEqual({ nth: 2 })
  expect(seen).toMatchObject({ begun: 2, most: 1 })
})

test('do not begin while the answer before them is not taken', async () => {
  const begun: string[] = []
  const big = route('GET /big', {
    does: 'More than a connection buffers.',
    access: everyone,
    reply: z.object({ text: z.string() }),
    async handle() {
      begun.push('big')
      return { text: 'x'.repeat(16 * 1024 * 1024) }
    },
  })
  const served = await rig([big])
  const unread = await connection(served.port, { reads: false })
  closing.push(
    () => served.close(),
    () => unread.end(),
  )
  unread.send('GET /big HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10))
  await vi.waitFor(() => expect(begun).toEqual(['big']), LATER)
  for (let turn = 0; turn < 10; turn += 1) expect((await served.call('GET', '/nowhere')).status).toBe(404)
  expect(begun).toEqual(['big'])
  unread.read()
  await vi.waitFor(() => expect(begun.length).toBeGreaterThan(2), LATER)
})
