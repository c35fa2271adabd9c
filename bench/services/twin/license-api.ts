/**
 * Activation and heartbeat: the signatures verified over the whole message (HMAC-SHA256 of the license, Ed25519 of the
 * panel), the body's digest compared, the nonce stored before anything is done, the license read with the service's
 * SELECT, and a lease signed with Ed25519. A heartbeat updates one row, an activation writes all rows of the service in
 * one transaction. Every statement is named.
 *
 * Not done: rates, recognition of clones, slots, rules of a license's state, gathering of statements, seals (the
 * license's secret is in a table of the twin).
 */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Pool, QueryResultRow as Row } from 'pg'
import { coveredLines, digestOf, isLicenses, isPanels, signaturesOf } from './license-signatures.ts'
import type { Asked, Handler, TwinSettings } from './process.ts'
import { inTransaction } from './provisioning.ts'
import { rowsOf } from './reads.ts'
import { rowWriter } from './write-rows.ts'

const LICENSE = `
  SELECT k.key_id, k.license_id, k.subscription_id, k.k, k.is_current, k.until,
    t.features, t.offline_days, t.heartbeat_seconds, l.customer_id, l.plan_slug, l.key_id AS current_key_id, l.status, l.seq,
    l.expires_at, l.grace_ends_at, l.reason, l.replaced_by, l.max_activations,
    s.status AS subscription_status, s.license_id AS current_license_id, c.status AS customer_status,
    i.id AS instance_id, i.status AS instance_status, i.version, i.os, i.arch, i.key_thumbprint, i.public_key,
    i.fingerprint_hash, i.activated_at, i.deactivated_at, i.clone_suspected, secret.k AS secret
  FROM read.license_keys AS k
  INNER JOIN bare.license_secret AS secret ON secret.key_id = k.key_id
  LEFT JOIN read.licenses AS l ON l.id = k.license_id
  LEFT JOIN read.lease_terms AS t ON t.license_id = k.license_id
  LEFT JOIN read.subscriptions AS s ON s.id = k.subscription_id
  LEFT JOIN read.customers AS c ON c.id = l.customer_id
  LEFT JOIN read.instances AS i ON i.id = $2 AND i.subscription_id = k.subscription_id
  WHERE k.key_id = $1`
const NONCE = 'INSERT INTO bare.request_nonce (hash) VALUES ($1) ON CONFLICT DO NOTHING RETURNING hash'
const HEARD = `
  INSERT INTO bare.heartbeat AS h (instance_id, at, lease, prev, usage, paid_until, due_at)
  VALUES ($1, $2, $3, $4, $5, $2, $6)
  ON CONFLICT (instance_id) DO UPDATE SET at = excluded.at, lease = excluded.lease, prev = excluded.prev,
    due_at = excluded.due_at, usage = coalesce(excluded.usage, h.usage), forked = coalesce(excluded.prev <> h.lease, false)
  RETURNING forked`

/** In seconds. */
const SIGNATURE_MAX = 300
const DAY = 86_400

interface Known {
  readonly license: Row
  readonly nonce: string
  readonly body: Row
}

/** @returns what verifies a request: undefined for one that is refused */
function authentication(pool: Pool, authority: string): (asked: Asked) => Promise<Known | undefined> {
  const find = rowsOf(pool, 'license', LICENSE)
  const takeNonce = rowsOf(pool, 'nonce', NONCE)
  return async (asked) => {
    const signatures = signaturesOf(asked)
    const [license] = await find(signatures.keyId, signatures.instanceId)
    if (!license?.['is_current'] || Math.abs(signatures.created - Date.now() / 1_000) > SIGNATURE_MAX) return undefined
    const body = await asked.body()
    const lines = coveredLines(asked, authority)
    if (!isLicenses(license, lines, signatures) || !isPanels(license, lines, signatures)) return undefined
    if (asked.header('content-digest') !== digestOf(body)) return undefined
    const nonce = createHash('sha256').update(`${signatures.keyId} ${signatures.nonce}`).digest()
    if ((await takeNonce(nonce)).length === 0) return undefined
    return { license, nonce: signatures.nonce, body: JSON.parse(body) }
  }
}

interface LeaseTerms extends Omit<Known, 'body'> {
  readonly authority: string
  readonly instance: Row
  readonly prev: string | null
}

interface Lease {
  readonly id: string
  readonly at: string
  readonly dueAt: string
  /** The body of the answer. */
  readonly answer: string
}

function leaseOf({ authority, license, instance, nonce, prev }: LeaseTerms, key: KeyObject): Lease {
  const now = Math.floor(Date.now() / 1_000)
  const id = randomBytes(17).toString('base64url').slice(0, 22)
  const due = now + Number(license['heartbeat_seconds'])
  const claims = {
    iss: `http://${authority}`,
    aud: 'daybook-panel',
    ver: 1,
    sub: instance['id'],
    jti: id,
    lic: license['key_id'],
    fph: instance['fingerprint_hash'],
    st: 'OK',
    rsn: null,
    seq: Number(license['seq']),
    iat: now,
    exp: Math.min(now + Number(license['offline_days']) * DAY, license['grace_ends_at'].getTime() / 1_000),
    nhb: due,
    ft: license['features'],
    warn: [],
    req: createHash('sha256').update(nonce).digest('base64url'),
    prev,
    cnf: { jkt: instance['key_thumbprint'] },
    crl: 0,
  }
  const [at, dueAt] = [new Date().toISOString(), new Date(due * 1_000).toISOString()]
  const answer = {
    instance: instanceView(license, instance, at, dueAt),
    lease: signedJws(claims, key),
    nextHeartbeatAt: dueAt,
    licenseKey: null,
    serverTime: at,
  }
  return { id, at, dueAt, answer: JSON.stringify(answer) }
}

const instanceView = (license: Row, instance: Row, at: string, dueAt: string) => ({
  id: instance['id'],
  licenseId: license['license_id'],
  status: 'ACTIVE',
  version: instance['version'],
  os: instance['os'],
  arch: instance['arch'],
  keyThumbprint: instance['key_thumbprint'],
  activatedAt: instance['activated_at'],
  deactivatedAt: null,
  lastHeartbeatAt: at,
  nextHeartbeatDueAt: dueAt,
})

const HEADER = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'k'.repeat(43), typ: 'daybook-lease+jwt' })).toString(
  'base64url',
)

function signedJws(claims: object, key: KeyObject): string {
  const text = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}

export function licenseApi(
  pool: Pool,
  { authority, activated }: TwinSettings,
): { activate: Handler; heartbeat: Handler } {
  const authenticated = authentication(pool, authority)
  const rows = rowWriter(activated)
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    async heartbeat(asked) {
      const known = await authenticated(asked)
      if (!known || known.license['instance_id'] !== known.body['instanceId']) return undefined
      const { prevLease: prev } = known.body
      const instance = { ...known.license, id: known.license['instance_id'] }
      const { id, at, dueAt, answer } = leaseOf({ ...known, authority, instance, prev }, privateKey)
      await pool.query({ name: 'heard', text: HEARD, values: [instance.id, at, id, prev, null, dueAt] })
      return { status: 200, body: answer }
    },
    async activate(asked) {
      const known = await authenticated(asked)
      if (!known) return undefined
      const fresh = rows.fresh()
      const instance = newInstance(JSON.parse(rows.answer(fresh)).instance.id, known.body)
      const { id, at, dueAt, answer } = leaseOf({ ...known, authority, instance, prev: null }, privateKey)
      await inTransaction(pool, async (client) => {
        await rows.write(client, fresh)
        await client.query({ name: 'heard', text: HEARD, values: [instance.id, at, id, null, null, dueAt] })
      })
      return { status: 201, body: answer }
    },
  }
}

const base64Hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

const newInstance = (id: string, { instance, instanceKey, fingerprint }: Row) => ({
  id,
  version: instance.version,
  os: instance.os,
  arch: instance.arch,
  activated_at: new Date(),
  key_thumbprint: base64Hash(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x: instanceKey.x })),
  fingerprint_hash: `fp1:${base64Hash(JSON.stringify(Object.entries(fingerprint.components)))}`,
})
