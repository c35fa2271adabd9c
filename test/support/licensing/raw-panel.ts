/** Panels with real signatures over real HTTP, and without the precautions of the real client. */
import { createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { expect } from 'vitest'
import { signedHeaders } from '../../../src/license-client/signed-request.ts'
import type { Reply, TestService } from './service.ts'

export interface Machine {
  readonly components: Record<string, string>
  readonly key: KeyObject
  readonly jwk: { kty: string; crv: string; x: string }
}

const component = (): string => randomBytes(16).toString('base64url')

export function newMachine(components: Record<string, string> = {}): Machine {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { kty, crv, x } = publicKey.export({ format: 'jwk' }) as Machine['jwk']
  const all = { install: component(), machine: component(), board: component(), rootfs: component(), cpu: component() }
  return { components: { ...all, net: component(), ...components }, key: privateKey, jwk: { kty, crv, x } }
}

/** The same machine with a newly installed panel, or with other changed components. */
export const changedMachine = (machine: Machine, components: Record<string, string>): Machine => ({
  ...newMachine(),
  components: { ...machine.components, ...components },
})

export interface PanelClaims {
  readonly sub: string
  readonly jti: string
  readonly seq: number
  readonly k: string
  readonly [claim: string]: unknown
}

const payload = (jws: string): any => JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString())
export const claimsOf = (licenseKey: string): PanelClaims => payload(licenseKey)

export interface Lease {
  readonly st: string
  readonly jti: string
  readonly [claim: string]: any
}

export interface SendOptions {
  readonly at?: Date
  readonly nonce?: string
  readonly headers?: Record<string, string | undefined>
  /** Sent in place of the signed text. */
  readonly raw?: string
  readonly path?: string
  readonly withoutInstance?: boolean
}

export class Panel {
  licenseKey: string
  instanceId: string | undefined
  lease: Lease | undefined
  version = '1.0.0'
  readonly machine: Machine
  readonly #service: TestService

  constructor(service: TestService, licenseKey: string, machine = newMachine()) {
    this.#service = service
    this.licenseKey = licenseKey
    this.machine = machine
  }

  /** A panel with the same state, as a copy of a virtual machine has. */
  clone(): Panel {
    const copy = new Panel(this.#service, this.licenseKey, this.machine)
    copy.instanceId = this.instanceId
    copy.lease = this.lease
    return copy
  }

  async activate(more: object = {}, sending: SendOptions = {}): Promise<Reply> {
    const instance = { name: 'web-1', hostname: 'web-1.acme.test', version: this.version, os: 'linux', arch: 'x64' }
    const fingerprint = { scheme: 'fp1', components: this.machine.components }
    const body = { fingerprint, instance, instanceKey: this.machine.jwk, ...more }
    const reply = await this.send('POST', '/api/v1/license/activate', body, { withoutInstance: true, ...sending })
    if (reply.status < 300) this.instanceId = reply.body.instance.id
    return this.#taken(reply)
  }

  /** Sends a heartbeat and keeps the answer, as a panel does. */
  async heartbeat(more: object = {}, sending: SendOptions = {}): Promise<Reply> {
    const fingerprint = { scheme: 'fp1', components: this.machine.components }
    const said = { version: this.version, seqSeen: claimsOf(this.licenseKey).seq, prevLease: this.lease?.jti ?? null }
    const body = { instanceId: this.instanceId, fingerprint, ...said, ...more }
    return this.#taken(await this.send('POST', '/api/v1/license/heartbeat', body, sending))
  }

  async deactivate(more: object = {}): Promise<Reply> {
    return this.#taken(await this.send('POST', '/api/v1/license/deactivate', { instanceId: this.instanceId, ...more }))
  }

  send(method: 'GET' | 'POST', path: string, body?: unknown, sending: SendOptions = {}): Promise<Reply> {
    const text = body === undefined ? '' : JSON.stringify(body)
    const { jti: keyId, k } = claimsOf(this.licenseKey)
    const isInstance = this.instanceId !== undefined && !sending.withoutInstance
    const signed = signedHeaders({
      method,
      url: new URL(path, this.#service.settings.baseUrl),
      body: Buffer.from(text),
      license: { keyId, k: Buffer.from(k, 'base64url') },
      instance: isInstance ? { instanceId: this.instanceId!, privateKey: this.machine.key } : undefined,
      at: sending.at ?? this.#service.licensing.clock.now(),
      ...(sending.nonce === undefined ? {} : { nonce: sending.nonce }),
    })
    const headers = Object.entries({ ...signed, ...sending.headers }).filter(
      (each): each is [string, string] => !!each[1],
    )
    const sent = sending.raw ?? text
    return this.#service.call(method, sending.path ?? path, {
      headers: Object.fromEntries(headers),
      ...(sent === '' ? {} : { raw: sent }),
    })
  }

  #taken(reply: Reply): Reply {
    if (reply.body?.lease) this.lease = payload(reply.body.lease)
    if (reply.body?.licenseKey) this.licenseKey = reply.body.licenseKey
    return reply
  }
}

/** A lease, verified with the published keys. */
export async function verifiedLease(service: TestService, lease: string): Promise<Lease> {
  const [header, claims, signature] = lease.split('.') as [string, string, string]
  const { kid, alg, typ } = JSON.parse(Buffer.from(header, 'base64url').toString())
  expect({ alg, typ }).toEqual({ alg: 'EdDSA', typ: 'daybook-lease+jwt' })
  const { keys } = (await service.call('GET', '/api/v1/license/keys')).body
  const { kty, crv, x } = keys.find((key: { kid: string }) => key.kid === kid)
  const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  expect(verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
  return payload(lease)
}
