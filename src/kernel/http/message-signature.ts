/**
 * HTTP message signatures (RFC 9421) and content digests (RFC 9530), restricted to one fixed list of
 * components, all of them covered, in one canonical spelling. Pure functions, shared by signers,
 * verifiers and tests.
 *
 * label: the name of a signature, which connects its Signature-Input and its Signature.
 * input: the inner list and parameters of a signature as they were sent; `@signature-params` repeats
 * them.
 * base: the text that is signed.
 */
import { createHmac, hash, sign, timingSafeEqual, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { serializeParameters } from 'structured-headers'

/** What a signature covers, in this order (RFC 9421, 2). */
export interface SignedMessage {
  readonly method: string
  /** Lower case, without the scheme's default port. */
  readonly authority: string
  /** As on the request line, up to the question mark. */
  readonly path: string
  /** As on the request line, from the question mark on; `?` if there is none. */
  readonly query: string
  readonly contentType: string
  readonly contentDigest: string
}

export interface SignatureParameters {
  /** Unix seconds. */
  readonly created: number
  readonly expires?: number
  readonly nonce?: string
  readonly keyid: string
  readonly alg: string
  readonly tag?: string
}

/** A signature and its label: another signature may cover it. */
export interface LabelledSignature {
  readonly label: string
  readonly signature: Uint8Array
}

export interface ReceivedSignature extends LabelledSignature {
  readonly input: string
  /** The inner list without the parameters. */
  readonly components: string
  readonly parameters: ReadonlyMap<string, unknown>
}

export type Signer = (base: Buffer) => Buffer
export type SignatureComponent = readonly [name: string, value: string]

/** @param over another signature of the same message that this one also covers */
export function coveredComponents(message: SignedMessage, over?: LabelledSignature): readonly SignatureComponent[] {
  return [
    ['"@method"', message.method],
    ['"@authority"', message.authority],
    ['"@path"', message.path],
    ['"@query"', message.query],
    ['"content-type"', message.contentType],
    ['"content-digest"', message.contentDigest],
    ...(over ? [[`"signature";key="${over.label}"`, byteSequence(over.signature)] as const] : []),
  ]
}

/** RFC 9651, 4.1.8. That of structured-headers joins the bytes one by one, which takes ten times as long. */
const byteSequence = (bytes: Uint8Array): string => `:${Buffer.from(bytes).toString('base64')}:`

/** The inner list for the covered components, without parameters. */
export const innerListOf = (components: readonly SignatureComponent[]): string =>
  `(${components.map(([name]) => name).join(' ')})`

/** RFC 9421, 2.5. */
export function signatureBase(components: readonly SignatureComponent[], input: string): Buffer {
  const lines = components.map(([name, value]) => `${name}: ${value}`)
  return Buffer.from([...lines, `"@signature-params": ${input}`].join('\n'))
}

/** RFC 9530, 2. */
export const contentDigest = (body: Uint8Array): string => `sha-256=:${hash('sha256', body, 'base64')}:`

export function signedMessage(method: string, url: URL, contentType: string, body: Uint8Array): SignedMessage {
  return {
    method,
    authority: url.host,
    path: url.pathname,
    query: url.search === '' ? '?' : url.search,
    contentType,
    contentDigest: contentDigest(body),
  }
}

/** @returns the values for Signature-Input and Signature under `label` */
export function signMessage(
  message: SignedMessage,
  {
    label,
    parameters,
    signer,
    over,
  }: { label: string; parameters: SignatureParameters; signer: Signer; over?: LabelledSignature },
): LabelledSignature & { readonly input: string } {
  const components = coveredComponents(message, over)
  const { created, expires, nonce, keyid, alg, tag } = parameters
  const given = Object.entries({ created, expires, nonce, keyid, alg, tag }).filter(([, value]) => value !== undefined)
  const input = innerListOf(components) + serializeParameters(new Map(given as [string, string | number][]))
  return { label, input, signature: signer(signatureBase(components, input)) }
}

/** The request headers that carry these signatures. */
export function signatureHeaders(
  message: SignedMessage,
  signatures: readonly (LabelledSignature & { readonly input: string })[],
): Record<'content-type' | 'content-digest' | 'signature-input' | 'signature', string> {
  return {
    'content-type': message.contentType,
    'content-digest': message.contentDigest,
    'signature-input': signatures.map(({ label, input }) => `${label}=${input}`).join(', '),
    signature: signatures.map(({ label, signature }) => `${label}=${byteSequence(signature)}`).join(', '),
  }
}

/** The part of RFC 9651 that signatures need, only in the canonical spelling that it requires of senders. */
const NAME = '[a-z*][a-z0-9_.*-]*'
const STRING = '"([ !#-\\[\\]-~]*)"'
const INTEGER = '(0|-?[1-9][0-9]{0,14})'
const PARAMETER = `;(${NAME})=(?:${STRING}|${INTEGER})`
const uncaptured = (pattern: string): string => pattern.replaceAll(/\((?!\?)/g, '(?:')
const PARAMETERS = `(?:${uncaptured(PARAMETER)})*`
const ITEM = uncaptured(STRING) + PARAMETERS
const MORE = '(?:, (?=.)|$)'
const INPUTS = new RegExp(`(${NAME})=((\\((?:${ITEM}(?: ${ITEM})*)?\\))(${PARAMETERS}))${MORE}`, 'y')
const SIGNATURES = new RegExp(`(${NAME})=:([A-Za-z0-9+/]*={0,2}):${MORE}`, 'y')
const EACH_PARAMETER = new RegExp(PARAMETER, 'g')
const EACH_ITEM = new RegExp(`${uncaptured(STRING)}(${PARAMETERS})`, 'g')

/**
 * The signatures of a request by their labels. A value that is not in its canonical spelling is
 * rejected: parsers disagree, for example, on a label or parameter that is given twice.
 * @returns undefined unless the headers contain exactly one input and one signature for each label
 */
export function receivedSignatures(
  inputs: string,
  signatures: string,
): ReadonlyMap<string, ReceivedSignature> | undefined {
  const inputOf = membersOf(inputs, INPUTS)
  const signatureOf = membersOf(signatures, SIGNATURES)
  if (!inputOf || !signatureOf || inputOf.size !== signatureOf.size) return undefined
  const all = new Map<string, ReceivedSignature>()
  for (const [label, [, , input, components, parameters]] of inputOf) {
    const signature = bytesOf(signatureOf.get(label)?.[2])
    const read = parametersIn(parameters!)
    if (!signature || !read || hasRepeatedParameter(components!)) return undefined
    all.set(label, { label, input: input!, components: components!, parameters: read, signature })
  }
  return all
}

/** @param pattern sticky, for one member; its first group is the member's name */
function membersOf(text: string, pattern: RegExp): ReadonlyMap<string, RegExpExecArray> | undefined {
  const members = new Map<string, RegExpExecArray>()
  for (pattern.lastIndex = 0; pattern.lastIndex < text.length;) {
    const member = pattern.exec(text)
    if (!member || members.has(member[1]!)) return undefined
    members.set(member[1]!, member)
  }
  return members
}

/** Whether an item of the inner list has a parameter twice. Few items have parameters. */
const hasRepeatedParameter = (components: string): boolean =>
  components.includes(';') &&
  [...components.matchAll(EACH_ITEM)].some(([, ofItem]) => parametersIn(ofItem!) === undefined)

function parametersIn(text: string): ReadonlyMap<string, string | number> | undefined {
  const parameters = new Map<string, string | number>()
  for (const [, name, string, integer] of text.matchAll(EACH_PARAMETER)) {
    if (parameters.has(name!)) return undefined
    parameters.set(name!, string ?? Number(integer))
  }
  return parameters
}

function bytesOf(base64: string | undefined): Buffer | undefined {
  if (base64 === undefined) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 ? bytes : undefined
}

export const hmacSha256 =
  (key: KeyObject | Uint8Array): Signer =>
  (base) =>
    createHmac('sha256', key).update(base).digest()

/** In constant time. */
export function isHmacSha256(key: KeyObject | Uint8Array, base: Buffer, signature: Uint8Array): boolean {
  const expected = hmacSha256(key)(base)
  return expected.length === signature.length && timingSafeEqual(expected, signature)
}

export const ed25519 =
  (privateKey: KeyObject): Signer =>
  (base) =>
    sign(null, base, privateKey)

export const isEd25519 = (publicKey: KeyObject, base: Buffer, signature: Uint8Array): boolean =>
  signature.length === 64 && verify(null, base, publicKey, signature)
