/** The client against a service that answers as the test wants: its memory, its clock and its network are the test's. */
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { licenseClient } from '../../src/license-client/client.ts'
import type { LicenseClientDependencies } from '../../src/license-client/client.ts'
import { newMemory } from '../../src/license-client/memory.ts'
import type { Memory } from '../../src/license-client/memory.ts'
import { LicenseRefused, NO_ANSWER } from '../../src/license-client/refusal.ts'
import type { LeaseClaims } from '../../src/license-client/tokens.ts'
import {
  activatedMemory,
  DAY,
  hashOf,
  HOUR,
  INSTANCE,
  leaseFor,
  licenseKey,
  manifest,
  newKey,
  NOW,
  root,
  signingKey,
} from '../support/license-client/issuer.ts'

interface Request {
  readonly path: string
  readonly nonce: string | undefined
  readonly created: number
  readonly labels: string
  readonly body: any
}

type Answering = (request: Request) => Response | Promise<Response>

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })
const page = () => new Response('<html>Please log in</html>', { headers: { 'content-type': 'text/html' } })

/** What a panel is run with, and the service's side of it. */
function world(start: Memory | undefined, answering: Answering) {
  const requests: Request[] = []
  const kept = { memory: start }
  const clock = { now: NOW }
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    const input = headers.get('signature-input') ?? ''
    const request = {
      path: new URL(url).pathname,
      nonce: /nonce="([^"]+)"/.exec(input)?.[1],
      created: Number(/created=(\d+)/.exec(input)?.[1]),
      labels: [...input.matchAll(/(\w+)=\(/g)].map(([, label]) => label).join(' '),
      body: init?.body ? JSON.parse(Buffer.from(init.body as Uint8Array).toString()) : undefined,
    }
    requests.push(request)
    return answering(request)
  }
  const parts: LicenseClientDependencies = {
    serviceUrl: 'http://licensing.test',
    root: root.jwk,
    store: {
      load: async () => kept.memory && JSON.parse(JSON.stringify(kept.memory)),
      save: async (memory) => void (kept.memory = memory),
    },
    host: async () => ({ cpu: 'processor x4' }),
    about: { name: 'panel', hostname: 'host', version: '1.2.3', os: 'linux', arch: 'x64' },
    fetch,
    now: () => clock.now,
    random: () => 0.5,
  }
  return {
    requests,
    kept,
    clock,
    client: licenseClient(parts),
    paths: () => requests.map(({ path }) => path.split('/').at(-1)),
  }
}

const lease = (memory: Memory, { nonce }: Request, claims: Partial<LeaseClaims> = {}, by = signingKey) =>
  leaseFor(memory, { req: hashOf(nonce!), ...claims }, by)

/** A service in good order. */
const serving =
  (memory: () => Memory, claims: Partial<LeaseClaims> = {}, more: object = {}): Answering =>
  (request) => {
    if (request.path.endsWith('/keys')) return json({ keys: [], manifest: manifest() })
    const isNew = request.path.endsWith('/activate')
    const instance = { id: INSTANCE }
    return json({ instance, lease: lease(memory(), request, claims), licenseKey: null, ...more }, isNew ? 201 : 200)
  }

describe('activation', () => {
  it('makes a panel ACTIVE, and is remembered', async () => {
    const site = world(undefined, (request) => serving(() => site.kept.memory!)(request))
    expect((await site.client.start()).state).toBe('FREE')
    expect((await site.client.activate(` ${licenseKey()}\n`)).state).toBe('ACTIVE')
    expect(site.paths()).toEqual(['keys', 'activate'])
    const [, { labels, body }] = site.requests as [Request, Request]
    expect(labels).toBe('lic')
    expect(body).toMatchObject({
      fingerprint: { scheme: 'fp1' },
      instance: { version: '1.2.3' },
      instanceKey: { kty: 'OKP' },
    })
    expect(JSON.stringify(body)).not.toContain(site.kept.memory!.instanceKey.d)
    const again = world(site.kept.memory, () => page())
    expect((await again.client.start()).state).toBe('ACTIVE')
    await Promise.all([site.client.stop(), again.client.stop()])
  })

  it.each([
    ['a refusal', () => json({ statusCode: 409, message: 'No free slot' }, 409), 'No free slot', undefined],
    ['a captive portal', page, 'The response did not come from the licensing service', NO_ANSWER],
  ])('that is answered by %s leaves everything as it was', async (_what, answer, message, code) => {
    const before = activatedMemory()
    const site = world(before, ({ path }) => (path.endsWith('/keys') ? json({ manifest: manifest() }) : answer()))
    await site.client.start()
    const other = licenseKey({ jti: 'lic_two', sub: 'license-2' })
    await expect(site.client.activate(other)).rejects.toThrow(new LicenseRefused(message, code))
    expect(site.client.status().state).toBe('ACTIVE')
    expect(site.kept.memory!.licenseKey).toBe(before.licenseKey)
    await site.client.stop()
  })

  it('whose answer is lost may have brought another lease: the next heartbeat names none', async () => {
    const memory = activatedMemory({ lastHeartbeat: { at: NOW, ok: true } })
    const serves = serving(() => memory, { iat: NOW })
    const site = world(memory, (request) => (request.path.endsWith('/activate') ? page() : serves(request)))
    await site.client.start()
    await site.client.revalidate()
    await expect(site.client.activate(memory.licenseKey!)).rejects.toThrow(LicenseRefused)
    await site.client.revalidate()
    expect(site.requests.at(-1)!.body.prevLease).toBeNull()
    await site.client.stop()
  })

  it('takes no key that the service which it trusts has not signed', async () => {
    const site = world(undefined, () => json({ manifest: manifest() }))
    for (const key of ['', 'nonsense', licenseKey({}, newKey())])
      await expect(site.client.activate(key)).rejects.toThrow(/was not signed/)
    expect(site.paths()).toEqual(['keys', 'keys', 'keys'])
    await site.client.stop()
  })
})

describe('a heartbeat', () => {
  it('names the instance, proves its key, and says what the panel knows', async () => {
    const memory = activatedMemory()
    const site = world(
      memory,
      serving(() => memory, { iat: NOW, nhb: NOW + 5 * HOUR }),
    )
    await site.client.start()
    expect(await site.client.revalidate()).toMatchObject({ source: 'ONLINE', standing: { state: 'ACTIVE' } })
    const [{ labels, body }] = site.requests as [Request]
    expect(labels).toBe('lic inst')
    expect(body).toMatchObject({ instanceId: INSTANCE, version: '1.2.3', seqSeen: 1, prevLease: null })
    await site.client.revalidate()
    const { jti } = decodeJwt(site.kept.memory!.lease!)
    await site.client.revalidate()
    expect(site.requests.at(-1)!.body.prevLease).toBe(jti)
    await site.client.stop()
  })

  it.each([
    ['404', () => json({ statusCode: 404, message: 'Not found' }, 404)],
    ['500', () => json({ statusCode: 500, message: 'Internal server error' }, 500)],
    ['a refusal without a signature', () => json({ st: 'REVOKED' }, 403)],
    ['a captive portal', page],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://portal.test' } })],
    ['no network', () => Promise.reject(new TypeError('fetch failed'))],
  ])('answered by %s changes nothing but the badge', async (_what, answer) => {
    const site = world(activatedMemory(), answer)
    await site.client.start()
    expect(await site.client.revalidate()).toMatchObject({ source: 'CACHE', standing: { state: 'OFFLINE' } })
    await site.client.stop()
  })

  it('is signed again, once, by the service’s clock', async () => {
    const memory = activatedMemory({ manifestAskedAt: NOW })
    const ahead = NOW + 3 * HOUR
    const site = world(memory, (request) =>
      request.created < ahead - 300
        ? json({ statusCode: 401, message: 'Invalid license signature' }, 401, {
            'error-code': 'CLOCK_SKEW',
            date: new Date(ahead * 1_000).toUTCString(),
          })
        : serving(() => memory, { iat: ahead, exp: ahead + 14 * DAY })(request),
    )
    await site.client.start()
    expect(await site.client.revalidate()).toMatchObject({ source: 'ONLINE', standing: { state: 'ACTIVE' } })
    expect(site.requests.map(({ created }) => created)).toEqual([NOW, ahead])
    expect(site.kept.memory!.clockOffset).toBe(3 * HOUR)
    await site.client.stop()
  })

  it('follows another key to where it leads, with one more question', async () => {
    const memory = activatedMemory()
    const next = licenseKey({ sub: 'license-2', jti: 'lic_two' })
    const site = world(memory, (request) =>
      site.requests.length === 1
        ? json({ lease: lease(memory, request, { st: 'SUPERSEDED' }), licenseKey: next })
        : json({ lease: lease(memory, request, { lic: 'lic_two' }), licenseKey: null }),
    )
    await site.client.start()
    expect(await site.client.revalidate()).toMatchObject({ source: 'ONLINE', standing: { state: 'ACTIVE' } })
    expect(site.kept.memory!.licenseKey).toBe(next)
    await site.client.stop()
  })

  it('fetches the list of keys for an answer signed by a key that it does not know', async () => {
    const memory = activatedMemory()
    const other = newKey()
    const site = world(memory, (request) =>
      request.path.endsWith('/keys')
        ? json({ keys: [], manifest: manifest([other], { serial: 2 }) })
        : json({ lease: lease(memory, request, { seq: 2 }, other), licenseKey: licenseKey({ seq: 2 }, other) }),
    )
    await site.client.start()
    expect(await site.client.revalidate()).toMatchObject({ source: 'ONLINE', standing: { state: 'ACTIVE' } })
    expect(site.paths()).toEqual(['heartbeat', 'keys'])
    expect(site.kept.memory!.manifestSerial).toBe(2)
    await site.client.stop()
  })

  it('that revokes is believed, and a later one takes it back', async () => {
    const memory = activatedMemory()
    let st: LeaseClaims['st'] = 'REVOKED'
    const site = world(memory, (request) => serving(() => memory, { st })(request))
    await site.client.start()
    expect((await site.client.revalidate()).standing).toMatchObject({ state: 'DEGRADED', reason: 'REVOKED' })
    st = 'OK'
    expect((await site.client.revalidate()).standing.state).toBe('ACTIVE')
    await site.client.stop()
  })
})

/** What a stranger can put together of things that the service has signed, each for something else, and what it would have to answer. */
const MISUSED: readonly (readonly [string, (memory: Memory, request: Request) => object])[] = [
  [
    'a lease for another request',
    (memory, _request) => ({ lease: leaseFor(memory, { req: hashOf('another'), iat: NOW }) }),
  ],
  ['an older lease of its own', (memory) => ({ lease: memory.lease })],
  ['a lease of another instance', (memory, request) => ({ lease: lease(memory, request, { sub: 'instance-2' }) })],
  ['a lease for another panel’s key', (_memory, request) => ({ lease: lease(newMemory(), request) })],
  ['a lease of another license', (memory, request) => ({ lease: lease(memory, request, { lic: 'lic_other' }) })],
  [
    'a refusal of another license',
    (memory, request) => ({ lease: lease(memory, request, { lic: 'lic_other', st: 'REVOKED' }) }),
  ],
  ['a lease from the future', (memory, request) => ({ lease: lease(memory, request, { iat: NOW + 301 }) })],
  ['a license key for a lease', () => ({ lease: licenseKey() })],
]

describe('whatever was signed for something else', () => {
  it.each(MISUSED)('%s changes nothing of a running panel but the badge', async (_what, body) => {
    const memory = activatedMemory()
    const site = world(memory, (request) => json({ licenseKey: null, ...body(memory, request) }))
    await site.client.start()
    expect(await site.client.revalidate()).toMatchObject({ source: 'CACHE', standing: { state: 'OFFLINE' } })
    const { lease: kept, licenseKey: key, manifest: list, highWater } = site.kept.memory!
    expect({ kept, key, list, highWater }).toEqual({
      kept: memory.lease,
      key: memory.licenseKey,
      list: memory.manifest,
      highWater: memory.highWater,
    })
    await site.client.stop()
  })

  it.each(MISUSED)('%s activates nothing', async (_what, body) => {
    const memory = activatedMemory()
    const free = { ...memory, licenseKey: null, lease: null, instanceId: null }
    const site = world(free, (request) =>
      request.path.endsWith('/keys')
        ? json({ manifest: manifest() })
        : json({ instance: { id: INSTANCE }, licenseKey: null, ...body(memory, request) }),
    )
    await site.client.start()
    await expect(site.client.activate(memory.licenseKey!)).rejects.toThrow('did not come from the licensing service')
    expect(site.kept.memory).toMatchObject({ licenseKey: null, lease: null, instanceId: null })
    await site.client.stop()
  })

  it.each<[string, Partial<LeaseClaims>, string]>([
    ['a good answer', {}, 'ACTIVE'],
    ['a refusal', { st: 'SUSPENDED' }, 'DEGRADED'],
  ])('a license key of another license beside %s is not taken', async (_what, claims, state) => {
    const memory = activatedMemory()
    const other = licenseKey({ sub: 'license-2', jti: 'lic_two', seq: 9, plan: 'max' })
    const site = world(memory, (request) => json({ lease: lease(memory, request, claims), licenseKey: other }))
    await site.client.start()
    expect((await site.client.revalidate()).standing.state).toBe(state)
    expect(site.kept.memory!.licenseKey).toBe(memory.licenseKey)
    await site.client.stop()
  })

  it('a key that another is said to have taken the place of is kept until the service answers under the other', async () => {
    const memory = activatedMemory()
    const other = licenseKey({ sub: 'license-2', jti: 'lic_two' })
    const site = world(memory, (request) =>
      site.requests.length === 1
        ? json({ lease: lease(memory, request, { st: 'SUPERSEDED' }), licenseKey: other })
        : json({ statusCode: 401, message: 'Invalid license signature' }, 401),
    )
    await site.client.start()
    expect(await site.client.revalidate()).toMatchObject({ source: 'CACHE', standing: { state: 'OFFLINE' } })
    expect(site.kept.memory!.licenseKey).toBe(memory.licenseKey)
    await site.client.stop()
  })
})

describe('a list of keys', () => {
  const fallen = newKey()
  /** The panel knows the fifth; `fallen` signs no more since then. */
  const knowing = (change: Partial<Memory> = {}) =>
    activatedMemory({
      manifest: manifest([signingKey], { serial: 5 }),
      manifestSerial: 5,
      manifestAskedAt: NOW,
      ...change,
    })

  it.each([
    ['an older one', { serial: 4 }],
    ['one that has ended', { serial: 6, exp: NOW }],
    ['one from the future', { serial: 6, iat: NOW + 301 }],
    ['one of another root', { serial: 6, by: newKey() }],
  ])('%s makes no fallen key good again, for a heartbeat, an activation or by itself', async (_what, more) => {
    const memory = knowing({ manifestAskedAt: NOW - 2 * DAY })
    const site = world(memory, (request) =>
      request.path.endsWith('/keys')
        ? json({ manifest: manifest([signingKey, fallen], more) })
        : json({ instance: { id: INSTANCE }, lease: lease(memory, request, {}, fallen), licenseKey: null }),
    )
    await site.client.start()
    expect(await site.client.revalidate()).toMatchObject({ source: 'CACHE', standing: { state: 'OFFLINE' } })
    await expect(site.client.activate(memory.licenseKey!)).rejects.toThrow(LicenseRefused)
    await expect(site.client.activate(licenseKey({ seq: 2 }, fallen))).rejects.toThrow(
      'was not signed by the licensing service',
    )
    expect(site.paths().filter((path) => path === 'keys').length).toBeGreaterThan(2)
    expect(site.kept.memory).toMatchObject({ manifest: memory.manifest, manifestSerial: 5, lease: memory.lease })
    await site.client.stop()
  })

  it('that has ended proves no new answer, and the panel lives on with the last until that ends', async () => {
    const memory = knowing({ manifest: manifest([signingKey], { serial: 5, exp: NOW + DAY }) })
    const site = world(memory, (request) =>
      request.path.endsWith('/keys')
        ? page()
        : json({ lease: lease(memory, request, { iat: NOW + DAY }), licenseKey: null }),
    )
    await site.client.start()
    site.clock.now = NOW + DAY
    expect(await site.client.revalidate()).toMatchObject({ source: 'CACHE', standing: { state: 'OFFLINE' } })
    site.clock.now = NOW + 15 * DAY
    expect(site.client.status().state).toBe('GRACE')
    await site.client.stop()
  })

  it('put back on the disk as it was before is noticed, and proves nothing of what was signed later', async () => {
    const memory = knowing({ manifest: manifest([signingKey, fallen], { serial: 4 }) })
    const site = world(memory, (request) => json({ lease: lease(memory, request, {}, fallen), licenseKey: null }))
    expect((await site.client.start()).state).toBe('TAMPERED')
    expect((await site.client.revalidate()).source).toBe('CACHE')
    await site.client.stop()
  })
})

describe('a panel that the service does not know any more', () => {
  const UNKNOWN = () =>
    json({ statusCode: 401, message: 'Invalid license signature' }, 401, { 'error-code': 'LICENSE_SIGNATURE_INVALID' })
  const refusing = (status: number, message: string, code: string) => (request: Request) => {
    if (request.path.endsWith('/keys')) return json({ manifest: manifest() })
    return request.path.endsWith('/heartbeat')
      ? UNKNOWN()
      : json({ statusCode: status, message }, status, { 'error-code': code })
  }

  it('is activated anew by itself, with its own key and whatever slot it is given', async () => {
    const memory = activatedMemory()
    const site = world(memory, (request) => {
      if (request.path.endsWith('/heartbeat')) return UNKNOWN()
      if (request.path.endsWith('/keys')) return json({ manifest: manifest() })
      return json({ instance: { id: 'instance-2' }, lease: lease(memory, request, { sub: 'instance-2' }) }, 201)
    })
    await site.client.start()
    expect(await site.client.revalidate()).toMatchObject({ source: 'ONLINE', standing: { state: 'ACTIVE' } })
    expect(site.kept.memory).toMatchObject({ instanceId: 'instance-2', instanceKey: memory.instanceKey, failures: 0 })
    await site.client.stop()
  })

  it('goes on as long as its lease lasts where that is refused, and remembers why', async () => {
    const memory = activatedMemory()
    const site = world(memory, refusing(409, 'No free slot. Free one.', 'PANEL_STILL_HEARD'))
    await site.client.start()
    expect(await site.client.revalidate()).toMatchObject({ source: 'CACHE', standing: { state: 'OFFLINE' } })
    const refusal = { at: NOW, code: 'PANEL_STILL_HEARD', message: 'No free slot. Free one.' }
    expect(site.kept.memory).toMatchObject({ refusal, lease: memory.lease, instanceId: INSTANCE })
    await site.client.remove()
    expect(site.kept.memory!.refusal).toBeNull()
    await site.client.stop()
  })

  it('is told in words that its license key was replaced', async () => {
    const site = world(activatedMemory(), ({ path }) =>
      path.endsWith('/keys') ? json({ manifest: manifest() }) : UNKNOWN(),
    )
    await site.client.start()
    await site.client.revalidate()
    expect(site.kept.memory!.refusal!.message).toMatch(/was replaced\. Set the current one/)
    await site.client.stop()
  })

  it('says nothing of a key that was only tried', async () => {
    const site = world(activatedMemory(), refusing(409, 'No free slot', 'NO_FREE_SLOT'))
    await site.client.start()
    const other = licenseKey({ jti: 'lic_two', sub: 'license-2' })
    await expect(site.client.activate(other)).rejects.toThrow('No free slot')
    expect(site.kept.memory!.refusal).toBeNull()
    await site.client.stop()
  })

  it('remembers of a former version that nothing was refused', async () => {
    const { refusal: _none, ...former } = activatedMemory()
    const site = world(former as Memory, page)
    expect((await site.client.start()).state).toBe('ACTIVE')
    expect(site.kept.memory).toMatchObject({ instanceId: INSTANCE, refusal: null })
    await site.client.stop()
  })

  it('asks in its own name where others have used up what is answered under its license key', async () => {
    const memory = activatedMemory()
    const site = world(memory, (request) => {
      if (request.path.endsWith('/keys')) return json({ manifest: manifest() })
      if (request.labels === 'lic') return json({ statusCode: 429, message: 'Too many activations' }, 429)
      return json({ instance: { id: INSTANCE }, lease: lease(memory, request) })
    })
    await site.client.start()
    expect((await site.client.activate(memory.licenseKey!)).state).toBe('ACTIVE')
    expect(site.requests.map(({ labels }) => labels)).toEqual(['', 'lic', 'lic inst'])
    await site.client.stop()
  })
})

describe('the clock', () => {
  it('that is set back is noticed at the start, and remembered until a good heartbeat', async () => {
    const site = world(activatedMemory({ highWater: NOW + 3 * DAY }), page)
    expect((await site.client.start()).state).toBe('TAMPERED')
    site.clock.now = NOW + 71 * HOUR
    expect(site.client.status().state).toBe('TAMPERED')
    site.clock.now = NOW + 72 * HOUR
    expect(site.client.status()).toMatchObject({ state: 'DEGRADED', reason: 'TAMPERED' })
    await site.client.stop()
    const memory = site.kept.memory!
    const back = world(
      memory,
      serving(() => memory, { iat: NOW + 80 * HOUR, exp: NOW + 20 * DAY }),
    )
    back.clock.now = NOW + 80 * HOUR
    await back.client.start()
    expect((await back.client.revalidate()).standing.state).toBe('ACTIVE')
    await back.client.stop()
  })
  it('is remembered when the panel stops', async () => {
    const site = world(activatedMemory(), page)
    await site.client.start()
    site.clock.now = NOW + 9 * DAY
    await site.client.stop()
    expect(site.kept.memory!.highWater).toBe(NOW + 9 * DAY)
  })
})

describe('to remove a license', () => {
  it('tells the service, if it can be reached', async () => {
    const memory = activatedMemory()
    const site = world(
      memory,
      serving(() => memory, { st: 'DEACTIVATED' }),
    )
    await site.client.start()
    expect((await site.client.remove()).state).toBe('FREE')
    expect(site.paths()).toEqual(['deactivate'])
    await site.client.stop()
  })
  it('works without a network, and without waiting for long', { retry: 2 }, async () => {
    const site = world(activatedMemory(), () => new Promise<Response>(() => {}))
    await site.client.start()
    const began = performance.now()
    expect((await site.client.remove()).state).toBe('FREE')
    expect(performance.now() - began).toBeLessThan(4_500)
    expect(site.kept.memory).toMatchObject({ licenseKey: null, lease: null, instanceId: null })
    await site.client.stop()
  })
})

it('a memory that is none is begun anew', async () => {
  const site = world({ version: 9 } as never, page)
  expect((await site.client.start()).state).toBe('FREE')
  expect(site.kept.memory).toMatchObject({ version: 1, installId: expect.stringMatching(/^[0-9a-f]{32}$/) })
  await site.client.stop()
})

it('a memory that cannot be kept stops nothing', async () => {
  const errors: unknown[] = []
  const memory = activatedMemory()
  const site = world(memory, page)
  const broken = licenseClient({
    serviceUrl: 'http://licensing.test',
    root: root.jwk,
    store: { load: async () => memory, save: () => Promise.reject(new Error('disk full')) },
    host: async () => ({}),
    about: { name: '', hostname: '', version: '', os: '', arch: '' },
    fetch: async () => page(),
    now: () => NOW,
    onError: (error) => errors.push(error),
  })
  expect((await broken.start()).state).toBe('ACTIVE')
  expect(errors).toHaveLength(1)
  await Promise.all([broken.stop(), site.client.stop()])
})
