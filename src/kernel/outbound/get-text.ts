/** Reads a short text from a URL that users have given. Redirects are not followed. */
import type { IncomingHttpHeaders } from 'node:http'
import type { OutboundPolicy } from './checked-connect.ts'
import { request } from './request.ts'
import type { KeptCall, NoAnswer } from './request.ts'

/** A longer answer is cut: no caller reads so much. */
const TEXT_BYTES_MAX = 65_536

export interface TextAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** @param reach undefined: any address may be called */
export async function getText(
  call: Pick<KeptCall, 'url' | 'headers' | 'signal'>,
  reach: OutboundPolicy | undefined,
): Promise<TextAnswer | NoAnswer> {
  const answer = await request({ ...call, method: 'GET', bytesMax: TEXT_BYTES_MAX }, reach)
  if ('error' in answer) return answer
  const { status, headers, body } = answer
  return { status, headers, text: body.toString() }
}
