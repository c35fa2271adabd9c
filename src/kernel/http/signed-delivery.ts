/**
 * The way in `webhook`: a caller that proves itself by a signature over the bytes of its body. Whatever is wrong with
 * it, the answer is one 401 that comes after the same time, so that it tells nothing of what exists.
 */
import { withConstantTimeRefusal } from '../credentials/constant-time.ts'
import { Rejection } from '../lib/rejection.ts'
import type { AuthenticationScheme } from './gate.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { bytesBody } from './route.ts'
import type { Access, Caller } from './route.ts'

/** The name of the scheme, and the kind of its callers. */
export const WEBHOOK = 'webhook'

const DELIVERY_BYTES_MAX = 8 * 1024 * 1024
/** Longer than the check takes on an idle machine. */
const REFUSAL_MS = 100

export const bySignature: Access = { kinds: [WEBHOOK], scheme: WEBHOOK }

/** The body of such a route: at most 8 MiB. */
export const deliveryBody = bytesBody(DELIVERY_BYTES_MAX)

export interface SignedDelivery {
  /** Path and query as on the request line. */
  readonly target: string
  /** Undefined for a header that is absent, or that is sent twice. */
  header(name: string): string | undefined
  readonly body: Buffer
  /** The database’s time. */
  readonly now: Date
}

/** @param verify returns undefined for whatever is wrong; it takes as long for what does not exist */
export const deliveryAuthentication = (
  verify: (delivery: SignedDelivery) => Promise<Caller | undefined>,
): AuthenticationScheme => ({
  challenge: { 'WWW-Authenticate': 'Signature' },
  /** Where it is delivered to: a receiver that has accepted a delivery is not slowed by the failures of its neighbours. */
  credential: ({ request }) => request?.target ?? '',
  async authenticate({ request, now }) {
    if (!request) return undefined
    const body = await request.largeBody(DELIVERY_BYTES_MAX)
    const header = (name: string) => onlyOf(request, name)
    return withConstantTimeRefusal(REFUSAL_MS, async () => {
      const caller = await verify({ target: request.target, header, body, now })
      if (!caller) throw new Rejection('unauthenticated', 'Invalid signature', 'SIGNATURE_INVALID')
      return caller
    })
  },
})

function onlyOf(request: IncomingRequest, name: string): string | undefined {
  const values = request.header(name)
  return values.length === 1 ? values[0] : undefined
}
