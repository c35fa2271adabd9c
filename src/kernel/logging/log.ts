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

/** Names of secret fields, masked at every depth and in URLs (`?sseToken=…`, `#token=…`). */
const SECRET_FIELDS = new Set([
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
])
const SECRET_NAMES = [...SECRET_FIELDS].join('|')

/** Each pattern matches only at the start of a word: otherwise a long line of word characters costs quadratic time. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`([?&#](?:${SECRET_NAMES})=)[^&#\\s"'<>]+`, 'gi'), '$1[secret]'],
  [/(?<![\w-])[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}(?![\w-])/g, '[token]'],
  [/(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]{1,64}@[\p{L}\p{N}.-]{1,255}/gu, '[email]'],
]
/**
 * A line that matches neither this nor the beginning of a secret has nothing to mask and is written unchanged, as most
 * lines are. Each alternative begins with a fixed character: a search for the word before the dot costs ten times as
 * much as the rest of the line.
 */
const SUSPICIOUS = new RegExp(`[@=]|\\.[\\w-]{10}|"(?:${SECRET_NAMES})":`)

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
  const spelled = withheld.map((text) => JSON.stringify(text).slice(1, -1))
  const without = (line: string) => spelled.reduce((left, text) => left.replaceAll(text, '[secret]'), line)
  const options = { level, base: null, hooks: { streamWrite: (line: string) => maskLine(without(line)) } }
  return destination ? pino(options, destination) : pino(options)
}

/** Masks secret fields, secrets, signed tokens and e-mail addresses in a line of JSON. */
export function maskLine(line: string): string {
  if (!SUSPICIOUS.test(line) && !secretRegExps().begins.test(line)) return line
  return `${JSON.stringify(JSON.parse(line), maskValue)}\n`
}

function maskValue(name: string, value: unknown): unknown {
  if (SECRET_FIELDS.has(name)) return REDACTED
  return typeof value === 'string' ? maskText(value) : value
}

export function maskText(text: string): string {
  const left = text.replace(secretRegExps().anywhere, '[secret]')
  return MASKS.reduce((rest, [pattern, mask]) => rest.replace(pattern, mask), left)
}
