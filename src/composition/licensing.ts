/**
 * The composition root of the licensing service: settings → core → gate → routes. All wiring is in this
 * file.
 */
import type { Logger } from 'pino'
import { sessionUseRecorder } from '#kernel/credentials/session-uses'
import type { Docs } from '#kernel/http/openapi/openapi'
import { fileStorage, directoryStorage } from '#kernel/lib/files'
import { serviceRegistry, provide } from '#kernel/lib/services'
import type { ServiceRegistry } from '#kernel/lib/services'
import { mailSettings } from '#kernel/mail/mail-settings'
import type { MailSettings } from '#kernel/mail/mail-settings'
import { changeFeed, createChangeFeed } from '#kernel/resource/change-feed'
import { serviceState, serviceStateOf } from '#kernel/resource/health-route'
import { kindsOf } from '#kernel/resource/section'
import { LICENSE_SIGNED } from '#licensing/access/access'
import { feedReaders } from '#licensing/access/audiences'
import { authenticate } from '#licensing/access/authenticate'
import { licenseAuthentication } from '#licensing/access/license-caller'
import type { LicenseApiLimits } from '#licensing/access/license-caller'
import { BANNED_FOR_TOKENS, ROLES } from '#licensing/access/permissions'
import { tokenUses } from '#licensing/access/token-uses'
import type { StripeSettings } from '#licensing/adapters/stripe'
import { sections } from '#licensing/index'
import { invoiceSeller, paymentProvider } from '#licensing/payments/provider'
import { shopPages } from '#licensing/shop/page-links'
import { ensureSigningKey } from '#licensing/signing-keys/signing-key'
import { undestroyedKeys } from '#projections/licensing/customers'
import packageJson from '../../package.json' with { type: 'json' }
import { BACK_OFFICE, SHOP } from '../web/surfaces.ts'
import type { Surface } from '../web/surfaces.ts'
import { composition, openCore as openCoreOf } from './core.ts'
import type { Core, CoreComponents, CoreSettings, CoreWrappers } from './core.ts'
import errorCodes from './error-codes.json' with { type: 'json' }
import { LICENSING_FIELDS, LICENSING_SECTIONS } from './notes/licensing.ts'
import { openService } from './service.ts'
import type { AuthenticationDependencies, Authentication, Service, ServiceSettings } from './service.ts'

export type { Core } from './core.ts'
export { SYSTEM_ACTOR } from './core.ts'

const licensing = composition(sections, undestroyedKeys)
export const { streams, deciders, readModels, routes, reactions, timers } = licensing

export interface LicensingSettings extends ServiceSettings {
  /**
   * The public address of the shop, without a trailing slash: mailed links lead there. Without it no
   * such links are mailed.
   */
  readonly shopUrl?: string | undefined
  /** The rate limits for panels; by default those of the contract. */
  readonly licenseApi?: LicenseApiLimits | undefined
  /** The directory for uploads; without it they are rejected. */
  readonly filesDir?: string | undefined
  /** Addresses and ranges that webhooks may call although they are not public. Default: none. */
  readonly webhookAllow?: readonly string[] | undefined
  /** The URL of the Redis for the queue; without it this database is used. */
  readonly redisUrl?: string | undefined
  /** Without it no mail is sent, and changes that need a mail are rejected. */
  readonly mail?: MailSettings | undefined
  readonly payments?: PaymentSettings | undefined
}

export interface PaymentSettings {
  /** Without it nothing is sold online; staff record payments. */
  readonly stripe?: StripeSettings | undefined
  /** The seller on invoices, one line per item. */
  readonly seller: readonly string[]
}

export type Licensing = Service

/**
 * @throws Error for the operator if the database is not durable or the secret key belongs to another
 * installation
 */
export async function openCore(
  settings: CoreSettings & InjectedSettings,
  log: Logger,
  wraps?: CoreWrappers,
): Promise<Core> {
  return openCoreOf(licensing, settings, (standing) => provideServices(settings, standing), log, wraps)
}

type InjectedSettings = Pick<LicensingSettings, 'payments' | 'shopUrl' | 'filesDir' | 'mail'>

/** Stripe's package is loaded only if it is used. */
async function provideServices(
  { payments, shopUrl, filesDir, mail }: InjectedSettings,
  standing: CoreComponents,
): Promise<ServiceRegistry> {
  const kept = filesDir === undefined ? [] : [provide(fileStorage, directoryStorage(filesDir))]
  const own = [
    provide(shopPages, shopUrl),
    provide(mailSettings, async () => mail),
    provide(serviceState, serviceStateOf({ ...standing, readModels, reactions, timers })),
    provide(changeFeed, createChangeFeed({ ...standing, sections, ...feedReaders(standing.read, sections) })),
    ...kept,
  ]
  if (!payments) return serviceRegistry(own)
  const { stripe, seller } = payments
  const provider = stripe && (await import('#licensing/adapters/stripe')).stripeProvider(stripe)
  return serviceRegistry([...own, provide(paymentProvider, provider), provide(invoiceSeller, seller)])
}

/**
 * Opens the whole service, ready to listen.
 * @throws as openCore
 */
export async function openLicensing(
  settings: LicensingSettings,
  log: Logger,
  wraps?: CoreWrappers,
): Promise<Licensing> {
  const core = await openCore(settings, log, wraps)
  const serving = {
    docs: DOCS,
    surfaces: surfacesOf(settings),
    prepare: ensureSigningKey,
    authentication: (door: AuthenticationDependencies) => licensingAuthentication(door, settings, log),
  }
  return openService(core, serving, settings, log)
}

/** Mailed links lead to the pages of the shop, so a shop elsewhere has its own. */
const surfacesOf = ({ shopUrl, baseUrl }: LicensingSettings): readonly Surface[] =>
  shopUrl === `${baseUrl}${SHOP.base}` ? [BACK_OFFICE, SHOP] : [BACK_OFFICE]

function licensingAuthentication(
  { core, baseUrl, runBeforeAuthentication }: AuthenticationDependencies,
  settings: LicensingSettings,
  log: Logger,
): Authentication {
  const { pool, read, vault } = core
  const onError = (err: unknown) => log.warn({ err }, 'last uses could not be stored and are retried')
  const uses = {
    tokens: tokenUses({ pool, vault, onError }),
    sessions: sessionUseRecorder({ pool, table: 'staff_session_use', onError }),
  }
  return {
    authenticate: authenticate({ read, vault, baseUrl, uses }),
    schemes: {
      [LICENSE_SIGNED]: licenseAuthentication({
        pool,
        read,
        vault,
        baseUrl,
        run: runBeforeAuthentication,
        limits: settings.licenseApi,
      }),
    },
    close: () => Promise.all([uses.tokens.close(), uses.sessions.close()]),
  }
}

/** As the deciders of these records evolve. Other events keep the state, or name it themselves. */
const STATES_AFTER = {
  'customer.registered': 'ACTIVE',
  'customer.suspended': 'SUSPENDED',
  'customer.activated': 'ACTIVE',
  'customer.erased': 'ERASED',
  'subscription.cancelled': 'CANCELLED',
  'subscription.paused': 'PAUSED',
  'subscription.resumed': 'ACTIVE',
  'subscription.payment_failed': 'PAST_DUE',
  'subscription.recovered': 'ACTIVE',
  'subscription.unpaid': 'UNPAID',
  'subscription.expired': 'EXPIRED',
  'license.issued': 'ACTIVE',
  'license.suspended': 'SUSPENDED',
  'license.resumed': 'ACTIVE',
  'license.revoked': 'REVOKED',
}

export const DOCS: Docs = {
  title: 'Daybook licensing',
  version: packageJson.version,
  description:
    'Issues and validates license keys, with idempotent provisioning, machine tokens and a complete audit trail.',
  credentials: {
    staff: 'A staff session: `POST /api/admin/auth/login` answers its access token.',
    token: 'A machine token: an integration sends it; `POST /api/admin/machine-tokens` shows it once.',
    customer: 'A customer session: `POST /api/shop/auth/login` answers its access token.',
    signed: 'A license key: a panel signs its requests with it (RFC 9421).',
  },
  signing: ['signed'],
  roles: { staff: ROLES },
  bans: { token: BANNED_FOR_TOKENS },
  kinds: kindsOf(sections),
  errorCodes: errorCodes.licensing,
  states: STATES_AFTER,
  amounts: ['amount', 'credited', 'left', 'priceMonthly', 'priceYearly', 'refunded', 'total'],
  sections: LICENSING_SECTIONS,
  fields: LICENSING_FIELDS,
  references: {
    customerId: 'customers',
    instanceId: 'instances',
    licenseId: 'licenses',
    minPlan: 'plans',
    planSlug: 'plans',
    replacedBy: 'licenses',
    subscriptionId: 'subscriptions',
    webhookId: 'webhooks',
  },
}
