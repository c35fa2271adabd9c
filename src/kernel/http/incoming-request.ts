/** The raw request, for authentication schemes that need more than one header, such as message signatures. */
import type { IncomingMessage } from 'node:http'
import { readBytes } from './body-reader.ts'
import type { RequestSlots } from './limits/load.ts'

export interface IncomingRequest {
  readonly method: string
  /** Path and query as on the request line. */
  readonly target: string
  /**
   * @param name in lower case
   * @returns all values of the header
   */
  header(name: string): readonly string[]
  /**
   * Reads the body at the first call and keeps it.
   * @throws Rejection 408 | 413 | 415 | 503
   */
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
