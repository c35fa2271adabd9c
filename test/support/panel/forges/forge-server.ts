/** A server that answers as the REST API of a git provider does, at an address of this host. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export const FORGE_TOKEN = 'canary-token-of-a-forge-0123456789'

export interface ForgeRequest {
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Of this server, without a slash at its end. */
  readonly url: string
}

export class ForgeAnswer {
  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown) {
    this.status = status
    this.body = body
  }
}

export const notFound = (message: string) => new ForgeAnswer(404, { message })

/** @returns the JSON or the bytes of a 200, or another answer */
export type ForgeApi = (request: ForgeRequest) => unknown

export async function forgeServer(base: string, api: ForgeApi) {
  const heard: string[] = []
  let failing: ForgeAnswer | undefined
  const server = createServer((request, response) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { pathname, searchParams } = new URL(request.url!, url)
    heard.push(request.url!)
    const isApi = request.method === 'GET' && pathname.startsWith(`${base}/`)
    const segments = pathname
      .slice(base.length + 1)
      .split('/')
      .map(decodeURIComponent)
    const asked = { segments, query: searchParams, headers: request.headers, url }
    const given = failing ?? (isApi ? api(asked) : notFound('no such path'))
    const { status, body } = given instanceof ForgeAnswer ? given : new ForgeAnswer(200, given)
    const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json'
    response.writeHead(status, { 'Content-Type': type }).end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    /** Path and query of each request. */
    heard,
    /** Every request is answered so, until it is undefined. */
    fail: (answer: ForgeAnswer | undefined) => void (failing = answer),
    close: () => server[Symbol.asyncDispose](),
  }
}

/** Refuses parameters that the published API does not have. */
export function onlyTakes(query: URLSearchParams, ...names: readonly string[]): void {
  for (const name of query.keys()) if (!names.includes(name)) throw new Error(`The API has no parameter ${name}`)
}

export const pageOf = <Item>(all: readonly Item[], query: URLSearchParams, size: string, most: number): Item[] => {
  const [page, perPage] = [Number(query.get('page') ?? 1), Math.min(most, Number(query.get(size) ?? 30))]
  return all.slice((page - 1) * perPage, page * perPage)
}

export const idOf = (text: string | Buffer): string => createHash('sha1').update(text).digest('hex')
