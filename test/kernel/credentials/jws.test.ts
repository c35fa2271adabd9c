import { assert, constantFrom, integer, property } from 'fast-check'
import { CompactSign, compactVerify, importJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  isSignedBy,
  newEd25519,
  privateKeyOf,
  publicKeyOf,
  readJws,
  signJws,
  thumbprint,
} from '#kernel/credentials/jws'

/** RFC 8037, A.1 and A.3. */
const RFC = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
} as const

const jwk = newEd25519()
const kid = thumbprint(jwk)
const at = { typ: 'thing+jwt', kid, key: privateKeyOf(jwk) }
const text = signJws({ said: 'so' }, at)

it('calls a key what RFC 8037 calls it', () =>
  expect(thumbprint(RFC)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'))

it('is what jose signs and verifies', async () => {
  const theirs = await new CompactSign(Buffer.from('{"said":"so"}'))
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'thing+jwt' })
    .sign(await importJWK(jwk, 'EdDSA'))
  expect(text).toBe(theirs)
  const { payload } = await compactVerify(text, await importJWK({ ...jwk, d: undefined }, 'EdDSA'))
  expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ said: 'so' })
})

it('parses a private key once, and each one for itself', () => {
  const [one, other] = [newEd25519(), newEd25519()]
  expect(privateKeyOf(one)).toBe(privateKeyOf(one))
  const said = readJws(signJws({ said: 'so' }, { typ: 'thing+jwt', kid, key: privateKeyOf(other) }))!
  expect([one, other].map((each) => isSignedBy(said, publicKeyOf(each)))).toEqual([false, true])
})

it('is read before it is believed', () => {
  const said = readJws(text)!
  expect(said).toMatchObject({ kid, typ: 'thing+jwt', payload: { said: 'so' } })
  expect(isSignedBy(said, publicKeyOf(jwk))).toBe(true)
  expect(isSignedBy(said, publicKeyOf(newEd25519()))).toBe(false)
})

describe('reads nothing', () => {
  const [header, payload, signature] = text.split('.') as [string, string, string]
  const withHeader = (fields: object) =>
    `${Buffer.from(JSON.stringify(fields)).toString('base64url')}.${payload}.${signature}`
  it.each([
    ['that is no text', 7],
    ['of two parts', `${header}.${payload}`],
    ['of four parts', `${text}.x`],
    ['with padding', `${text}=`],
    ['with a space', ` ${text}`],
    ['without a signature', `${header}.${payload}.`],
    ['with an algorithm of its own', withHeader({ alg: 'none', kid, typ: 'thing+jwt' })],
    ['with HMAC', withHeader({ alg: 'HS256', kid, typ: 'thing+jwt' })],
    ['with a key of its own', withHeader({ alg: 'EdDSA', kid, typ: 'thing+jwt', jwk })],
    ['with what must be understood', withHeader({ alg: 'EdDSA', kid, typ: 'thing+jwt', crit: ['b64'] })],
    ['without a kid', withHeader({ alg: 'EdDSA', typ: 'thing+jwt' })],
    ['that is longer than it may be', signJws({ said: 'x'.repeat(70_000) }, at)],
  ])('%s', (_what, bad) => expect(readJws(bad)).toBeUndefined())
})

it('no character can be changed', () => {
  const key = publicKeyOf(jwk)
  assert(
    property(
      integer({ min: 0, max: text.length - 1 }),
      constantFrom('A', 'z', '0', '9', '-', '_', '.', '='),
      (place, sign) => {
        const altered = text.slice(0, place) + sign + text.slice(place + 1)
        const said = readJws(altered)
        expect(altered === text || said === undefined || !isSignedBy(said, key)).toBe(true)
      },
    ),
    { numRuns: 400 },
  )
})
