/** The log: one JSON line per event, for operators. Nothing secret or personal may stand in it, whoever wrote the line. */
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import '../credentials/secret-token.ts'
import '../outbound/standard-webhooks.ts'
import { secretRegExps } from '../lib/secret-pattern.ts'

const REDACTED = '[redacted]'

/** Secrets by their name: as far down as a log line is ever nested, and in addresses (`?sseToken=…`, `#token=…`). */
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

/** Each starts only where a word starts: otherwise a long line of word characters would cost its length squared. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`([?&#](?:${SECRET_FIELDS.join('|')})=)[^&#\\s"'<>]+`, 'gi'), '$1[secret]'],
  [/(?<![\w-])[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}(?![\w-])/g, '[token]'],
  [/(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]{1,64}@[\p{L}\p{N}.-]{1,255}/gu, '[email]'],
]
/** What a line must contain for any of these to apply; most lines do not, and are written as they are. */
const SUSPICIOUS = /@|=|[\w-]{10}\.[\w-]{10}/

export interface LoggerOptions {
  /** `trace` … `fatal`, `silent`. */
  readonly level: string
  /** Default: standard output. */
  readonly destination?: DestinationStream
  /** Texts that stand in no line, whoever writes them there: libraries repeat what they were given. */
  readonly withheld?: readonly string[]
}

/** Masks whole lines on their way out, so messages, bindings, errors and their details are all covered. */
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

/** A line of JSON with everything masked that looks like a secret, a signed token or an e-mail address. */
export function maskLine(line: string): string {
  if (!SUSPICIOUS.test(line) && !secretRegExps().begins.test(line)) return line
  return `${JSON.stringify(JSON.parse(line), (_name, value: unknown) => (typeof value === 'string' ? maskText(value) : value))}\n`
}

export function maskText(text: string): string {
  const left = text.replace(secretRegExps().anywhere, '[secret]')
  return MASKS.reduce((rest, [pattern, mask]) => rest.replace(pattern, mask), left)
}
