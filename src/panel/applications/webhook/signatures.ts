/** How providers prove a delivery. Each has the secret of the application; what proves it is the header that they send. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignedDelivery } from '#kernel/http/signed-delivery'
import { isWebhookSigned } from '#kernel/outbound/standard-webhooks'

/** PLAIN: a sender of one's own, by Standard Webhooks 1.0.0. */
export type DeliverySender = 'GITHUB' | 'GITLAB' | 'GITEA' | 'BITBUCKET' | 'PLAIN'

type Delivery = Pick<SignedDelivery, 'header' | 'body' | 'now'>

interface Proof {
  readonly sender: DeliverySender
  isValid(secrets: readonly string[]): boolean
}

/** In constant time, for texts of the same length. */
const isSame = (one: string, other: string): boolean => {
  const [given, expected] = [Buffer.from(one), Buffer.from(other)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const hmacHex = (secret: string, body: Buffer): string => createHmac('sha256', secret).update(body).digest('hex')

/** All secrets are tried, so that it takes as long for each of them. */
const some = (secrets: readonly string[], is: (secret: string) => boolean): boolean => secrets.map(is).includes(true)

const byHmac = (sender: DeliverySender, given: string, { body }: Delivery, prefix = ''): Proof => ({
  sender,
  isValid: (secrets) => some(secrets, (secret) => isSame(given, prefix + hmacHex(secret, body))),
})

const SHA_256 = 'sha256='

/**
 * The one proof that counts; undefined without any. A provider that sends a signature and a token proves itself by the
 * signature. Sources: the webhook pages of GitHub, Gitea 1.23, Bitbucket Cloud and GitLab.
 */
function proofOf(delivery: Delivery): Proof | undefined {
  const { header, body, now } = delivery
  const gitea = header('x-gitea-signature')
  if (gitea !== undefined) return byHmac('GITEA', gitea, delivery)
  const gitHub = header('x-hub-signature-256')
  if (gitHub !== undefined) return byHmac('GITHUB', gitHub, delivery, SHA_256)
  const sender = header('x-gitlab-event') === undefined ? 'PLAIN' : 'GITLAB'
  const signature = header('webhook-signature')
  if (signature !== undefined) {
    const message = { id: header('webhook-id') ?? '', timestamp: header('webhook-timestamp') ?? '', signature, body }
    return { sender, isValid: (secrets) => isWebhookSigned(message, secrets, now) }
  }
  const token = header('x-gitlab-token')
  if (token !== undefined)
    return { sender: 'GITLAB', isValid: (secrets) => some(secrets, (secret) => isSame(token, secret)) }
  const bitbucket = header('x-hub-signature')
  return bitbucket === undefined ? undefined : byHmac('BITBUCKET', bitbucket, delivery, SHA_256)
}

/** @returns who has sent it; undefined if nothing proves it. It takes as long for secrets that do not exist. */
export function senderOf(delivery: Delivery, secrets: readonly string[]): DeliverySender | undefined {
  const proof = proofOf(delivery)
  return proof?.isValid(secrets) === true ? proof.sender : undefined
}

/** The header that names a delivery. Every other try has the same one. */
const ID_HEADERS: Readonly<Record<DeliverySender, readonly string[]>> = {
  GITHUB: ['x-github-delivery'],
  GITEA: ['x-gitea-delivery'],
  GITLAB: ['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'],
  BITBUCKET: ['x-request-uuid'],
  PLAIN: ['webhook-id'],
}
const ID = /^[\x21-\x7e]{1,200}$/

/** Null: it has none. */
export const deliveryIdOf = (sender: DeliverySender, header: SignedDelivery['header']): string | null =>
  ID_HEADERS[sender].map(header).find((id) => id !== undefined && ID.test(id)) ?? null
