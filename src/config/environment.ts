/** The environment variables and how each is parsed. */
import { isAbsolute, normalize, resolve } from 'node:path'
import { z } from 'zod'
import { parseAllowedIps } from '#kernel/credentials/allowed-ips'
import { publicKeyOf } from '#kernel/credentials/jws'
import type { Ed25519Jwk } from '#kernel/credentials/jws'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import type { SecretPattern } from '#kernel/lib/secret-pattern'
import { parseSender } from '#kernel/mail/mail'
import { parseSmtpUrl } from '#kernel/mail/smtp-url'
import type { SmtpServer } from '#kernel/mail/smtp-url'
import { checkEventStoreUrl } from '#kernel/store/kurrentdb/url'
import { parseKeyEncryptionKey } from '#kernel/vault/vault'
import { secretOf } from '../license-client/license-api.ts'
import { Jwk } from '../license-client/manifest.ts'
import { stripeKey, stripeWebhookSecret } from './stripe-secrets.ts'
import { required, InvalidVariable, variable } from './variable.ts'

const PORT_MAX = 65_535
/** The value of SHOP_URL that closes the shop. */
export const NO_SHOP = 'none'
const RULES_HOW = 'addresses and CIDR ranges separated by commas, which do not cover all addresses'
const KEY_HOW = '32 random bytes in base64, base64url or hex (openssl rand -base64 32), not an example value'

/** Example secrets in documentation, compose files and tutorials consist of these words. */
const EXAMPLE_WORDS =
  /^(?:a|admin|change|changeit|daybook|default|example|fill|here|in|insert|it|key|letmein|me|my|now|pass|passwd|password|placeholder|please|postgres|production|put|qwerty|replace|root|secret|some|strong|super|test|the|this|todo|value|with|x+|your)*$/
/** With more digits and signs than this, the text is not an example, whatever its letters are. */
const EXAMPLE_SIGNS_MAX = 12

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const databaseUrlVariable = variable(
  'the URL of a Postgres database, postgres://user:password@host:port/name, without an example password',
  databaseUrl,
)

export const ownerUrlVariable = variable(
  'the URL of the same database with the login that owns it, for migrate and restore, without an example password',
  databaseUrl,
)

/** For evaluations, whichever service a command is about. */
export const dataDirectoryVariables = {
  DAYBOOK_DATA_DIR: variable('the directory of an evaluation, by default .daybook', resolve),
}

/** For `daybook root-key`. Not trimmed: a space at an end belongs to the passphrase. */
export const rootKeyVariables = {
  DAYBOOK_ROOT_PASSPHRASE: z.string().optional().describe('the passphrase of the root key file'),
}

/** Parsed in the same way by both services, each for itself. */
export const sharedVariables = {
  EVENT_STORE_URL: variable(
    'the URL of a KurrentDB, kurrentdb://user:password@host:2113 or kurrentdb+discover://, without an example password',
    eventStoreUrl,
  ),
  REDIS_URL: variable(
    'the URL of a Redis, redis://user:password@host:6379 or rediss://…, without an example password',
    redisUrl,
  ),
  SMTP_URL: variable(
    'the URL of a mail server, smtps://user:password@host:465 or smtp://…:587, without an example password',
    smtpUrl,
  ),
  MAIL_FROM: variable('a mail address, or a name and <an address>', parseSender),
  TRUSTED_PROXIES: variable(
    'addresses and CIDR ranges separated by commas, optionally with ;hops=N',
    parseTrustedProxies,
  ),
  LOG_LEVEL: variable(`one of ${LOG_LEVELS.join(', ')}`, logLevel),
  AUTH_FAILURES_PER_MINUTE: variable('a whole number, 1 to 1000000', (text) => integer(text, 1, 1_000_000)),
  METRICS_ALLOW: variable(RULES_HOW, rules),
  PAGES_DIR: variable('the absolute path of the directory that "daybook pages" has filled', absolutePath),
}

/** For the licensing service. */
const commonVariables = {
  ...sharedVariables,
  DATABASE_OWNER_URL: ownerUrlVariable,
  STRIPE_SECRET_KEY: variable(
    'a secret or restricted key of Stripe, sk_… or rk_…',
    stripeSecret(stripeKey, ['sk', 'rk'], /^.._(?:live|test)_/),
  ),
  STRIPE_WEBHOOK_SECRET: variable(
    'the signing secret of a Stripe endpoint, whsec_…',
    stripeSecret(stripeWebhookSecret, ['whsec'], /^whsec_/),
  ),
  STRIPE_API_BASE: variable('an http(s) URL without path, query or credentials', (text) => new URL(origin(text))),
  INVOICE_SELLER: variable('up to 8 lines of 100 characters, separated by |', sellerLines),
  FILES_DIR: variable('the absolute path of a directory', absolutePath),
  SHOP_URL: variable('an http(s) URL without query or credentials, or none', (text) =>
    text === NO_SHOP ? text : pageUrl(text),
  ),
  LICENSING_PORT: variable(`a port, 1 to ${PORT_MAX}`, (text) => integer(text, 1, PORT_MAX)),
  LICENSING_HOST: variable('a host name or an IP address to listen on', hostName),
  WEBHOOK_ALLOW: variable(RULES_HOW, rules),
  DAYBOOK_ADMIN_EMAIL: variable('an e-mail address', (text) => z.email().parse(text)),
  DAYBOOK_ADMIN_PASSWORD: variable('a password of your own, not an example', notAnExample),
}

export const evaluationVariables = {
  ...commonVariables,
  LICENSING_URL: variable('an http(s) URL without path, query or credentials', origin),
  DATABASE_URL: databaseUrlVariable,
  DAYBOOK_SECRET_KEY: variable(KEY_HOW, secretKey),
}

export const productionVariables = {
  ...commonVariables,
  LICENSING_URL: required(evaluationVariables.LICENSING_URL),
  DATABASE_URL: required(databaseUrlVariable),
  DAYBOOK_SECRET_KEY: required(evaluationVariables.DAYBOOK_SECRET_KEY),
}

export const panelEvaluationVariables = {
  ...sharedVariables,
  PANEL_PORT: variable(`a port, 1 to ${PORT_MAX}`, (text) => integer(text, 1, PORT_MAX)),
  PANEL_HOST: variable('a host name or an IP address to listen on', hostName),
  PANEL_URL: variable('an http(s) URL without path, query or credentials', origin),
  PANEL_DATABASE_URL: databaseUrlVariable,
  PANEL_DATABASE_OWNER_URL: ownerUrlVariable,
  PANEL_SECRET_KEY: variable(KEY_HOW, secretKey),
  PANEL_DATA_DIR: variable('the absolute path of a directory', absolutePath),
  PANEL_IMAGES_DIR: variable('the absolute path of a directory', absolutePath),
  PANEL_AGENT_DIR: variable('the absolute path of a directory', absolutePath),
  LICENSE_SERVER_URL: variable('an http(s) URL without path, query or credentials', origin),
  LICENSE_ROOT_KEY: variable('the public half of the root key, as "daybook root-key" shows it', rootKey),
  DAYBOOK_LICENSE_KEY: variable('a license key', licenseKey),
  MAIL_ALLOW: variable(RULES_HOW, rules),
  GIT_ALLOW: variable(RULES_HOW, rules),
  DAYBOOK_LOCAL_AGENT: variable('on, or off: no agent beside the panel of an evaluation', onOrOff),
  RELEASE_SHA256: variable('64 hexadecimal digits, in lower case', sha256),
}

export const panelProductionVariables = {
  ...panelEvaluationVariables,
  PANEL_URL: required(panelEvaluationVariables.PANEL_URL),
  PANEL_DATABASE_URL: required(databaseUrlVariable),
  PANEL_SECRET_KEY: required(panelEvaluationVariables.PANEL_SECRET_KEY),
}

function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Error('neither on nor off')
  return text === 'on'
}

function sha256(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error('not a SHA-256')
  return text
}

function integer(text: string, min: number, max: number): number {
  const number = Number(text)
  if (!/^\d{1,9}$/.test(text) || number < min || number > max) throw new RangeError()
  return number
}

/** A JWK, or only its `x`. */
function rootKey(text: string): Ed25519Jwk {
  const { kty, crv, x } = Jwk.parse(text.startsWith('{') ? JSON.parse(text) : { kty: 'OKP', crv: 'Ed25519', x: text })
  publicKeyOf({ kty, crv, x })
  return { kty, crv, x }
}

function licenseKey(text: string): string {
  secretOf(text)
  return text
}

/** Other Stripe values that may be pasted by mistake, by their prefix. */
const STRIPE_KINDS: ReadonlyMap<string, string> = new Map([
  ['pk', 'this is a publishable key, which is for web pages'],
  ['sk', 'this is a secret key, which belongs in STRIPE_SECRET_KEY'],
  ['rk', 'this is a restricted key, which belongs in STRIPE_SECRET_KEY'],
  ['whsec', 'this is the signing secret of an endpoint, which belongs in STRIPE_WEBHOOK_SECRET'],
  ['we', 'this is the id of an endpoint: use its signing secret'],
])
const STRIPE_CHARACTERS_MIN = 16

/**
 * Explains what is wrong with a text in another format.
 * @param kinds the valid prefixes, up to `_`
 */
function stripeSecret(form: SecretPattern, kinds: readonly string[], prefix: RegExp) {
  return (text: string): string => {
    if (form.matches(text)) return text
    const [kind] = text.split('_') as [string]
    if (!kinds.includes(kind)) throw new InvalidVariable(STRIPE_KINDS.get(kind) ?? 'this has another prefix')
    const [begin] = prefix.exec(text) ?? []
    if (begin === undefined) throw new InvalidVariable('this is neither for live mode nor for test mode')
    const rest = text.slice(begin.length)
    if (/\W/.test(rest)) throw new InvalidVariable('this contains characters other than letters and digits')
    throw new InvalidVariable(
      rest.length < STRIPE_CHARACTERS_MIN ? 'this is too short: copy it whole' : 'this is too long',
    )
  }
}

function sellerLines(text: string): readonly string[] {
  const lines = text.split('|').map((line) => line.trim())
  const isWrong = (line: string) => line === '' || line.length > 100 || /\p{Cc}/u.test(line)
  if (lines.length > 8 || lines.some(isWrong)) throw new SyntaxError()
  return lines
}

function rules(text: string): string[] {
  return parseAllowedIps(text.split(',').map((rule) => rule.trim()))
}

function absolutePath(text: string): string {
  if (!isAbsolute(text) || text.includes('\0')) throw new SyntaxError()
  return normalize(text)
}

function hostName(text: string): string {
  if (!/^[A-Za-z0-9.:_-]{1,253}$/.test(text)) throw new SyntaxError()
  return text
}

/**
 * Panels compare it and licenses contain it, so it has one canonical spelling: scheme, host, and the
 * port unless it is the default.
 */
function origin(text: string): string {
  const url = new URL(text)
  const bare =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!bare || !['http:', 'https:'].includes(url.protocol) || /[?#]/.test(text)) throw new SyntaxError()
  return url.origin
}

/** The base of page addresses: it may have a path, and has no trailing slash. */
function pageUrl(text: string): string {
  const url = new URL(text)
  const isBare = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!isBare || !['http:', 'https:'].includes(url.protocol) || /[?#]/.test(text)) throw new SyntaxError()
  return url.href.replace(/\/+$/, '')
}

function databaseUrl(text: string): string {
  const url = new URL(text)
  if (!['postgres:', 'postgresql:'].includes(url.protocol) || url.pathname.length < 2) throw new SyntaxError()
  if (url.password !== '') notAnExample(decodeURIComponent(url.password))
  return text
}

function eventStoreUrl(text: string): string {
  const password = checkEventStoreUrl(text)
  if (password !== undefined) notAnExample(password)
  return text
}

function redisUrl(text: string): string {
  const url = new URL(text)
  const hasMore = url.search !== '' || url.hash !== '' || !/^(\/\d*)?$/.test(url.pathname)
  if (!['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '' || hasMore) throw new SyntaxError()
  if (url.password !== '') notAnExample(decodeURIComponent(url.password))
  return text
}

function smtpUrl(text: string): SmtpServer {
  const server = parseSmtpUrl(text)
  if (server.auth) notAnExample(server.auth.pass)
  return server
}

function secretKey(text: string): Buffer {
  const key = parseKeyEncryptionKey(text)
  if (isPattern(key)) throw new RangeError()
  return key
}

/**
 * A key that counts up or down, repeats itself, or consists of printable characters: 32 random bytes
 * never do.
 */
function isPattern(key: Buffer): boolean {
  const step = (index: number) => (key[index]! - key[index - 1]! + 256) % 256
  const bytes = [...key]
  const counts = bytes.slice(1).every((_, index) => step(index + 1) === step(1))
  const repeats = [1, 2, 4, 8, 16].some((period) => bytes.every((byte, index) => byte === key[index % period]))
  return counts || repeats || bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
}

function notAnExample(text: string): string {
  const letters = text.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (EXAMPLE_WORDS.test(letters) && text.length - letters.length <= EXAMPLE_SIGNS_MAX) throw new RangeError()
  return text
}

function logLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((each) => each === text.toLowerCase())
  if (!level) throw new RangeError()
  return level
}
