/** The worked example of docs/licensing/signed-requests.md is what the client signs and accepts, byte by byte. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { privateKeyOf, thumbprint } from '#kernel/credentials/jws'
import { coveredComponents, receivedSignatures, signatureBase, signedMessage } from '#kernel/http/message-signature'
import type { LabelledSignature } from '#kernel/http/message-signature'
import { judgeAnswer } from '../../../src/license-client/judge-answer.ts'
import { secretOf } from '../../../src/license-client/license-api.ts'
import { newMemory } from '../../../src/license-client/memory.ts'
import { signedHeaders } from '../../../src/license-client/signed-request.ts'

const PAGE = join(import.meta.dirname, '../../../docs/licensing/signed-requests.md')
const blocks = new Map(
  [...readFileSync(PAGE, 'utf8').matchAll(/^```\w+ ([a-z-]+)\n(.*?)\n```$/gms)].map(([, name, text]) => [name!, text!]),
)

const Key = z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })
const Values = z.strictObject({
  url: z.url(),
  created: z.int(),
  keyId: z.string(),
  k: z.string(),
  instanceId: z.uuid(),
  instanceKey: Key.extend({ d: z.string() }),
  thumbprint: z.string(),
  rootKey: Key,
  rootThumbprint: z.string(),
})

const read = new Set<string>()

function block(name: string): string {
  read.add(name)
  const text = blocks.get(name)
  if (text === undefined) throw new Error(`The page has no block ${name}`)
  return text
}

const values = Values.parse(JSON.parse(block('values')))
const licenseKey = block('license-key')

/** The header fields of a block, by their names in lower case. */
function headersOf(name: string): Record<string, string> {
  const lines = block(name).split('\n')
  const fields = lines.map((line) => /^([A-Za-z-]+): (.*)$/.exec(line)!)
  return Object.fromEntries(fields.map(([, field, value]) => [field!.toLowerCase(), value!]))
}

const signaturesOf = (headers: Record<string, string>) =>
  receivedSignatures(headers['signature-input']!, headers['signature']!)!

const nonceOf = (name: string) => String(signaturesOf(headersOf(name)).get('lic')!.parameters.get('nonce'))

const versions = {
  method: 'GET' as const,
  url: new URL('/api/v1/license/versions?channel=stable', values.url),
  body: Buffer.alloc(0),
}
const heartbeat = {
  method: 'POST' as const,
  url: new URL('/api/v1/license/heartbeat', values.url),
  body: Buffer.from(block('heartbeat-body')),
}

/** The base of one signature of a request, from the components that the service covers. */
function baseOf({ method, url, body }: typeof versions | typeof heartbeat, headers: string, label: string): string {
  const signatures = signaturesOf(headersOf(headers))
  const over: LabelledSignature | undefined = label === 'inst' ? signatures.get('lic') : undefined
  const components = coveredComponents(signedMessage(method, url, 'application/json', body), over)
  return signatureBase(components, signatures.get(label)!.input).toString()
}

test('the keys are those of the values', () => {
  const { keyId, k } = secretOf(licenseKey)
  expect({ keyId, k: k.toString('base64url') }).toEqual({ keyId: values.keyId, k: values.k })
  expect(thumbprint(values.instanceKey)).toBe(values.thumbprint)
  expect(thumbprint(values.rootKey)).toBe(values.rootThumbprint)
})

test.each([
  { name: 'versions', request: versions, instance: undefined },
  {
    name: 'heartbeat',
    request: heartbeat,
    instance: { instanceId: values.instanceId, privateKey: privateKeyOf(values.instanceKey) },
  },
])('the headers of $name are what the client signs', ({ name, request, instance }) => {
  const signed = signedHeaders({
    ...request,
    license: secretOf(licenseKey),
    instance,
    at: new Date(values.created * 1_000),
    nonce: nonceOf(`${name}-headers`),
  })
  expect(headersOf(`${name}-headers`)).toEqual(signed)
})

test('the signature bases are those of the headers', () => {
  expect(block('versions-base')).toBe(baseOf(versions, 'versions-headers', 'lic'))
  expect(block('heartbeat-lic-base')).toBe(baseOf(heartbeat, 'heartbeat-headers', 'lic'))
  expect(block('heartbeat-inst-base')).toBe(baseOf(heartbeat, 'heartbeat-headers', 'inst'))
})

const memory = {
  ...newMemory(),
  instanceKey: values.instanceKey,
  instanceId: values.instanceId,
  licenseKey,
  manifest: block('manifest'),
}
const root = { kid: values.rootThumbprint, jwk: values.rootKey }
const judge = (nonce: string) =>
  judgeAnswer(memory, { lease: block('lease') }, { nonce, licenseKey, offset: 0 }, { root, now: values.created })

test('the client accepts the lease as the answer to the heartbeat, and to no other request', () => {
  expect(judge(nonceOf('heartbeat-headers'))).toMatchObject({ outcome: 'GOOD', lease: { st: 'OK' }, isPartial: false })
  expect(judge(nonceOf('versions-headers'))).toEqual({ outcome: 'BAD' })
})

test('every block of the page is compared', () => {
  expect([...blocks.keys()].toSorted()).toEqual([...read].toSorted())
})
