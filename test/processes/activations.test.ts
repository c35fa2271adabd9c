/**
 * The service is killed with SIGKILL while panels activate. The test keeps its own ledger of acknowledged
 * activations: no slot is lost.
 */
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#test/support/free-port'
import { signedHeaders } from '../../src/license-client/signed-request.ts'
import { BASE_URL, openSite, signIn, statuses } from '../support/processes/site.ts'
import type { Reply, Service } from '../support/processes/site.ts'

const LICENSES = 60
const CAP = 3
/** One panel more than the licenses allow. */
const PANELS = LICENSES * (CAP + 1)
const LANES = 24
const RETRY_MS = 20
const ACTIVATE = '/api/v1/license/activate'

const site = await openSite()
afterAll(() => site.close(), 60_000)
const port = await freePort()
let current: Promise<Service> = site.service(port)
let unanswered = 0
const killedAt = [40, 110, 170]

async function licenses(): Promise<string[]> {
  const { call } = await current
  const as = await signIn(await current)
  const plan = { slug: 'killed', name: 'Killed', maxActivations: CAP }
  expect((await call('POST', '/api/admin/plans', { as, body: plan })).status).toBe(201)
  const keys: string[] = []
  for (let nth = 0; nth < LICENSES; nth += 1) {
    const body = { email: `killed-${nth}@customer.test`, planSlug: plan.slug }
    keys.push((await call('POST', '/api/admin/provisioning', { as, body })).body.licenseKey)
  }
  return keys
}

interface SomePanel {
  readonly license: { keyId: string; k: Buffer }
  readonly body: Buffer
}

function panelOf(licenseKey: string): SomePanel {
  const { jti, k } = JSON.parse(Buffer.from(licenseKey.split('.')[1]!, 'base64url').toString())
  const { kty, crv, x } = createPublicKey(generateKeyPairSync('ed25519').privateKey).export({ format: 'jwk' })
  const components = { install: randomBytes(16).toString('base64url') }
  const instance = { name: 'web', hostname: 'web.test', version: '1.0.0', os: 'linux', arch: 'x64' }
  const body = { fingerprint: { scheme: 'fp1', components }, instance, instanceKey: { kty, crv, x } }
  return { license: { keyId: jti, k: Buffer.from(k, 'base64url') }, body: Buffer.from(JSON.stringify(body)) }
}

/**
 * Repeats the request until there is an answer. Each request is signed anew, as a panel does after a lost
 * connection.
 */
async function activated({ license, body }: SomePanel): Promise<Reply> {
  for (;;) {
    const { call } = await current
    const url = new URL(ACTIVATE, BASE_URL)
    const headers = signedHeaders({ method: 'POST', url, body, license, at: new Date() })
    try {
      return await call('POST', ACTIVATE, { body: JSON.parse(String(body)), headers })
    } catch {
      unanswered += 1
      await pause(RETRY_MS)
    }
  }
}

test(`kill -9 after ${killedAt.join(', ')} answers loses no acknowledged slot and doubles none`, async () => {
  const keys = await licenses()
  const panels = Array.from({ length: PANELS }, (_, nth) => panelOf(keys[nth % LICENSES]!))
  const replies = new Map<SomePanel, Reply>()
  const left = [...panels]
  const lane = async () => {
    for (let panel = left.shift(); panel; panel = left.shift()) replies.set(panel, await activated(panel))
  }
  const killing = async () => {
    for (const answers of killedAt) {
      const service = await current
      while (replies.size < answers) await pause(1)
      service.child.kill('SIGKILL')
      current = service.ended().then(() => site.service(port))
    }
    await current
  }
  await Promise.all([killing(), ...Array.from({ length: LANES }, lane)])
  expect(unanswered).toBeGreaterThanOrEqual(killedAt.length)
  // A panel whose answers were lost repeatedly may have sent too many requests.
  expect(
    Object.keys(statuses([...replies.values()])).every((each) => ['200', '201', '409', '429'].includes(each)),
  ).toBe(true)

  await site.settled()
  const { rows } = await site.superuser.query(
    `SELECT i.id, k.key_id FROM read.instances AS i JOIN read.license_keys AS k USING (license_id) WHERE i.status = 'ACTIVE'`,
  )
  const held = Map.groupBy(rows as { id: string; key_id: string }[], (row) => row.key_id)
  const alive = new Set(rows.map(({ id }) => id))
  for (const { body } of replies.values()) if (body.instance) expect(alive).toContain(body.instance.id)
  for (const [keyId, own] of Map.groupBy(panels, ({ license }) => license.keyId)) {
    const isFull = own.some((panel) => replies.get(panel)!.status === 409)
    const number = held.get(keyId)?.length ?? 0
    expect(number).toBeLessThanOrEqual(CAP)
    if (isFull) expect(number).toBe(CAP)
  }
}, 180_000)

test('the history is whole, and read models rebuilt from it equal the live ones', async () => {
  expect(await site.finished(['doctor'])).toMatchObject({ code: 0 })
  await site.rebuiltEqualsLive()
}, 60_000)
