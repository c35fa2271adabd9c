/** The request as it came, for who has to show more than a header to say who he is. */
import type { IncomingMessage } from 'node:http'
import { readBytes } from './body-reader.ts'
import type { RequestSlots } from './limits/load.ts'

export interface IncomingRequest {
  readonly method: string
  /** Path and query as on the request line. */
  readonly target: string
  /** All values of a header, named in lower case. */
  header(name: string): readonly string[]
  /** Read when it is first asked for, and then kept. @throws Rejection 408 | 413 | 415 | 503 */
  body(limit?: number): Promise<Buffer>
}

export function incomingRequest(request: IncomingMessage, stay: RequestSlots): IncomingRequest {
  let body: Promise<Buffer> | undefined
  const read = (limit?: number) => readBytes(request, limit)
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    header: (name) => request.headersDistinct[name] ?? [],
    body: (limit) => (body ??= request.complete ? read(limit) : stay.body(() => read(limit))),
  }
}
