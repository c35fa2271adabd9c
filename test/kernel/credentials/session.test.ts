import { createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sessionSigner } from '#kernel/credentials/access-token'
import { ed25519FromSeed } from '#kernel/credentials/jws'

const seed = Buffer.alloc(32, 9)
const config = { seed, issuer: 'https://daybook.test', audience: 'staff' }
const signer = sessionSigner(config)
const { privateKey, publicKey } = ed25519FromSeed(seed)
const now = new Date('2026-11-20T12:00:00.700Z')
const iat = Math.floor(now.getTime() / 1000)
const header = { alg: 'EdDSA', typ: 'at+jwt' }
const claims = {
  iss: config.issuer,
  aud: config.audience,
  sub: 'account-1',
  sid: 'session-1',
  jti: 'token-1',
  iat,
  exp: iat + 900,
}
const good = await signer.sign({ sub: 'account-1', sid: 'session-1', at: now, extra: { second: true } })

describe('an access token', () => {
  test('carries what was signed, for 15 minutes, and a name of its own', async () => {
    const [head, body] = good.split('.').map((part) => Buffer.from(part, 'base64url').toString())
    expect(JSON.parse(head ?? '')).toEqual(header)
    expect(JSON.parse(body ?? '')).toEqual({ ...claims, jti: expect.any(String) as string, extra: { second: true } })
    const other = await signer.sign({ sub: 'account-1', sid: 'session-1', at: now })
    const [first, second] = [await signer.verify(good, now), await signer.verify(other, now)]
    expect(first).toEqual({ sub: 'account-1', sid: 'session-1', jti: first?.jti, extra: { second: true } })
    expect(second).toEqual({ sub: 'account-1', sid: 'session-1', jti: second?.jti })
    expect(second?.jti).not.toBe(first?.jti)
  })

  test.each([
    [-1, false],
    [0, true],
    [899, true],
    [900, false],
    [901, false],
    [86_400, false],
  ])('%i seconds after it was issued: %s', async (age, isAlive) => {
    const verified = await signer.verify(good, new Date((iat + age) * 1000))
    expect(verified !== undefined).toBe(isAlive)
  })

  test('is never judged by a clock that shows no time', async () => {
    await expect(signer.verify(good, new Date(Number.NaN))).rejects.toThrow(RangeError)
  })

  test('written by hand with the same key and claims is one of ours: the forgeries below fail for their flaw alone', async () => {
    expect(await signer.verify(token(header, claims), now)).toEqual({
      sub: 'account-1',
      sid: 'session-1',
      jti: 'token-1',
    })
  })
})

describe('a forged or foreign token is refused', () => {
  const { exp: _exp, ...withoutExp } = claims
  const { jti: _jti, ...withoutJti } = claims
  const { sid: _sid, ...withoutSid } = claims
  const { iat: _iat, ...withoutIat } = claims
  const { sub: _sub, ...withoutSub } = claims
  const { iss: _iss, ...withoutIss } = claims
  const { aud: _aud, ...withoutAud } = claims
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  const stranger = generateKeyPairSync('ed25519').privateKey
  const jwk = publicKey.export({ format: 'jwk' })

  test.each([
    ['alg none', unsigned({ alg: 'none', typ: 'at+jwt' })],
    ['alg none, without typ', unsigned({ alg: 'none' })],
    ['alg None', unsigned({ alg: 'None', typ: 'at+jwt' })],
    ['EdDSA without a signature', unsigned(header)],
    ['HS256 with the public key, DER', hmac(spki)],
    ['HS256 with the public key, raw', hmac(spki.subarray(-32))],
    ['HS256 with the public key, PEM', hmac(publicKey.export({ format: 'pem', type: 'spki' }) as string)],
    ['HS256 with the public key, base64url', hmac(jwk.x ?? '')],
    ['HS256 with an empty key', hmac('')],
    ['a key of their own', token(header, claims, stranger)],
    ['a key of their own, in the header', token({ ...header, jwk }, claims, stranger)],
    ['another alg over a good signature', token({ ...header, alg: 'Ed448' }, claims)],
    ['no alg', token({ typ: 'at+jwt' }, claims)],
    ['no typ', token({ alg: 'EdDSA' }, claims)],
    ['typ JWT', token({ ...header, typ: 'JWT' }, claims)],
    ['typ license+jwt', token({ ...header, typ: 'license+jwt' }, claims)],
    ['an unknown crit', token({ ...header, crit: ['x'], x: 1 }, claims)],
    ['another issuer', token(header, { ...claims, iss: 'https://other.test' })],
    ['an issuer that begins the same', token(header, { ...claims, iss: `${config.issuer}.evil` })],
    ['no issuer', token(header, withoutIss)],
    ['another audience', token(header, { ...claims, aud: 'shop' })],
    ['no audience', token(header, withoutAud)],
    ['no subject', token(header, withoutSub)],
    ['no session', token(header, withoutSid)],
    ['no name', token(header, withoutJti)],
    ['a session that is no text', token(header, { ...claims, sid: 7 })],
    ['a name that is no text', token(header, { ...claims, jti: ['token-1'] })],
    ['no iat', token(header, withoutIat)],
    ['an iat in the future', token(header, { ...claims, iat: iat + 60 })],
    ['an iat that is text', token(header, { ...claims, iat: String(iat) })],
    ['an old iat with an exp to come', token(header, { ...claims, iat: iat - 901, exp: iat + 900 })],
    ['no exp', token(header, withoutExp)],
    ['an exp that is past', token(header, { ...claims, exp: iat })],
    ['an exp that is text', token(header, { ...claims, exp: 'never' })],
    ['an nbf to come', token(header, { ...claims, nbf: iat + 60 })],
    ['a payload that is no object', raw(header, '[]')],
    ['a payload that is no JSON', raw(header, '{"sub":')],
    ['a payload of null', raw(header, 'null')],
  ])('%s', async (_flaw, forged) => {
    expect(await signer.verify(forged, now)).toBeUndefined()
  })

  test('signed for another audience with the same key', async () => {
    const shop = sessionSigner({ ...config, audience: 'shop' })
    expect(await signer.verify(await shop.sign({ sub: 'a', sid: 's', at: now }), now)).toBeUndefined()
  })
})

describe('a good token in another spelling is refused', () => {
  const [head = '', body = '', signature = ''] = good.split('.')

  test.each([
    ['a line end', `${good}\n`],
    ['a blank in front', ` ${good}`],
    ['a blank within', good.replace('.', '. ')],
    ['padding', `${good}==`],
    ['one more character', `${good}A`],
    ['one character less', good.slice(0, -1)],
    ['a fourth part', `${good}.`],
    ['other spare bits in the signature', `${head}.${body}.${respelled(signature)}`],
    ['other spare bits in the header', `${respelled(head)}.${body}.${signature}`],
    ['two parts', `${head}.${body}`],
    ['no text', ''],
    ['dots', '..'],
    ['1 MB', `${head}.${'A'.repeat(1_000_000)}.${signature}`],
  ])('%s', async (_flaw, text) => {
    expect(text).not.toBe(good)
    expect(await signer.verify(text, now)).toBeUndefined()
  })

  test('any changed character, any other text: refused, nothing thrown', async () => {
    const change = fc.tuple(fc.nat(good.length - 1), fc.constantFrom(...Array.from('AQgwZz09-_.+/= \n')))
    await fc.assert(
      fc.asyncProperty(change, async ([at, character]) => {
        fc.pre(good[at] !== character)
        return (await signer.verify(good.slice(0, at) + character + good.slice(at + 1), now)) === undefined
      }),
      { numRuns: 1_000 },
    )
    await fc.assert(fc.asyncProperty(fc.string(), async (text) => (await signer.verify(text, now)) === undefined))
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.json(), async (anyHeader, anyPayload) => {
        const forged = `${encoded(anyHeader)}.${encoded(anyPayload)}.${signature}`
        return (await signer.verify(forged, now)) === undefined
      }),
    )
  })
})

describe('the key of a seed', () => {
  test('is that of RFC 8032, 7.1, test 1', () => {
    const secret = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
    const { x = '' } = ed25519FromSeed(secret).publicKey.export({ format: 'jwk' })
    expect(Buffer.from(x, 'base64url').toString('hex')).toBe(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    )
  })

  test('needs 32 bytes', () => {
    for (const length of [0, 31, 33]) expect(() => ed25519FromSeed(Buffer.alloc(length))).toThrow(RangeError)
  })
})

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function raw(head: object, body: string, key: KeyObject = privateKey): string {
  const input = `${encoded(JSON.stringify(head))}.${encoded(body)}`
  return `${input}.${signBytes(null, Buffer.from(input), key).toString('base64url')}`
}

function token(head: object, body: object, key?: KeyObject): string {
  return raw(head, JSON.stringify(body), key)
}

function unsigned(head: object): string {
  return `${encoded(JSON.stringify(head))}.${encoded(JSON.stringify(claims))}.`
}

function hmac(key: string | Buffer): string {
  const input = `${encoded(JSON.stringify({ alg: 'HS256', typ: 'at+jwt' }))}.${encoded(JSON.stringify(claims))}`
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}

/** The same bytes with another last character, whose lowest bits are unused. */
function respelled(part: string): string {
  const bytes = Buffer.from(part, 'base64url')
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const other = Array.from(letters, (letter) => part.slice(0, -1) + letter).find(
    (text) => text !== part && Buffer.from(text, 'base64url').equals(bytes),
  )
  return other ?? `${part}=`
}
