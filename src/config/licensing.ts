/**
 * The environment of the licensing service as one typed object. No other code reads the environment,
 * and no secret has a default.
 */
import { resolve } from 'node:path'
import { z } from 'zod'
import type { TrustedProxies } from '#kernel/credentials/source-address'
import type { Sender } from '#kernel/mail/mail'
import type { SmtpServer } from '#kernel/mail/smtp-url'
import type { StripeSettings } from '#licensing/adapters/stripe'
import { SHOP } from '../web/surfaces.ts'
import {
  dataDirectoryVariables,
  NO_SHOP,
  evaluationVariables,
  productionVariables,
  sharedVariables,
  type LogLevel,
} from './environment.ts'
import { isLiveKey } from './stripe-secrets.ts'
import { readVariables } from './variable.ts'

const PORT = 4000
const AUTH_FAILURES_PER_MINUTE = 300
/** The sender of an evaluation's mails, which are never delivered. */
export const LOCAL_SENDER = { name: 'Daybook', address: 'daybook@localhost' }
const LOOPBACK = ['127.0.0.0/8', '::1/128']

export interface LicensingConfig {
  readonly host: string
  readonly port: number
  /** The origin of the service, for example https://licensing.example.com: no path, no trailing slash. */
  readonly url: string
  /** Undefined only in an evaluation, which then uses the embedded Postgres. */
  readonly databaseUrl: string | undefined
  /** The URL of the KurrentDB that stores the events. Undefined: Postgres stores them. */
  readonly eventStoreUrl: string | undefined
  /** The key-encryption key, 32 bytes. */
  readonly secretKey: Buffer
  readonly trustedProxies: TrustedProxies
  readonly logLevel: LogLevel
  /** The maximum of failed authentications per minute and source address. */
  readonly authFailuresPerMinute: number
  /** Rules for `ipAllowed`, never empty: the addresses that may read /metrics. */
  readonly metricsAllow: readonly string[]
  /** Rules for `ipAllowed`: addresses that webhooks may call although they are not public. */
  readonly webhookAllow: readonly string[]
  /** The URL of the Redis for the queue. Undefined: Postgres is used. */
  readonly redisUrl: string | undefined
  /**
   * The public address of the shop. Undefined: it is closed. No link to it is mailed, requests that need
   * one are rejected, and this service has no pages for it.
   */
  readonly shopUrl: string | undefined
  /** The directory of the built pages. Undefined: production has none, an evaluation builds its own. */
  readonly pagesDir: string | undefined
  /**
   * The directory for uploads. Undefined: production rejects them, an evaluation stores them in its
   * data directory.
   */
  readonly filesDir: string | undefined
  /**
   * Undefined: no mail is sent. Without a server, which only an evaluation allows, mails are written to
   * a folder.
   */
  readonly mail: { readonly from: Sender; readonly smtp: SmtpServer | undefined } | undefined
  /** Undefined: nothing is sold online, and invoices come from the installation's address. */
  readonly payments: { readonly stripe: StripeSettings | undefined; readonly seller: readonly string[] } | undefined
  /** The first staff account, created if there is none. */
  readonly admin: { readonly email: string; readonly password: string } | undefined
}

/**
 * Half of such a pair would be ignored silently: no account would be created, or mails would have no
 * sender. These checks also run beside other problems, but not if one of the two is invalid itself.
 */
const productionSchema = z
  .object(productionVariables)
  .refine(...bothOrNeither('DAYBOOK_ADMIN_EMAIL', 'DAYBOOK_ADMIN_PASSWORD'))
  .refine(...bothOrNeither('SMTP_URL', 'MAIL_FROM'))
  .refine(...bothOrNeither('STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'))
  .refine(
    ...noLiveKey(
      'which only Stripe itself may receive: unset STRIPE_API_BASE, or use a key of test mode',
      ({ STRIPE_API_BASE: base }) => base !== undefined && base.hostname !== 'api.stripe.com',
    ),
  )

export function bothOrNeither<Name extends string>(one: Name, other: Name) {
  return [
    (read: Partial<Record<Name, unknown>>) => (read[one] === undefined) === (read[other] === undefined),
    { path: [one] as PropertyKey[], error: `and ${other} must be set both or neither`, when: unlessWrong(one, other) },
  ] as const
}

type StripeVariables = Partial<Pick<LicensingVariables, 'STRIPE_SECRET_KEY' | 'STRIPE_API_BASE'>>

/**
 * A live key charges real cards.
 * @param where the condition under which it is rejected; always if absent
 */
function noLiveKey(why: string, where: (read: StripeVariables) => boolean = () => true) {
  return [
    (read: StripeVariables) => !(isLiveKey(read.STRIPE_SECRET_KEY ?? '') && where(read)),
    {
      path: ['STRIPE_SECRET_KEY'] as PropertyKey[],
      error: `is a live key, ${why}`,
      when: unlessWrong('STRIPE_SECRET_KEY', 'STRIPE_API_BASE'),
    },
  ] as const
}

/** A rule about several variables is not reported beside a problem of one of them. */
function unlessWrong(...names: readonly string[]) {
  return ({ issues }: z.core.ParsePayload): boolean => !issues.some(({ path }) => names.includes(String(path?.[0])))
}

/** Mails go into a folder, and the data may be deleted at any time. */
const evaluationSchema = z
  .object(evaluationVariables)
  .refine(...bothOrNeither('STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'))
  .refine(...noLiveKey('and "daybook start" is for evaluation: use a key of test mode, sk_test_… or rk_test_…'))

export type ProductionConfig = LicensingConfig & { readonly databaseUrl: string }
export type EvaluationConfig = LicensingConfig & {
  readonly admin: NonNullable<LicensingConfig['admin']> & {
    /** False: it comes from the environment and is never shown. */
    readonly isGenerated: boolean
  }
}

/** The values of an evaluation for variables that are not set. */
export interface GeneratedSecrets {
  readonly secretKey: string
  readonly adminEmail: string
  readonly adminPassword: string
}

/**
 * For `daybook licensing`: DATABASE_URL, DAYBOOK_SECRET_KEY and LICENSING_URL must be set. Listens on
 * all addresses, because a container or a proxy on another machine cannot reach 127.0.0.1.
 * @throws Error that lists every problem at once and repeats no value
 */
export function productionConfig(env: NodeJS.ProcessEnv): ProductionConfig {
  const read = readVariables(productionSchema, env)
  return {
    ...commonSettings(read, '0.0.0.0', read.LICENSING_URL),
    databaseUrl: read.DATABASE_URL,
    secretKey: read.DAYBOOK_SECRET_KEY,
    mail: read.SMTP_URL && read.MAIL_FROM && { smtp: read.SMTP_URL, from: read.MAIL_FROM },
    admin: adminOf(read),
  }
}

/**
 * For `daybook start`: every variable has a default. Listens only on 127.0.0.1, because an evaluation
 * on a laptop should not be reachable from its network.
 * @throws Error that lists every problem at once and repeats no value
 */
export function evaluationConfig(env: NodeJS.ProcessEnv, generated: GeneratedSecrets): EvaluationConfig {
  const defaults = { DAYBOOK_SECRET_KEY: generated.secretKey }
  const read = readVariables(evaluationSchema, { ...defaults, ...withoutEmpty(env) })
  const url = read.LICENSING_URL ?? `http://localhost:${read.LICENSING_PORT ?? PORT}`
  const settings = commonSettings(read, '127.0.0.1', url)
  const admin = {
    email: read.DAYBOOK_ADMIN_EMAIL ?? generated.adminEmail,
    password: read.DAYBOOK_ADMIN_PASSWORD ?? generated.adminPassword,
    isGenerated: read.DAYBOOK_ADMIN_PASSWORD === undefined,
  }
  return {
    ...settings,
    databaseUrl: read.DATABASE_URL,
    secretKey: read.DAYBOOK_SECRET_KEY!,
    mail: { smtp: read.SMTP_URL, from: read.MAIL_FROM ?? LOCAL_SENDER },
    admin,
  }
}

/**
 * The data directory of an evaluation: DAYBOOK_DATA_DIR, by default .daybook in the current directory,
 * as an absolute path.
 */
export function dataDirectory(env: NodeJS.ProcessEnv): string {
  return readVariables(z.object(dataDirectoryVariables), env).DAYBOOK_DATA_DIR ?? resolve('.daybook')
}

type LicensingVariables = z.output<z.ZodObject<typeof evaluationVariables>>
type SharedVariables = z.output<z.ZodObject<typeof sharedVariables>>

/** The settings that both services share. */
export const sharedSettings = (read: SharedVariables) =>
  ({
    eventStoreUrl: read.EVENT_STORE_URL,
    trustedProxies: read.TRUSTED_PROXIES ?? { ranges: [], hops: 1 },
    logLevel: read.LOG_LEVEL ?? 'info',
    authFailuresPerMinute: read.AUTH_FAILURES_PER_MINUTE ?? AUTH_FAILURES_PER_MINUTE,
    metricsAllow: read.METRICS_ALLOW ?? LOOPBACK,
    redisUrl: read.REDIS_URL,
    pagesDir: read.PAGES_DIR,
  }) as const

function commonSettings(read: LicensingVariables, host: string, url: string) {
  return {
    ...sharedSettings(read),
    url,
    host: read.LICENSING_HOST ?? host,
    port: read.LICENSING_PORT ?? PORT,
    webhookAllow: read.WEBHOOK_ALLOW ?? [],
    shopUrl: read.SHOP_URL === NO_SHOP ? undefined : (read.SHOP_URL ?? `${url}${SHOP.base}`),
    payments: paymentsOf(read),
    filesDir: read.FILES_DIR,
  } as const
}

function paymentsOf({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  ...read
}: LicensingVariables) {
  const stripe = secretKey && webhookSecret ? { secretKey, webhookSecret, apiBase: read.STRIPE_API_BASE } : undefined
  return stripe || read.INVOICE_SELLER ? { stripe, seller: read.INVOICE_SELLER ?? [] } : undefined
}

function adminOf({
  DAYBOOK_ADMIN_EMAIL: email,
  DAYBOOK_ADMIN_PASSWORD: password,
}: LicensingVariables): LicensingConfig['admin'] {
  return email !== undefined && password !== undefined ? { email, password } : undefined
}

export function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, text]) => text?.trim()))
}
