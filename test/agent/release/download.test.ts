/** The download of a release over a real connection that is cut, and the files of a trial. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { byteRangeIn } from '#kernel/http/file-answer'
import { downloadExecutable } from '../../../src/agent/release/download.ts'
import { executablesIn } from '../../../src/agent/release/executables.ts'
import { scratchDirectory, scratchPath } from '../../support/scratch.ts'

const content = randomBytes(300_000)
const sha256 = createHash('sha256').update(content).digest('hex')
const tag = `"${sha256}"`

type Answer = (request: IncomingMessage, response: ServerResponse, nth: number) => void

/** A panel that answers so; each call is counted from 1 on. */
async function panelThat(answers: Answer): Promise<string> {
  let calls = 0
  const server = createServer((request, response) => answers(request, response, (calls += 1))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function download(answers: Answer, { flags = 'w', ms = 5_000 } = {}): Promise<Buffer> {
  const config = { panelUrl: await panelThat(answers), serverId: randomUUID(), token: 'dba_test' }
  const source = { config, run: randomUUID(), arch: 'amd64', backOff: { firstMs: 1, longestMs: 5 } } as const
  const path = scratchPath()
  writeFileSync(path, '')
  const file = await open(path, flags)
  try {
    await downloadExecutable(source, sha256, file, AbortSignal.timeout(ms))
  } finally {
    await file.close()
  }
  return readFileSync(path)
}

const refuse = (response: ServerResponse, status: number, code: string): void =>
  void response.writeHead(status, { 'error-code': code }).end()

test('what was cut goes on where it was, also past a busy panel', async () => {
  const begins: number[] = []
  const got = await download((request, response, nth) => {
    if (nth === 2) return refuse(response, 503, 'BUSY')
    const { first, last } = byteRangeIn(request.headers.range, content.length) ?? { first: 0, last: content.length - 1 }
    begins.push(first)
    const part = content.subarray(first, last + 1)
    response.writeHead(first > 0 ? 206 : 200, { etag: tag, 'content-length': part.length })
    if (nth >= 4) return response.end(part)
    return response.write(part.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 20))
  })
  expect(got.equals(content)).toBe(true)
  // A busy machine may not have read all that was sent before the cut.
  const [start, ...later] = begins
  expect([start, later.length]).toEqual([0, 2])
  expect(later[0]).toBeGreaterThan(0)
  expect(later[1]).toBeGreaterThan(later[0]!)
  expect(later[1]).toBeLessThanOrEqual(200_000)
})

const whole: Answer = (_request, response) => response.writeHead(200, { etag: tag }).end(content)

test.each<[string, Answer, string, object?]>([
  ['another file', (_, response) => response.writeHead(200, { etag: '"other"' }).end(content), 'OTHER_RELEASE'],
  ['a file without a tag', (_, response) => response.writeHead(200).end(content), 'OTHER_RELEASE'],
  ['other bytes', (_, response) => response.writeHead(200, { etag: tag }).end('other'), 'OTHER_RELEASE'],
  ['no release', (_, response) => refuse(response, 503, 'AGENT_NOT_BUILT'), 'AGENT_NOT_BUILT'],
  ['a file that the disk does not take', whole, 'NOT_WRITTEN', { flags: 'r' }],
])('%s ends the download', async (_what, answers, code, more) => {
  await expect(download(answers, more)).rejects.toMatchObject({ name: 'TaskFailure', code })
})

test('a redirect is not followed, and the time of the task ends the tries', async () => {
  const elsewhere = await panelThat(whole)
  const led: Answer = (_request, response) => response.writeHead(302, { location: elsewhere }).end()
  await expect(download(led, { ms: 300 })).rejects.toMatchObject({ name: 'TimeoutError' })
})

const [OLD, NEW, ANCIENT] = ['daybook-agent-1.0.0-a', 'daybook-agent-1.1.0-b', 'daybook-agent-0.9.0-c']

function installed() {
  const directory = scratchDirectory()
  const path = (name: string) => join(directory, name)
  for (const name of [OLD, NEW, ANCIENT]) writeFileSync(path(name), name)
  symlinkSync(OLD, path('daybook-agent'))
  return { directory, path, has: (...names: string[]) => names.map((name) => existsSync(path(name))) }
}

test('an update is on trial until it is kept; then the former one stays beside it, and older ones go', async () => {
  const { directory, path, has } = installed()
  const before = executablesIn(directory, OLD)
  expect(await before.isOnTrial()).toBe(false)
  await before.swapIn(NEW)
  expect([readlinkSync(path('daybook-agent')), readFileSync(path('pending'), 'utf8')]).toEqual([NEW, `${OLD}\n`])
  const after = executablesIn(directory, NEW)
  expect(await after.isOnTrial()).toBe(true)
  writeFileSync(path('starts'), '1')
  await after.keep()
  expect(await after.isOnTrial()).toBe(false)
  expect(has(OLD, NEW, ANCIENT, 'pending', 'starts')).toEqual([true, true, false, false, false])
})

test('a former executable that runs again is on no trial, and clears what the update has left', async () => {
  const { directory, has } = installed()
  const own = executablesIn(directory, OLD)
  await own.swapIn(NEW)
  expect(await own.isOnTrial()).toBe(false)
  expect(has(OLD, NEW, 'pending')).toEqual([true, false, false])
})
