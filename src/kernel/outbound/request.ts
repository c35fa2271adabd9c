/** A call to a URL that users have given, whose answer is kept. Redirects are not followed. */
import type { IncomingHttpHeaders } from 'node:http'
import { AddressRefused } from './checked-connect.ts'
import type { OutboundPolicy } from './checked-connect.ts'
import { reasonOf, sendRequest } from './send-request.ts'
import type { OutgoingCall } from './send-request.ts'

const MIB = 1_048_576

export interface KeptCall extends OutgoingCall {
  /** Bounds the whole call. */
  readonly signal: AbortSignal
  /** The part of the answer that is kept, at most 1 MiB. Default: 1 MiB. */
  readonly bytesMax?: number
}

export interface KeptAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** False: the answer is longer, and its rest was not read. */
  readonly isWhole: boolean
}

export interface NoAnswer {
  /** A code of Node or a text of this service, never text from the other side. */
  readonly error: string
  readonly isAddressRefused: boolean
}

/**
 * Always resolves. The name is resolved once, and the connection goes to an address that was checked.
 * @param reach undefined: any address may be called
 */
export async function request(
  { signal, bytesMax = MIB, ...call }: KeptCall,
  reach: OutboundPolicy | undefined,
): Promise<KeptAnswer | NoAnswer> {
  const most = Math.min(bytesMax, MIB)
  try {
    const response = await sendRequest(call, { reach, signal })
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > most) break
    }
    const body = Buffer.concat(pieces).subarray(0, most)
    return { status: response.statusCode!, headers: response.headers, body, isWhole: bytes <= most }
  } catch (error) {
    const text = signal.aborted ? 'no response in time' : reasonOf(error)
    return { error: text, isAddressRefused: error instanceof AddressRefused }
  }
}
