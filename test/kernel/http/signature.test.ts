/** RFC 9421 and RFC 9530: their own test vectors, and the contract's golden vector. */
import fc from 'fast-check'
import { httpbis } from 'http-message-signatures'
import { parseDictionary, serializeDictionary, serializeInnerList } from 'structured-headers'
import type { InnerList } from 'structured-headers'
import { expect, test } from 'vitest'
import {
  contentDigest,
  coveredComponents,
  hmacSha256,
  isHmacSha256,
  receivedSignatures,
  signMessage,
  signatureBase,
  signatureHeaders,
  signedMessage,
} from '#kernel/http/message-signature'

const K = Buffer.from(Array.from({ length: 32 }, (_, byte) => byte))
const BODY = Buffer.from('{"instanceId":"inst_01","fingerprint":"fp1:9f86d081884c7d65","seq":7}')
const URL_ASKED = new URL('https://license.example.test/api/v1/license/heartbeat')
const PARAMETERS = {
  created: 1767225600,
  expires: 1767225900,
  nonce: 'Zm9vYmFyYmF6cXV4MTIzNA',
  keyid: 'lic_7QpX2m',
  alg: 'hmac-sha256',
  tag: 'daybook-license-v1',
}
const message = signedMessage('POST', URL_ASKED, 'application/json', BODY)
const signed = signMessage(message, { label: 'lic', parameters: PARAMETERS, signer: hmacSha256(K) })
const headers = signatureHeaders(message, [signed])

test('RFC 9421, B.2.5: the signature with HMAC-SHA-256', () => {
  const key = Buffer.from(
    'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==',
    'base64',
  )
  const components = [
    ['"date"', 'Tue, 20 Apr 2021 02:07:55 GMT'],
    ['"@authority"', 'example.com'],
    ['"content-type"', 'application/json'],
  ] as const
  const input = '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"'
  expect(hmacSha256(key)(signatureBase(components, input)).toString('base64')).toBe(
    'pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=',
  )
})

test('RFC 9530, 2 and D: the digest of a body, and of none', () => {
  expect(contentDigest(Buffer.from('{"hello": "world"}\n'))).toBe(
    'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:',
  )
  expect(contentDigest(Buffer.alloc(0))).toBe('sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:')
})

test('the golden vector of the contract', () => {
  expect(headers['content-digest']).toBe('sha-256=:LrjwCbcl2ZqGyTpnsCxvBtaWqP8EKgTz0Y7uHBrhL6o=:')
  expect(headers['signature-input']).toBe(
    'lic=("@method" "@authority" "@path" "@query" "content-type" "content-digest");created=1767225600;expires=1767225900;nonce="Zm9vYmFyYmF6cXV4MTIzNA";keyid="lic_7QpX2m";alg="hmac-sha256";tag="daybook-license-v1"',
  )
  expect(headers.signature).toBe('lic=:XKowm/UIOZqm3zSjsHC7tscdKnbWuqxEIJjRmPnR1lo=:')
})

test('what was signed is received as it was signed', () => {
  const received = receivedSignatures(headers['signature-input'], headers.signature)!.get('lic')!
  expect(received).toMatchObject({
    label: 'lic',
    input: signed.input,
    components: expect.stringContaining('"@method"'),
  })
  expect(Object.fromEntries(received.parameters)).toEqual(PARAMETERS)
  expect(isHmacSha256(K, signatureBase(coveredComponents(message), received.input), received.signature)).toBe(true)
})

test('whatever has a second spelling is no signature', () => {
  const { 'signature-input': input, signature } = headers
  const others: [string, string][] = [
    [`${input}, ${input}`, signature],
    [input, `${signature}, ${signature}`],
    [input.replace(';nonce', ';nonce="x";nonce'), signature],
    [input.replace('("@method" ', '("@method"  '), signature],
    [input.replace('=1767225600', '=1767225600.0'), signature],
    [`${input},`, signature],
    [input, signature.replace('=:', ':')],
    [input, 'lic=("a")'],
    [input, `${signature};x=1`],
    [input, signature.replace('lic', 'other')],
    [input, ''],
    ['', signature],
    ['lic', signature],
    ['lic="text"', signature],
    [`${input}, `, signature],
    [` ${input}`, signature],
    [`${input}\n`, signature],
    [input, `${signature} `],
    [input.replace('lic=', 'Lic='), signature.replace('lic=', 'Lic=')],
    [input.replace('"@method" "@authority"', '"@method""@authority"'), signature],
    [input.replace('"content-digest")', '"content-digest" )'), signature],
    [input.replace(';created', '; created'), signature],
    [input.replace('=1767225600', '=01767225600'), signature],
    [input.replace('=1767225600', '=-0'), signature],
    [input.replace('=1767225600', '=1767225600000000'), signature],
    [input.replace('"lic_7QpX2m"', '"lic_\\"7QpX2m"'), signature],
    [input.replace('"lic_7QpX2m"', '"lic_é"'), signature],
    [input.replace(';keyid="lic_7QpX2m"', ';keyid'), signature],
    [input.replace('"@method"', '"@method";key="a";key="b"'), signature],
    [input.replace(';keyid="lic_7QpX2m"', ';keyid=lic'), signature],
    [input, signature.replace('lo=:', 'lp=:')],
  ]
  for (const [some, other] of others) expect(receivedSignatures(some, other), `${some} ${other}`).toBeUndefined()
  expect(receivedSignatures('', '')?.size).toBe(0)
})

/** The headers with parts removed, repeated, or with strange parts added. */
const altered = (text: string) =>
  fc
    .array(
      fc.record({
        at: fc.nat({ max: text.length }),
        leaves: fc.nat({ max: 12 }),
        puts: fc.oneof(
          fc.constantFrom(
            '',
            ' ',
            '"',
            ';',
            '=',
            ':',
            ',',
            ', ',
            '0',
            '-',
            '?1',
            '1.0',
            ';a=1',
            ';b="x"',
            'inst=()',
            'a=:AA==:',
            '\\"',
          ),
          fc.nat({ max: text.length - 20 }).map((from) => text.slice(from, from + 20)),
        ),
      }),
      { maxLength: 3 },
    )
    .map((edits) =>
      edits.reduce((left, { at, leaves, puts }) => left.slice(0, at) + puts + left.slice(at + leaves), text),
    )

test('whatever is received, another parser reads alike and spells alike', () => {
  let received = 0
  fc.assert(
    fc.property(altered(headers['signature-input']), altered(headers.signature), (input, signature) => {
      const ours = receivedSignatures(input, signature)
      if (!ours) return
      received += 1
      expect(serializeDictionary(parseDictionary(signature))).toBe(signature)
      const theirs = parseDictionary(input)
      expect(serializeDictionary(theirs)).toBe(input)
      expect([...ours.keys()]).toEqual([...theirs.keys()])
      for (const [label, { components, parameters }] of ours) {
        const [items, others] = theirs.get(label) as InnerList
        expect(components).toBe(serializeInnerList([items, new Map()]))
        expect([...parameters]).toEqual([...others])
      }
    }),
    { numRuns: 5_000 },
  )
  expect(received).toBeGreaterThan(100)
})

test('a request signed by another implementation is received, and one altered in any component is not', async () => {
  for (const part of [undefined, 'method', 'authority', 'path', 'query', 'contentType', 'contentDigest'] as const) {
    const url = 'https://license.example.test:8443/api/v1/license/versions?channel=stable'
    const theirs = await httpbis.signMessage(
      {
        key: { id: 'lic_7QpX2m', alg: 'hmac-sha256', sign: async (base) => hmacSha256(K)(base) },
        name: 'lic',
        fields: ['@method', '@authority', '@path', '@query', 'content-type', 'content-digest'],
        params: ['tag', 'keyid', 'nonce', 'alg', 'created', 'expires'],
        paramValues: { nonce: 'Zm9vYmFyYmF6cXV4MTIzNA', tag: 'daybook-license-v1' },
      },
      { method: 'GET', url, headers: { 'Content-Type': 'application/json', 'Content-Digest': contentDigest(BODY) } },
    )
    const { 'Signature-Input': input, Signature: signature } = theirs.headers as Record<string, string>
    const received = receivedSignatures(input!, signature!)!.get('lic')!
    const ours = signedMessage('GET', new URL(url), 'application/json', BODY)
    const altered = part === undefined ? ours : { ...ours, [part]: `${ours[part]}x` }
    expect(isHmacSha256(K, signatureBase(coveredComponents(altered), received.input), received.signature), part).toBe(
      !part,
    )
  }
})
