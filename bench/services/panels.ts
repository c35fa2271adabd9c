/** Panels that sign their requests, as the license client does. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { post } from '../../scripts/figures/bench.ts'
import { signedHeaders } from '../../src/license-client/signed-request.ts'
import { requestBytes } from './load.ts'
import { BASE_URL } from './stage.ts'
import type { Licensing } from './stage.ts'

export const ACTIVATE = '/api/v1/license/activate'
export const HEARTBEAT = '/api/v1/license/heartbeat'
/** Of each license. */
export const ACTIVATIONS_EACH = 10
/** Fewer are used: the limits of an hour also refuse the last request allowed if it overtakes another one. */
const ACTIVATIONS_MAX = 20
/** A panel may send 12 within an hour. */
export const HEARTBEATS_EACH = 11
const LANES = 16
const PLAN = 'many'

/** A license key's id and its secret. */
export interface License {
  readonly keyId: string
  readonly k: Buffer
}

export interface BenchPanel {
  readonly license: License
  readonly instanceId: string
  readonly key: KeyObject
  readonly components: Readonly<Record<string, string>>
}

type Signer = Pick<BenchPanel, 'license'> & Partial<Pick<BenchPanel, 'instanceId' | 'key'>>

function signed(path: string, body: object, { license, instanceId, key }: Signer): Buffer {
  const text = JSON.stringify(body)
  const headers = signedHeaders({
    method: 'POST',
    url: new URL(path, BASE_URL),
    body: Buffer.from(text),
    license,
    instance: instanceId && key ? { instanceId, privateKey: key } : undefined,
    at: new Date(),
  })
  return requestBytes('POST', path, headers, text)
}

async function inLanes<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const left = items.entries()
  const results: Result[] = []
  const lane = async () => {
    for (const [nth, item] of left) results[nth] = await work(item)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return results
}

/** Licenses that are sold now, of a plan with room for all panels. */
export async function sellLicenses({ url, accessToken }: Licensing, number: number): Promise<License[]> {
  const plan = { slug: `${PLAN}-${randomBytes(4).toString('hex')}`, name: 'Many', maxActivations: ACTIVATIONS_MAX }
  await post(url, '/api/admin/plans', plan, accessToken)
  return inLanes([...Array(number).keys()], async () => {
    const email = `panel-${randomBytes(8).toString('hex')}@customer.test`
    const { licenseKey } = await post(url, '/api/admin/provisioning', { email, planSlug: plan.slug }, accessToken)
    const { jti, k } = JSON.parse(Buffer.from(licenseKey.split('.')[1], 'base64url').toString())
    return { keyId: jti, k: Buffer.from(k, 'base64url') }
  })
}

interface Activation {
  readonly request: Buffer
  readonly key: KeyObject
  readonly components: Readonly<Record<string, string>>
}

export function activation(license: License): Activation {
  const { privateKey: key, publicKey } = generateKeyPairSync('ed25519')
  const { kty, crv, x } = publicKey.export({ format: 'jwk' })
  const components = { install: randomBytes(16).toString('base64url') }
  const instance = { name: 'web', hostname: 'web.test', version: '1.0.0', os: 'linux', arch: 'x64' }
  const body = { fingerprint: { scheme: 'fp1', components }, instance, instanceKey: { kty, crv, x } }
  return { request: signed(ACTIVATE, body, { license }), key, components }
}

/** `ACTIVATIONS_EACH` of each license. */
export async function activatePanels(url: string, licenses: readonly License[]): Promise<BenchPanel[]> {
  const each = licenses.flatMap((license) => Array.from({ length: ACTIVATIONS_EACH }, () => license))
  return inLanes(each, async (license) => {
    const { request, key, components } = activation(license)
    const { instance } = await sent(url, request)
    return { license, instanceId: instance.id, key, components }
  })
}

interface LeaseAnswer {
  readonly instance: { readonly id: string }
}

/** @returns the answer to a signed request that was made for a connection */
export async function sent(url: string, request: Buffer): Promise<LeaseAnswer> {
  const [head, body] = request.toString().split('\r\n\r\n', 2) as [string, string]
  const [line, ...fields] = head.split('\r\n') as [string, ...string[]]
  const headers = Object.fromEntries(fields.map((field) => field.split(/: (.*)/, 2)))
  const { host: _host, 'content-length': _length, ...rest } = headers
  const response = await fetch(url + line.split(' ')[1]!, { method: 'POST', headers: rest, body })
  assert.ok(response.ok, `${line} answers ${response.status}: ${await response.clone().text()}`)
  return (await response.json()) as LeaseAnswer
}

export function heartbeat(panel: BenchPanel): Buffer {
  const { instanceId, components } = panel
  const fingerprint = { scheme: 'fp1', components }
  return signed(HEARTBEAT, { instanceId, fingerprint, version: '1.0.0', seqSeen: 1, prevLease: null }, panel)
}

/** Each item `times` times, in turn, so that two uses of one are far apart. Undefined when all are used. */
export function inTurn<Item>(items: readonly Item[], times: number): () => Item | undefined {
  let used = 0
  return () => {
    if (used === items.length * times) return undefined
    used += 1
    return items[(used - 1) % items.length]
  }
}
