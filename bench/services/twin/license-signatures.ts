/** Verifies the signatures of the license client (RFC 9421, RFC 9530), in the one form in which it sends them. */
import { createHash, createHmac, createPublicKey, createSecretKey, timingSafeEqual, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { QueryResultRow as Row } from 'pg'
import type { Asked } from './process.ts'

export interface Signatures {
  readonly license: string
  readonly licenseInput: string
  readonly created: number
  readonly nonce: string
  readonly keyId: string
  readonly panel: string | undefined
  readonly panelInput: string | undefined
  readonly instanceId: string | null
}

export function signaturesOf({ header }: Asked): Signatures {
  const [licenseInput, panelInput] = header('signature-input').slice('lic='.length).split(', inst=') as [
    string,
    string?,
  ]
  const [license, panel] = header('signature').slice('lic='.length).split(', inst=') as [string, string?]
  const [, created, nonce, keyId] = /;created=(\d+);.*nonce="([^"]+)";keyid="([^"]+)"/.exec(licenseInput)!
  const instanceId = /;keyid="([^"]+)"/.exec(panelInput ?? '')?.[1] ?? null
  return {
    license,
    licenseInput,
    created: Number(created),
    nonce: nonce!,
    keyId: keyId!,
    panel,
    panelInput,
    instanceId,
  }
}

export const coveredLines = ({ path, header }: Asked, authority: string): string[] => [
  '"@method": POST',
  `"@authority": ${authority}`,
  `"@path": ${path}`,
  '"@query": ?',
  `"content-type": ${header('content-type')}`,
  `"content-digest": ${header('content-digest')}`,
]

const baseOf = (lines: readonly string[], input: string): Buffer =>
  Buffer.from([...lines, `"@signature-params": ${input}`].join('\n'))

/** Of `:…:`. */
const bytesOf = (signature: string): Buffer => Buffer.from(signature.slice(1, -1), 'base64')

export function isLicenses({ secret }: Row, lines: readonly string[], { license, licenseInput }: Signatures): boolean {
  const wanted = createHmac('sha256', secretOf(secret)).update(baseOf(lines, licenseInput)).digest()
  const found = bytesOf(license)
  return found.length === wanted.length && timingSafeEqual(found, wanted)
}

/** An activation has no signature of the panel. */
export function isPanels(row: Row, lines: readonly string[], { license, panel, panelInput }: Signatures): boolean {
  if (panel === undefined || panelInput === undefined) return true
  if (row['public_key'] === null) return false
  const base = baseOf([...lines, `"signature";key="lic": ${license}`], panelInput)
  return verify(null, base, publicKeyOf(row['public_key']), bytesOf(panel))
}

/** As the service does, because parsing a key costs half as much as using it. The row decides whether it is valid. */
function kept(parsed: (text: string) => KeyObject): (text: string) => KeyObject {
  const known = new Map<string, KeyObject>()
  return (text) => {
    const key = known.get(text) ?? parsed(text)
    known.set(text, key)
    return key
  }
}

const secretOf = kept((text) => createSecretKey(text, 'base64url'))
const publicKeyOf = kept((x) => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }))

export const digestOf = (body: string): string => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
