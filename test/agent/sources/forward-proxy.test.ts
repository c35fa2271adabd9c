/** The proxy of git leads to one origin, at the address that was checked, and nowhere else. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { startForwardProxy } from '../../../src/agent/sources/forward-proxy.ts'
import { gitAddress } from '../../../src/agent/sources/git-address.ts'

const heard: string[] = []
const server = createServer((asked, response) => {
  heard.push(`${asked.headers.host} ${asked.url}`)
  response.end('answer')
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const { port } = server.address() as AddressInfo
afterAll(() => server.close())

/** @returns the status */
async function ask(proxy: string, method: 'GET' | 'CONNECT', path: string): Promise<number> {
  const asked = request(proxy, { method, path, headers: { host: 'git.example' }, agent: false }).end()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.on('response', resolve).on('connect', resolve).on('error', reject)
  })
  answer.resume()
  asked.destroy()
  return answer.statusCode!
}

test('what is asked of its origin arrives, and nothing else', async () => {
  const proxy = await startForwardProxy(gitAddress(`http://git.example:${port}/x`), '127.0.0.1')
  expect(await ask(proxy.url, 'GET', `http://git.example:${port}/x?a=b`)).toBe(200)
  expect(heard.splice(0)).toEqual(['git.example /x?a=b'])
  const others = [
    `http://127.0.0.1:${port}/x`,
    `http://git.example:${port + 1}/x`,
    `https://git.example:${port}/x`,
    '/x',
  ]
  for (const url of others) expect(await ask(proxy.url, 'GET', url), url).toBe(403)
  expect(await ask(proxy.url, 'CONNECT', `git.example:${port}`), 'a tunnel in the clear').toBe(403)
  expect([heard, proxy.isUnreached()]).toEqual([[], false])
  proxy.close()
})

test('a tunnel leads to its origin alone, and a server that is not there is known', async () => {
  const proxy = await startForwardProxy(gitAddress(`https://git.example:${port}/x`), '127.0.0.1')
  expect(await ask(proxy.url, 'CONNECT', `git.example:${port}`)).toBe(200)
  for (const authority of [`127.0.0.1:${port}`, `git.example:${port + 1}`, `other.example:${port}`])
    expect(await ask(proxy.url, 'CONNECT', authority), authority).toBe(403)
  expect(await ask(proxy.url, 'GET', `https://git.example:${port}/x`), 'without a tunnel').toBe(403)
  expect([heard, proxy.isUnreached()]).toEqual([[], false])
  proxy.close()
  const nowhere = await startForwardProxy(gitAddress('https://git.example:1/x'), '127.0.0.1')
  await expect(ask(nowhere.url, 'CONNECT', 'git.example:1')).rejects.toThrow()
  expect(nowhere.isUnreached()).toBe(true)
  nowhere.close()
})
