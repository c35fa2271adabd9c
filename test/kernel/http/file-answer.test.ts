/** Files over real HTTP, whole and in part. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileAnswer, OK_OR_PARTIAL } from '#kernel/http/file-answer'
import { bytesReply, everyone, route } from '#kernel/http/route'
import { rig } from '../../support/kernel/http-rig.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const CONTENT = Array.from({ length: 30_000 }, (_, nth) => `${nth}`).join(' ')
const SIZE = CONTENT.length
const path = join(scratchOfFile(), 'file')
writeFileSync(path, CONTENT)
const sha256 = createHash('sha256').update(CONTENT).digest('hex')
const tag = `"${sha256}"`

const ofFile = (line: 'GET /whole' | 'GET /short', bytes: number) =>
  route(line, {
    does: 'Answer a file.',
    access: everyone,
    status: OK_OR_PARTIAL,
    reply: bytesReply('application/octet-stream'),
    handle: async (call) => fileAnswer(call, { path, bytes, sha256 }),
  })
const { call, close } = await rig([ofFile('GET /whole', SIZE), ofFile('GET /short', SIZE + 1)])
afterAll(close)

const get = (headers: Record<string, string> = {}) => call('GET', '/whole', { headers })

test('the whole file has its length and its tag', async () => {
  const { status, headers, text } = await get()
  expect([status, text === CONTENT]).toEqual([200, true])
  expect(headers).toMatchObject({ etag: tag, 'content-length': String(SIZE), 'accept-ranges': 'bytes' })
})

test.each([
  ['bytes=0-0', 0, 0],
  ['bytes=5-9', 5, 9],
  ['bytes=70000-', 70_000, SIZE - 1],
  ['bytes=-7', SIZE - 7, SIZE - 1],
  [`bytes=10-${SIZE + 10}`, 10, SIZE - 1],
  [`bytes=-${SIZE + 1}`, 0, SIZE - 1],
])('%s answers that part', async (range, first, last) => {
  const { status, headers, text } = await get({ range, 'if-range': tag })
  expect([status, text]).toEqual([206, CONTENT.slice(first, last + 1)])
  expect(headers).toMatchObject({
    etag: tag,
    'content-range': `bytes ${first}-${last}/${SIZE}`,
    'content-length': String(last - first + 1),
  })
})

test.each([
  ['bytes=5-4'],
  [`bytes=${SIZE}-`],
  ['bytes=-0'],
  ['bytes=-'],
  ['bytes=0-1,3-4'],
  ['items=0-1'],
  ['bytes=0-1', '"another"'],
])('%s with If-Range %s answers the whole file', async (range, other = tag) => {
  const { status, headers, text } = await get({ range, 'if-range': other })
  expect([status, text === CONTENT, headers['content-range']]).toEqual([200, true, undefined])
})

test('HEAD answers the headers alone', async () => {
  const { status, headers, text } = await call('HEAD', '/whole')
  expect([status, text, headers['content-length']]).toEqual([200, '', String(SIZE)])
})

test('a file that has become shorter ends no answer as if it were whole', async () => {
  await expect(call('GET', '/short')).rejects.toThrow()
})
