/** Standard Webhooks 1.0.0; the specification's own library verifies the signatures. */
import { createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { isWebhookSigned, newWebhookSecret, webhookHeaders, webhookKeyPair } from '#kernel/outbound/standard-webhooks'

const at = () => new Date()

test('a secret is whsec_ and 32 random bytes in base64', () => {
  const [one, other] = [newWebhookSecret(), newWebhookSecret()]
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(Buffer.from(one.slice(6), 'base64')).toHaveLength(32)
  expect(one).not.toBe(other)
})

test('the signature of the specification’s library is ours', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: new Date(1_614_265_330_000), body: '{"test": 2432232314}' }
  const theirs = new Webhook(secret).sign(message.id, message.at, message.body)
  expect(webhookHeaders(message, [secret])).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
  expect(theirs).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

describe('two secrets', () => {
  const [fresh, old, strange] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]

  test('whatever is sent verifies with each of them and with no other', () => {
    fc.assert(
      fc.property(fc.json(), (body) => {
        const headers = webhookHeaders({ id: 'one', at: at(), body }, [fresh, old])
        for (const secret of [fresh, old]) new Webhook(secret).verify(body, headers)
        expect(() => new Webhook(strange).verify(body, headers)).toThrow('No matching signature')
        expect(() => new Webhook(fresh).verify(`${body} `, headers)).toThrow('No matching signature')
      }),
      { numRuns: 50 },
    )
  })

  test('one of them is one signature', () => {
    const of = (...secrets: string[]) => webhookHeaders({ id: 'one', at: at(), body: '{}' }, secrets)
    expect(of(fresh)['webhook-signature'].split(' ')).toHaveLength(1)
    expect(of(fresh, old)['webhook-signature'].split(' ')).toHaveLength(2)
    expect(() => new Webhook(old).verify('{}', of(fresh))).toThrow('No matching signature')
  })
})

test('v1a is Ed25519 over the same, verified by whpk_ and by the JWK; v1 beside it still verifies', () => {
  const secret = newWebhookSecret()
  const pair = webhookKeyPair(Buffer.alloc(32, 7))
  const message = { id: 'one', at: at(), body: '{"type":"x"}' }
  const headers = webhookHeaders(message, [secret], pair.privateKey)
  const [v1, v1a] = headers['webhook-signature'].split(' ')
  expect(v1).toMatch(/^v1,/)
  const [version, signature] = v1a!.split(',')
  expect(version).toBe('v1a')
  const content = Buffer.from(`one.${headers['webhook-timestamp']}.${message.body}`)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: pair.x }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  expect(verify(null, content, publicKey, Buffer.from(signature!, 'base64'))).toBe(true)
  expect(pair.publicKey).toBe(`whpk_${Buffer.from(pair.x, 'base64url').toString('base64')}`)
  expect(webhookKeyPair(Buffer.alloc(32, 7)).publicKey).toBe(pair.publicKey)
  new Webhook(secret).verify(message.body, headers)
})

test('what the specification’s library signs is accepted for five minutes, and nothing else is', () => {
  const [secret, other] = [newWebhookSecret(), newWebhookSecret()]
  const sent = at()
  const [id, body] = ['msg_1', Buffer.from('{"a":"ü"}')]
  const signature = new Webhook(secret).sign(id, sent, String(body))
  const message = { id, timestamp: String(Math.floor(sent.getTime() / 1_000)), signature, body }
  const later = (seconds: number) => new Date(Number(message.timestamp) * 1_000 + seconds * 1_000)
  for (const seconds of [-300, 0, 300]) expect(isWebhookSigned(message, [other, secret], later(seconds))).toBe(true)
  for (const seconds of [-301, 301]) expect(isWebhookSigned(message, [secret], later(seconds))).toBe(false)
  expect(isWebhookSigned(message, [other], sent)).toBe(false)
  for (const wrong of [
    { id: 'msg_2' },
    { timestamp: String(Number(message.timestamp) + 1) },
    { body: Buffer.from('{}') },
    { signature: '' },
    { signature: signature.replace('v1,', 'v2,') },
    { signature: signature.slice(0, -1) },
  ])
    expect(isWebhookSigned({ ...message, ...wrong }, [secret], sent), JSON.stringify(wrong)).toBe(false)
})
