/**
 * Signed requests (licensing.md 7, security.md 2.8). A caller without the key and a repeated request get the
 * same answer.
 */
import { createHmac, sign } from 'node:crypto'
import fc from 'fast-check'
import { httpbis } from 'http-message-signatures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Panel, claimsOf, newMachine } from '../../support/licensing/raw-panel.ts'
import type { SendOptions } from '../../support/licensing/raw-panel.ts'
import { startService } from '../../support/licensing/service.ts'
import type { Reply } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const HEARTBEAT = '/api/v1/license/heartbeat'
const ACTIVATE = '/api/v1/license/activate'
const VERSIONLESS = { users: 1 }

const limits = { heartbeatsPerHour: 100_000, activationsPerHour: 100_000 }
/** Compared once, at the end: most of this file changes nothing. */
const service = await startService({
  licenseApi: { ...limits, failuresPerMinute: 1_000_000 },
  compareReadModels: false,
})
afterAll(() => service.rebuiltEqualsLive())
const floor = await shopFixture(service)
const { slug } = await floor.plan({ maxActivations: 1_000 })
let panel: Panel
let licenseKey: string

beforeAll(async () => {
  licenseKey = (await floor.provision({ email: 'signed@customer.test', planSlug: slug })).body.licenseKey
  panel = new Panel(service, licenseKey)
  expect((await panel.activate()).status).toBe(201)
})

function expectRefused(reply: Reply, code = 'LICENSE_SIGNATURE_INVALID'): void {
  expect(reply.status, reply.text).toBe(401)
  expect(reply.body).toEqual({ statusCode: 401, message: 'Invalid license signature' })
  expect(reply.headers.get('error-code')).toBe(code)
}

const heartbeat = (sending: SendOptions = {}) => panel.heartbeat({ usage: VERSIONLESS }, sending)
const headersOf = (sent: SendOptions['headers']) => heartbeat({ headers: sent! })

test('what is signed rightly is answered', async () => {
  expect((await heartbeat()).status).toBe(200)
})

describe('altered on the way', () => {
  test('the body', async () => expectRefused(await heartbeat({ raw: '{}' })))
  test('a byte of the body, and its digest with it', async () =>
    expectRefused(await headersOf({ 'content-digest': 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:' })))
  test('the path', async () => expectRefused(await heartbeat({ path: '/api/v1/license/deactivate' })))
  test('the query', async () => expectRefused(await heartbeat({ path: `${HEARTBEAT}?x=1` })))
  test('an empty query is none', async () => expect((await heartbeat({ path: `${HEARTBEAT}?` })).status).toBe(200))
  test('the content type', async () =>
    expectRefused(await headersOf({ 'content-type': 'application/json; charset=utf-8' })))
  test('the method', async () => {
    const sent = panel.send('GET', HEARTBEAT, { a: 1 }, { raw: '' })
    expect((await sent).status).toBe(404)
  })
  test('a header of the signature is missing', async () => {
    for (const name of ['signature', 'signature-input', 'content-digest'] as const)
      expectRefused(await headersOf({ [name]: undefined }))
  })
  test('Host and X-Forwarded-Host change nothing: the authority is the configured one', async () => {
    expect((await headersOf({ 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' })).status).toBe(200)
  })
})

/** Signed by another implementation, with every possible fault. */
async function theirs({
  fields = ['@method', '@authority', '@path', '@query', 'content-type', 'content-digest'],
  params = ['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'],
  url = `${service.settings.baseUrl}${ACTIVATE}`,
  name = 'lic',
  values = {},
}: {
  fields?: string[]
  params?: string[]
  url?: string
  name?: string
  values?: Record<string, unknown>
} = {}): Promise<Reply> {
  const { jti, k } = claimsOf(licenseKey)
  const raw = JSON.stringify(activation)
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url')
  const headers = {
    'content-type': 'application/json',
    'content-digest': `sha-256=:${Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(raw))).toString('base64')}:`,
  }
  const { headers: signed } = await httpbis.signMessage(
    {
      key: {
        id: jti,
        alg: 'hmac-sha256',
        sign: async (base) => createHmac('sha256', Buffer.from(k, 'base64url')).update(base).digest(),
      },
      name,
      fields,
      params,
      paramValues: { nonce, tag: 'daybook-license-v1', created: service.licensing.clock.now(), ...values },
    },
    { method: 'POST', url, headers },
  )
  return service.call('POST', ACTIVATE, { headers: signed, raw })
}

const { components, jwk } = newMachine()
const activation = {
  fingerprint: { scheme: 'fp1', components },
  instance: { name: 'n', hostname: 'h', version: '1', os: 'linux', arch: 'x64' },
  instanceKey: jwk,
}

describe('signed by the npm package http-message-signatures', () => {
  const now = () => service.licensing.clock.now().getTime()
  const inSeconds = (seconds: number) => new Date(now() + seconds * 1_000)

  test('a request is accepted, with its parameters in any order', async () => {
    expect((await theirs()).status).toBe(201)
    expect((await theirs({ params: ['tag', 'alg', 'keyid', 'nonce', 'expires', 'created'] })).status).toBe(200)
  })

  test.each(['@method', '@authority', '@path', '@query', 'content-type', 'content-digest'])(
    'one that does not cover %s is refused',
    async (left) => {
      const all = ['@method', '@authority', '@path', '@query', 'content-type', 'content-digest']
      expectRefused(await theirs({ fields: all.filter((each) => each !== left) }))
    },
  )

  test.each<[string, Parameters<typeof theirs>[0]]>([
    [
      'components in another order',
      { fields: ['@authority', '@method', '@path', '@query', 'content-type', 'content-digest'] },
    ],
    [
      'a component more',
      { fields: ['@method', '@authority', '@path', '@query', 'content-type', 'content-digest', '@scheme'] },
    ],
    ['another authority', { url: 'http://evil.test/api/v1/license/activate' }],
    ['another path', { url: 'http://licensing.test/api/v1/license/heartbeat' }],
    ['another label', { name: 'sig' }],
    ['no nonce', { params: ['created', 'expires', 'keyid', 'alg', 'tag'] }],
    ['no tag', { params: ['created', 'expires', 'nonce', 'keyid', 'alg'] }],
    ['no time', { params: ['nonce', 'keyid', 'alg', 'tag'] }],
    ['no end', { params: ['created', 'nonce', 'keyid', 'alg', 'tag'] }],
    ['no algorithm', { params: ['created', 'expires', 'nonce', 'keyid', 'tag'] }],
    ['another algorithm', { values: { alg: 'hmac-sha512' } }],
    ['another tag', { values: { tag: 'daybook-license-v2' } }],
    [
      'an unknown parameter',
      { params: ['created', 'expires', 'nonce', 'keyid', 'alg', 'tag', 'x'], values: { x: 'y' } },
    ],
    ['a short nonce', { values: { nonce: 'short' } }],
    ['an end later than five minutes after its time', { values: { expires: new Date(Date.now() + 86_400_000) } }],
    ['an end before its time', { values: { expires: new Date(Date.now() - 86_400_000) } }],
    ['an unknown key', { values: { keyid: 'lic_0000000000000000000000' } }],
    ['what is no key id', { values: { keyid: '../../etc/passwd' } }],
  ])('one with %s is refused', async (_what, wrong) => expectRefused(await theirs(wrong)))

  test('a clock that is off is told so, with the time to sign with; also where the key is unknown', async () => {
    for (const seconds of [-320, 320, 86_400]) {
      const off = { created: inSeconds(seconds), expires: inSeconds(seconds + 60) }
      const before = now()
      const known = await theirs({ values: off })
      const unknown = await theirs({ values: { ...off, keyid: 'lic_0000000000000000000000' } })
      for (const reply of [known, unknown]) {
        expectRefused(reply, 'CLOCK_SKEW')
        const date = Date.parse(reply.headers.get('date')!)
        expect(date).toBeGreaterThan(before - 2_000)
        expect(date).toBeLessThanOrEqual(now())
      }
    }
    const late = { created: inSeconds(-200), expires: inSeconds(-100) }
    expectRefused(await theirs({ values: late }), 'CLOCK_SKEW')
    expect([200, 201]).toContain(
      (await theirs({ values: { created: inSeconds(-200), expires: inSeconds(90) } })).status,
    )
    expect((await theirs({ values: { created: inSeconds(200), expires: inSeconds(400) } })).status).toBe(200)
  })
})

describe('the signature of the instance', () => {
  test('is needed where an instance is named, and must be its own', async () => {
    expectRefused(await panel.heartbeat({}, { withoutInstance: true }))
    const other = new Panel(service, licenseKey)
    await other.activate()
    expectRefused(await other.heartbeat({ instanceId: panel.instanceId }))
    other.instanceId = panel.instanceId
    expectRefused(await other.heartbeat())
    expectRefused(await other.deactivate())
  })

  test('of an instance of another license, or of nobody’s, is none', async () => {
    const sold = (await floor.provision({ email: 'stranger@customer.test', planSlug: slug })).body
    const stranger = new Panel(service, sold.licenseKey)
    await stranger.activate()
    const key = stranger.licenseKey
    stranger.licenseKey = licenseKey
    expectRefused(await stranger.heartbeat())
    stranger.licenseKey = key
    stranger.instanceId = '01890000-0000-7000-8000-00000000dead'
    expectRefused(await stranger.heartbeat())
  })

  test('covers the license’s signature: one of an earlier request is refused', async () => {
    const { headers } = await signedApart(panel, async (base) => sign(null, base, panel.machine.key))
    expect((await service.call('POST', HEARTBEAT, headers)).status).toBe(200)
    const forged = await signedApart(panel, async (base) =>
      sign(
        null,
        Buffer.from(String(base).replace(/"signature";key="lic": \S+/, '"signature";key="lic": :AAAA:')),
        panel.machine.key,
      ),
    )
    expectRefused(await service.call('POST', HEARTBEAT, forged.headers))
  })
})

/** Both signatures by the other implementation. */
async function signedApart(some: Panel, instanceSigns: (base: Buffer) => Promise<Buffer>) {
  const { jti, k } = claimsOf(some.licenseKey)
  const fingerprint = { scheme: 'fp1', components: some.machine.components }
  const raw = JSON.stringify({ instanceId: some.instanceId, fingerprint, version: some.version, seqSeen: 1 })
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(raw))).toString('base64')
  const fields = ['@method', '@authority', '@path', '@query', 'content-type', 'content-digest']
  const created = service.licensing.clock.now()
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url')
  const message = {
    method: 'POST',
    url: `${service.settings.baseUrl}${HEARTBEAT}`,
    headers: { 'content-type': 'application/json', 'content-digest': `sha-256=:${digest}:` },
  }
  const once = await httpbis.signMessage(
    {
      key: {
        id: jti,
        alg: 'hmac-sha256',
        sign: async (base) => createHmac('sha256', Buffer.from(k, 'base64url')).update(base).digest(),
      },
      name: 'lic',
      fields,
      params: ['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'],
      paramValues: { created, nonce, tag: 'daybook-license-v1' },
    },
    message,
  )
  const twice = await httpbis.signMessage(
    {
      key: { id: some.instanceId!, alg: 'ed25519', sign: instanceSigns },
      name: 'inst',
      fields: [...fields, 'signature;key="lic"'],
      params: ['created', 'keyid', 'alg', 'tag'],
      paramValues: { created, tag: 'daybook-license-v1' },
      componentParser: (name, _params, { headers }) =>
        name === 'signature' ? [/lic=(:[^:]+:)/.exec(String((headers as any).Signature))![1]!] : null,
    },
    once,
  )
  return { headers: { headers: twice.headers as Record<string, string>, raw } }
}

describe('asked twice', () => {
  test('a copy of a request is refused, and costs its owner nothing', async () => {
    const nonce = 'AAAAAAAAAAAAAAAAAAAAAA'
    const at = service.licensing.clock.now()
    expect((await panel.send('POST', HEARTBEAT, body(), { nonce, at })).status).toBe(200)
    expectRefused(await panel.send('POST', HEARTBEAT, body(), { nonce, at }))
    expect((await heartbeat()).status).toBe(200)
  })

  test('of many copies at once one is answered', async () => {
    const nonce = 'BBBBBBBBBBBBBBBBBBBBBB'
    const at = service.licensing.clock.now()
    const copies = await Promise.all(
      Array.from({ length: 20 }, () => panel.send('POST', HEARTBEAT, body(), { nonce, at })),
    )
    expect(copies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(copies.filter(({ status }) => status === 401)).toHaveLength(19)
  })

  test('who cannot sign stores no nonce', async () => {
    const count = async () =>
      (await service.superuser.query('SELECT count(*)::int AS n FROM telemetry.request_nonce')).rows[0].n
    const before = await count()
    await headersOf({ signature: 'lic=:AAAA:' })
    await heartbeat({ raw: '{}' })
    expect(await count()).toBe(before)
  })

  test('while nonces cannot be stored nothing is accepted', async () => {
    await service.superuser.query('ALTER TABLE telemetry.request_nonce RENAME TO away')
    try {
      const reply = await heartbeat()
      expect(reply.status).toBe(503)
      expect(reply.body.message).toBe('Signed requests cannot be checked at the moment: try again')
    } finally {
      await service.superuser.query('ALTER TABLE telemetry.away RENAME TO request_nonce')
    }
    expect((await heartbeat()).status).toBe(200)
  })

  const body = () => ({
    instanceId: panel.instanceId,
    fingerprint: { scheme: 'fp1', components: panel.machine.components },
    version: panel.version,
    seqSeen: 1,
    prevLease: null,
  })
})

describe('nothing of a body is looked at before the signature holds', () => {
  test('what is no JSON, or no JSON of ours, is refused by its signature first', async () => {
    for (const raw of ['{', '{"a":1}', '\u0000', '[]']) expectRefused(await heartbeat({ raw }))
  })

  test('signed rightly, a body that is not the route’s is 400, and a large one 413', async () => {
    expect((await panel.heartbeat({ unknown: 1 })).status).toBe(400)
    expect((await panel.heartbeat({ version: '' })).status).toBe(400)
    const large = await panel.heartbeat({ version: 'x'.repeat(66_000) })
    expect(large.status).toBe(413)
  })

  test('long headers are refused', async () =>
    expectRefused(await headersOf({ signature: `lic=:${'A'.repeat(8_200)}:` })))
})

test('whatever the headers hold, it is 401 and no error', async () => {
  const some = fc.oneof(
    fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
    fc.constantFrom(
      'lic=()',
      'lic=("@method")',
      'lic=:AAAA:',
      'lic',
      'lic=?1',
      'lic=1',
      'lic=("a";b);c',
      'lic=(", inst=("',
    ),
    fc
      .array(
        fc.constantFrom(
          'lic',
          'inst',
          '=',
          '(',
          ')',
          '"@method"',
          ';',
          ':AAAA:',
          ',',
          ' ',
          'created',
          '=1',
          'keyid="lic_a"',
        ),
      )
      .map((parts) => parts.join('')),
  )
  const plain = some.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').trim())
  await fc.assert(
    fc.asyncProperty(plain, plain, plain, async (input, signature, digest) => {
      const reply = await service.call('POST', HEARTBEAT, {
        raw: '{}',
        headers: { 'signature-input': input, signature, 'content-digest': digest },
      })
      expectRefused(reply)
    }),
    { numRuns: 300 },
  )
})

test('why a signature was refused stands in the log and nowhere else', async () => {
  const reply = await headersOf({ signature: undefined })
  expect(reply.text).not.toContain('signature of the license')
  expect([...reply.headers].flat().join('\n')).not.toContain('is missing')
  expect(service.logs()).toContain('the signature of the license is missing')
  expect(reply.headers.get('www-authenticate')).toBe('Signature')
  expect(reply.headers.get('accept-signature')).toContain('tag="daybook-license-v1"')
})

test('secrets of license keys are in no log line and in no table', async () => {
  const { k } = claimsOf(licenseKey)
  expect(service.logs()).not.toContain(k)
  expect(await service.dump()).not.toContain(k)
})
