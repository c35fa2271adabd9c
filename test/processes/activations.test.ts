/** The service is killed without warning while panels activate. What was acknowledged is the test's own ledger: no slot is lost. */
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#test/free-port'
import { signedHeaders } from '../../src/license-client/signed-request.ts'
import { BASE_URL, openSite, signIn } from './site.ts'
import type { Reply, Service } from './site.ts'

const LICENSES = 40
const CAP = 5
/** One more than may. */
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

/** Asks until there is an answer; every time signed anew, as a panel does that lost its connection. */
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
  const acknowledged = new Map<SomePanel, string | undefined>()
  const inLanes = async (work: (panel: SomePanel) => Promise<void>) => {
    const left = [...panels]
    const lane = async () => {
      for (let panel = left.shift(); panel; panel = left.shift()) await work(panel)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }
  const killing = async () => {
    for (const answers of killedAt) {
      const service = await current
      while (acknowledged.size < answers) await pause(1)
      service.child.kill('SIGKILL')
      current = service.ended().then(() => site.service(port))
    }
    await current
  }
  await Promise.all([
    killing(),
    inLanes(async (panel) => {
      const { status, body } = await activated(panel)
      expect([200, 201, 409]).toContain(status)
      acknowledged.set(panel, body.instance?.id)
    }),
  ])
  expect(unanswered).toBeGreaterThanOrEqual(killedAt.length)

  const again = new Map<SomePanel, string | undefined>()
  await inLanes(async (panel) => {
    const { status, body } = await activated(panel)
    expect([200, 409]).toContain(status)
    again.set(panel, body.instance?.id)
  })
  for (const panel of panels) expect(again.get(panel)).toBe(acknowledged.get(panel))
  const held = [...again.values()].filter((id) => id !== undefined)
  expect(new Set(held).size).toBe(LICENSES * CAP)
  await site.settled()
  expect(await site.count('instances', `status = 'ACTIVE'`)).toBe(LICENSES * CAP)
}, 180_000)

test('the history is whole, and read models rebuilt from it equal the live ones', async () => {
  expect(await site.finished(['doctor'])).toMatchObject({ code: 0 })
  await site.rebuiltEqualsLive()
}, 60_000)
