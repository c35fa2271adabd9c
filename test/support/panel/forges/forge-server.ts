/** A server that answers as the REST API of a git provider does, at an address of this host. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export const FORGE_TOKEN = 'canary-token-of-a-forge-0123456789'

export interface ForgeRequest {
  readonly method: string
  /** JSON, undefined without any. */
  readonly body: unknown
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

export interface WebRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** What it serves beside the API, such as a sign-in. */
export interface ForgeWeb {
  /** Undefined: the API answers. */
  answer(request: WebRequest): ForgeAnswer | undefined
  /** The Authorization header as the API takes it. */
  authorization(sent: string | undefined): string | undefined
}

export async function forgeServer(base: string, api: ForgeApi, web?: ForgeWeb) {
  const heard: string[] = []
  let failing: ForgeAnswer | undefined
  const server = createServer(async (request, response) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { pathname, searchParams } = new URL(request.url!, url)
    heard.push(request.url!)
    const method = request.method!
    const given = await text(request)
    const isApi = pathname.startsWith(`${base}/`) && (method === 'GET' || pathname.includes('/hooks'))
    const segments = pathname
      .slice(base.length + 1)
      .split('/')
      .map(decodeURIComponent)
    const { headers: sent } = request
    const onWeb = web?.answer({ method, path: pathname, query: searchParams, headers: sent, text: given })
    const headers = web ? { ...sent, authorization: web.authorization(sent.authorization) } : sent
    const body = given === '' || onWeb ? undefined : JSON.parse(given)
    const asked = { method, body, segments, query: searchParams, headers, url }
    const answered = failing ?? onWeb ?? (isApi ? api(asked) : notFound('no such path'))
    const answer = answered instanceof ForgeAnswer ? answered : new ForgeAnswer(200, answered)
    const isBytes = Buffer.isBuffer(answer.body)
    const type = isBytes ? 'application/octet-stream' : 'application/json'
    response.writeHead(answer.status, { 'Content-Type': type }).end(isBytes ? answer.body : JSON.stringify(answer.body))
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
