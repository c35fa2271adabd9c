/** Answers as a container registry does, at an address of this host. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Manners = (request: IncomingMessage, response: ServerResponse) => void

export interface RegistryDouble {
  readonly address: string
  /** Path and Authorization of each request. */
  readonly heard: (readonly [path: string, authorization: string | undefined])[]
  answer(manners: Manners): void
  close(): Promise<unknown>
}

export async function registryDouble(): Promise<RegistryDouble> {
  const heard: RegistryDouble['heard'] = []
  let manners: Manners = (_request, response) => response.writeHead(404).end()
  const server = createServer((request, response) => {
    heard.push([request.url!, request.headers.authorization])
    manners(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answer: (next) => void (manners = next),
    close: () => server[Symbol.asyncDispose](),
  }
}

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Asks for Basic, and takes one login. */
export const byBasic =
  (username: string, password: string): Manners =>
  ({ headers: { authorization } }, response) =>
    authorization === basic(username, password)
      ? response.writeHead(200).end('{}')
      : response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="here"' }).end()

/** Asks for a token of a service at the realm. */
export const byToken =
  (realm: string, token: string): Manners =>
  ({ headers: { authorization } }, response) =>
    authorization === `Bearer ${token}`
      ? response.writeHead(200).end('{}')
      : response.writeHead(401, { 'WWW-Authenticate': `Bearer realm="${realm}",service="the registry"` }).end()
