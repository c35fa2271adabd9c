/**
 * Authenticates requests that are signed with a license key (licensing.md 7, security.md 2.8). The
 * order is fixed: cheap checks first, the body only after the signature, the nonce last, so that
 * strangers cannot fill the nonce store. All faults get the same reply; the log has the reason.
 */
import { createSecretKey, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { publicKeyOf } from '#kernel/credentials/jws'
import { NonceStore } from '#kernel/credentials/nonces'
import type { NonceUse } from '#kernel/credentials/nonces'
import { RateLimiter } from '#kernel/credentials/rate-limit'
import type { AuthenticationScheme } from '#kernel/http/gate'
import type { IncomingRequest } from '#kernel/http/incoming-request'
import {
  innerListOf,
  contentDigest,
  coveredComponents,
  isEd25519,
  isHmacSha256,
  receivedSignatures,
  signatureBase,
} from '#kernel/http/message-signature'
import type { ReceivedSignature, SignatureComponent, SignedMessage } from '#kernel/http/message-signature'
import type { RequestHead, HandlerContext, Caller } from '#kernel/http/route'
import { LruMap } from '#kernel/lib/lru-map'
import { Rejection } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import { REQUEST_SECRET } from '#projections/licensing/license-api/keys'
import { findPresentedKey } from '#projections/licensing/license-api/presented-key'
import type { PresentedInstance, PresentedKey } from '#projections/licensing/license-api/presented-key'
import {
  INSTANCE_LABEL,
  LICENSE_LABEL,
  SIGNATURE_SECONDS_MAX,
  SIGNATURE_TAG,
} from '../../license-client/signed-request.ts'
import { instanceIn, licenseSlots } from '../instances/decider.ts'
import { Heartbeats } from '../instances/heartbeats.ts'
import { LeaseSigner } from '../workflows/leases/lease-signer.ts'
import { LICENSE_SIGNED } from './access.ts'

const HEADER_BYTES_MAX = 8 * 1024
const BODY_BYTES_MAX = 64 * 1024
const HOUR_SECONDS = 3_600
const KEYS_MAX = 20_000
/** Signatures verified for each heartbeat, or each request of a key, that the limits allow. */
const INSTANCE_FACTOR = 4
const KEY_FACTOR = 2

export interface LicenseApiLimits {
  /**
   * Per instance. The license key has the same limit for each instance that its license allows.
   * Default 12.
   */
  readonly heartbeatsPerHour?: number
  /**
   * Per license key, at least the number of instances that its license allows; also per instance
   * that activates again. Default 10.
   */
  readonly activationsPerHour?: number
  /** Per address. Default 30. */
  readonly failuresPerMinute?: number
}

export interface LicenseAuthenticationDependencies {
  readonly pool: Pool
  /** Read models, for look-ups by key. */
  readonly read: ReadDatabase
  readonly vault: Vault
  readonly baseUrl: string
  /** Runs a unit of work that only reads streams, without a caller. */
  readonly run: <Result>(work: (unit: UnitOfWork) => Promise<Result>) => Promise<Result>
  readonly limits?: LicenseApiLimits | undefined
}

/**
 * A caller who holds the secret of a license key, and, if the request has a second signature, the
 * key of an instance.
 */
export interface LicenseCaller extends Caller {
  readonly presented: PresentedKey
  readonly instance: PresentedInstance | undefined
  readonly nonce: string
  readonly heartbeats: Heartbeats
  readonly leases: LeaseSigner
  /**
   * @param ownId the instance with its own share of the limit; absent: the license key's share is
   * used.
   * @throws Rejection 429
   */
  limit(what: 'activations' | 'requests', now: Date, ownId?: string): Promise<void>
}

export function licenseCallerOf({ caller }: Pick<HandlerContext, 'caller'>): LicenseCaller {
  if (caller.kind !== LICENSE_SIGNED) throw new Error(`Expected a caller that signs requests, got ${caller.kind}`)
  return caller as LicenseCaller
}

const MESSAGE = 'Invalid license signature'
/** RFC 9421, 5.1: the signature parameters that are accepted, for `Accept-Signature`. */
const ACCEPTED_SIGNATURE = `${LICENSE_LABEL}=("@method" "@authority" "@path" "@query" "content-type" "content-digest");created;expires;nonce;keyid;alg="hmac-sha256";tag="${SIGNATURE_TAG}"`
const CHALLENGE = { 'WWW-Authenticate': 'Signature', 'Accept-Signature': ACCEPTED_SIGNATURE }

/** All faults of a signature get the same reply. `reason` goes to the log. */
export function refuseSignature(reason: string): never {
  const refusal = new Rejection('unauthenticated', MESSAGE, 'LICENSE_SIGNATURE_INVALID', CHALLENGE)
  refusal.cause = new Error(reason)
  throw refusal
}

/**
 * A panel with a wrong clock can correct this fault itself: it signs again with the service's time.
 */
function refuseTime(now: Date): never {
  throw new Rejection('unauthenticated', MESSAGE, 'CLOCK_SKEW', { Date: now.toUTCString() })
}

const KEY_IDS = /;keyid="([^"]{1,64})"/g
/**
 * Key ids of the license and of the instance, so that a caller with only the license key is not
 * mistaken for the instance.
 */
const keyIdsOf = (request: IncomingRequest | undefined): string =>
  [...joined(request, 'signature-input').matchAll(KEY_IDS)].map(([, keyId]) => keyId).join(' ')

/** Authentication for the license API. */
export function licenseAuthentication(parts: LicenseAuthenticationDependencies): AuthenticationScheme {
  const { pool, read, run, limits = {} } = parts
  const { heartbeatsPerHour = 12, activationsPerHour = 10, failuresPerMinute = 30 } = limits
  const rates = new RateLimiter(pool)
  const tools = {
    nonces: new NonceStore(pool),
    heartbeats: new Heartbeats(pool, { name: 'heartbeats', max: heartbeatsPerHour, perSeconds: HOUR_SECONDS }),
    leases: new LeaseSigner({ run, read }),
    authority: new URL(parts.baseUrl).host,
  }
  const mostOf = ({ license: { maxActivations } }: PresentedKey) => ({
    activations: Math.max(activationsPerHour, maxActivations),
    requests: heartbeatsPerHour * maxActivations,
  })
  const ofInstance = { activations: activationsPerHour, requests: heartbeatsPerHour }
  // An instance has its own share, here and below: a caller with only the license key cannot use up
  // the share of a running panel.
  const limiting =
    (presented: PresentedKey): LicenseCaller['limit'] =>
    (what, now, ownId) => {
      const max = (ownId === undefined ? mostOf(presented) : ofInstance)[what]
      return rates.take({ name: what, max, perSeconds: HOUR_SECONDS }, ownId ?? presented.keyId, now)
    }
  const signing: NonceShareOf = (presented, instance) => {
    const { activations, requests } = mostOf(presented)
    const max = instance ? INSTANCE_FACTOR * heartbeatsPerHour : KEY_FACTOR * (activations + requests)
    return { signer: instance?.id ?? presented.keyId, rate: { name: 'signatures', max, perSeconds: HOUR_SECONDS } }
  }
  return {
    async authenticate(arrival) {
      const { presented, instance, nonce } = await verifySignatures(arrival, { ...parts, ...tools, signing })
      return {
        kind: LICENSE_SIGNED,
        actor: { type: 'LICENSE', id: presented.licenseId },
        can: () => false,
        forbiddenMessage: 'This endpoint is not available to license keys.',
        presented,
        instance,
        nonce,
        heartbeats: tools.heartbeats,
        leases: tools.leases,
        limit: limiting(presented),
      } satisfies LicenseCaller
    },
    credential: ({ request }) => keyIdsOf(request),
    challenge: CHALLENGE,
    failures: { perMinute: failuresPerMinute },
  }
}

/**
 * The share of the nonce store of one signer: more than the limits ever allow, and bounded in
 * memory.
 */
type NonceShareOf = (
  presented: PresentedKey,
  instance: PresentedInstance | undefined,
) => Pick<NonceUse, 'signer' | 'rate'>

interface VerificationDependencies extends LicenseAuthenticationDependencies {
  readonly signing: NonceShareOf
  readonly nonces: NonceStore
  readonly authority: string
}

/** An unknown secret: verifying an unknown key costs as much as a known one and always fails. */
const DUMMY_SECRET = createSecretKey(randomBytes(32))

async function verifySignatures({ request, now }: RequestHead, tools: VerificationDependencies) {
  if (!request) throw new Error('A signature cannot be verified without its request')
  const { message, lic, inst } = signaturesOf(request, tools.authority)
  const { keyid: keyId, nonce } = lic.parameters
  const known = await findPresentedKey(tools.read, { keyId, instanceId: inst?.parameters.keyid ?? null })
  const presented = known && isAlive(known, now) ? known : undefined
  if (!isTimely(lic.parameters, now) || (inst && !isTimely(inst.parameters, now))) refuseTime(now)
  const secret = presented ? await secretOf(presented, tools.vault) : DUMMY_SECRET
  const holds = isHmacSha256(secret, signatureBase(lic.covered, lic.input), lic.signature)
  if (!presented) return refuseSignature('unknown key')
  if (!holds) refuseSignature('wrong signature')
  const instance = inst && (await signingInstance(presented, inst, tools))
  if (contentDigest(await request.body(BODY_BYTES_MAX)) !== message.contentDigest) refuseSignature('wrong digest')
  const use = { keyId, nonce, ...tools.signing(presented, instance), now }
  if (!(await tools.nonces.take(use))) refuseSignature('used nonce')
  return { presented, instance, nonce }
}

/** A leaked key is dead at once; a key that was replaced by routine is valid for a while. */
const isAlive = ({ isCurrent, until }: PresentedKey, now: Date): boolean =>
  isCurrent || (until !== null && Date.parse(until) > now.getTime())

/**
 * By ciphertext, the most recent ones: opening a secret costs more than using it. The row decides
 * each time whether the key is valid.
 */
const requestSecrets = new LruMap<KeyObject>(KEYS_MAX)

async function secretOf({ k }: PresentedKey, vault: Vault): Promise<KeyObject> {
  const known = requestSecrets.get(k)
  if (known) return known
  const opened = createSecretKey(Buffer.from(await vault.open(k, REQUEST_SECRET), 'base64url'))
  requestSecrets.set(k, opened)
  return opened
}

interface Times {
  readonly created?: number | undefined
  readonly expires?: number | undefined
}

function isTimely({ created, expires }: Times, now: Date): boolean {
  const seconds = now.getTime() / 1000
  if (created !== undefined && Math.abs(created - seconds) > SIGNATURE_SECONDS_MAX) return false
  return expires === undefined || expires > seconds
}

/** The read model may lag behind an activation, so the stream is read as a fallback. */
async function signingInstance(
  presented: PresentedKey,
  inst: ParsedSignature<typeof InstanceParameters>,
  { run }: VerificationDependencies,
): Promise<PresentedInstance> {
  const { keyid: instanceId } = inst.parameters
  const instance = presented.instance ?? (await newestInstance(run, presented.subscriptionId, instanceId))
  if (!instance) return refuseSignature('unknown instance')
  const publicKey = keyOf(instance)
  const base = signatureBase(inst.covered, inst.input)
  return isEd25519(publicKey, base, inst.signature)
    ? instance
    : refuseSignature('the signature of the instance does not match')
}

/** The most recent ones: parsing a key costs half as much as verifying with it. */
const instanceKeys = new LruMap<KeyObject>(KEYS_MAX)

function keyOf({ publicKey: x }: PresentedInstance): KeyObject {
  const known = instanceKeys.get(x)
  if (known) return known
  const made = publicKeyOf({ kty: 'OKP', crv: 'Ed25519', x })
  instanceKeys.set(x, made)
  return made
}

async function newestInstance(
  run: LicenseAuthenticationDependencies['run'],
  subscriptionId: string,
  instanceId: string,
): Promise<PresentedInstance | undefined> {
  const slots = await run((unit) => unit.look(licenseSlots, subscriptionId))
  const known = instanceIn(slots, instanceId)
  return known && { ...known, deactivatedAt: null, cloneSuspected: known.flags.includes('CLONE_SUSPECTED') }
}

const seconds = z.int().nonnegative()

const LicenseParameters = z
  .strictObject({
    created: seconds,
    expires: seconds,
    nonce: z.string().regex(/^[A-Za-z0-9+/_-]{22,64}={0,2}$/),
    keyid: z.string().regex(/^lic_[A-Za-z0-9]{1,60}$/),
    alg: z.literal('hmac-sha256'),
    tag: z.literal(SIGNATURE_TAG),
  })
  .refine(({ created, expires }) => expires > created && expires - created <= SIGNATURE_SECONDS_MAX)

/** The instance's signature covers the license's signature, and with it its time and nonce. */
const InstanceParameters = z.strictObject({
  created: seconds.optional(),
  expires: seconds.optional(),
  nonce: z.string().max(88).optional(),
  keyid: uuid,
  alg: z.literal('ed25519').optional(),
  tag: z.literal(SIGNATURE_TAG).optional(),
})

type ParsedSignature<Schema extends z.ZodType> = Omit<ReceivedSignature, 'parameters'> & {
  readonly parameters: z.output<Schema>
  readonly covered: readonly SignatureComponent[]
}

/**
 * The signatures to verify, each in its only accepted form.
 * @throws Rejection 401
 */
function signaturesOf(request: IncomingRequest, authority: string) {
  const inputs = joined(request, 'signature-input')
  const signatures = joined(request, 'signature')
  const contentDigest = singleHeader(request, 'content-digest')
  if (inputs.length + signatures.length + contentDigest.length > HEADER_BYTES_MAX)
    refuseSignature('the signature fields are too long')
  const received = receivedSignatures(inputs, signatures)
  const lic = received?.get(LICENSE_LABEL)
  const inst = received?.get(INSTANCE_LABEL)
  if (!received || !lic || received.size !== (inst ? 2 : 1))
    return refuseSignature('the signature of the license is missing')
  const [path = '', ...query] = request.target.split('?')
  const message: SignedMessage = {
    method: request.method,
    authority,
    path,
    query: `?${query.join('?')}`,
    contentType: singleHeader(request, 'content-type'),
    contentDigest,
  }
  const ofLicense = { ...lic, covered: coveredComponents(message) }
  const ofInstance = inst && { ...inst, covered: coveredComponents(message, lic) }
  if (lic.components !== innerListOf(ofLicense.covered))
    refuseSignature('the signature of the license covers other components')
  if (ofInstance && ofInstance.components !== innerListOf(ofInstance.covered))
    refuseSignature('the signature of the instance covers other components')
  return {
    message,
    lic: parametersOf(ofLicense, LicenseParameters),
    inst: ofInstance && parametersOf(ofInstance, InstanceParameters),
  }
}

function parametersOf<Schema extends z.ZodType>(
  { parameters, ...rest }: ReceivedSignature & Pick<ParsedSignature<Schema>, 'covered'>,
  schema: Schema,
): ParsedSignature<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(parameters))
  return parsed.success
    ? { ...rest, parameters: parsed.data }
    : refuseSignature('the signature has missing or wrong parameters')
}

/** RFC 9110, 5.3: several lines of one field are one list. */
const joined = (request: IncomingRequest | undefined, name: string): string => (request?.header(name) ?? []).join(', ')

function singleHeader(request: IncomingRequest, name: string): string {
  const [value, ...others] = request.header(name)
  return value !== undefined && others.length === 0 ? value : refuseSignature(`expected exactly one ${name} field`)
}
