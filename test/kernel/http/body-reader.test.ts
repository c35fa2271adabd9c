import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { readBytes } from '#kernel/http/body-reader'

test('a short body keeps no memory but its own, for requests that wait', async () => {
  const read: Buffer[] = []
  const server = createServer(async (request, response) => {
    read.push(await readBytes(request))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{"waitMs":50000}' })
  server.close()
  expect(read.map(String)).toEqual(['{"waitMs":50000}'])
  expect(read[0]!.buffer.byteLength).toBeLessThan(1_000)
})
