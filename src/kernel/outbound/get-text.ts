/** Reads a short text from a URL that users have given. Redirects are not followed. */
import type { IncomingHttpHeaders } from 'node:http'
import type { OutboundPolicy } from './checked-connect.ts'
import { reasonOf, sendRequest } from './send-request.ts'

/** A longer answer is cut: no caller reads so much. */
const TEXT_BYTES_MAX = 65_536

export interface TextRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Bounds the whole call. */
  readonly signal: AbortSignal
}

export interface TextAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/**
 * @param reach undefined: any address may be called
 * @returns an error as a code of Node or a text of this service, never text from the other side
 */
export async function getText(
  { signal, ...call }: TextRequest,
  reach: OutboundPolicy | undefined,
): Promise<TextAnswer | { readonly error: string }> {
  try {
    const response = await sendRequest({ method: 'GET', ...call }, { reach, signal })
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > TEXT_BYTES_MAX) break
    }
    const text = Buffer.concat(pieces).toString('utf8', 0, TEXT_BYTES_MAX)
    return { status: response.statusCode!, headers: response.headers, text }
  } catch (error) {
    return { error: signal.aborted ? 'no response in time' : reasonOf(error) }
  }
}
