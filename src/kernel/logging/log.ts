/**
 * The process log for operators, one JSON object per line.
 * It masks secrets and personal data, libraries' lines included.
 */
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import '../credentials/secret-token.ts'
import '../outbound/standard-webhooks.ts'
import { secretRegExps } from '../lib/secret-pattern.ts'

const REDACTED = '[redacted]'

/** Names of secret fields, masked at three levels of nesting and in URLs (`?sseToken=…`, `#token=…`). */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'token',
  'refreshToken',
  'accessToken',
  'sseToken',
  'setupToken',
  'licenseKey',
  'secretKey',
  'webhookSecret',
  'signature',
  'totp',
  'backupCode',
]

/** Each pattern matches only at the start of a word: otherwise a long line of word characters costs quadratic time. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`([?&#](?:${SECRET_FIELDS.join('|')})=)[^&#\\s"'<>]+`, 'gi'), '$1[secret]'],
  [/(?<![\w-])[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}(?![\w-])/g, '[token]'],
  [/(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]{1,64}@[\p{L}\p{N}.-]{1,255}/gu, '[email]'],
]
/** A line that does not match this matches none of the masks. Most lines do not match and are written unchanged. */
const SUSPICIOUS = /@|=|[\w-]{10}\.[\w-]{10}/

export interface LoggerOptions {
  /** `trace` … `fatal`, `silent`. */
  readonly level: string
  /** Default: standard output. */
  readonly destination?: DestinationStream
  /** Texts that are removed from every line: libraries may log their configuration. */
  readonly withheld?: readonly string[]
}

/** Masks complete lines before they are written, which covers messages, bindings, errors and their details. */
export function logger({ level, destination, withheld = [] }: LoggerOptions): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`])
  const spelled = withheld.map((text) => JSON.stringify(text).slice(1, -1))
  const without = (line: string) => spelled.reduce((left, text) => left.replaceAll(text, '[secret]'), line)
  const options = {
    level,
    base: null,
    redact: { paths, censor: REDACTED },
    hooks: { streamWrite: (line: string) => maskLine(without(line)) },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Masks secrets, signed tokens and e-mail addresses in a line of JSON. */
export function maskLine(line: string): string {
  if (!SUSPICIOUS.test(line) && !secretRegExps().begins.test(line)) return line
  return `${JSON.stringify(JSON.parse(line), (_name, value: unknown) => (typeof value === 'string' ? maskText(value) : value))}\n`
}

export function maskText(text: string): string {
  const left = text.replace(secretRegExps().anywhere, '[secret]')
  return MASKS.reduce((rest, [pattern, mask]) => rest.replace(pattern, mask), left)
}
