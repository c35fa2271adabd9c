/** The raw request, for authentication schemes that need more than one header, such as message signatures. */
import type { IncomingMessage } from 'node:http'
import { BODY_BYTES_MAX, readBytes } from './body-reader.ts'
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
  /** As `body`. Of those with more than 100 KiB, or of unknown length, a process receives 4 at once. */
  largeBody(limit: number): Promise<Buffer>
}

const mayBeLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX

export function incomingRequest(request: IncomingMessage, stay: RequestSlots): IncomingRequest {
  let body: Promise<Buffer> | undefined
  const read = (limit?: number) => readBytes(request, limit)
  const receive = (limit: number | undefined, isLarge: boolean) =>
    (body ??= request.complete ? read(limit) : stay.body(() => read(limit), isLarge))
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    header: (name) => request.headersDistinct[name] ?? [],
    body: (limit) => receive(limit, false),
    largeBody: (limit) => receive(limit, mayBeLarge(request)),
  }
}
