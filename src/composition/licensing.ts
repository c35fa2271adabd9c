/** The composition root of the licensing service: settings → core → gate → routes. The only place that wires it. */
import type { Logger } from 'pino'
import { files, filesIn } from '#kernel/lib/files'
import { given, giving } from '#kernel/lib/services'
import type { Given } from '#kernel/lib/services'
import type { Docs } from '#kernel/http/openapi/openapi'
import { mailing } from '#kernel/mail/mail-settings'
import type { MailSettings } from '#kernel/mail/mail-settings'
import { sessionUses } from '#kernel/credentials/session-uses'
import { shopPages } from '#licensing/shop/page-links'
import { authenticate } from '#licensing/access/authenticate'
import { SIGNED } from '#licensing/access/access'
import { tokenUses } from '#licensing/access/token-uses'
import { signatureWayIn } from '#licensing/access/license-caller'
import type { LicenseApiLimits } from '#licensing/access/license-caller'
import { sections } from '#licensing/index'
import { invoiceSeller, paymentProvider } from '#licensing/payments/provider'
import { ensureSigningKey } from '#licensing/signing-keys/signing-key'
import type { StripeSettings } from '#licensing/adapters/stripe'
import { undestroyedKeys } from '#projections/licensing/customers'
import packageJson from '../../package.json' with { type: 'json' }
import { composition, openCore as openCoreOf } from './core.ts'
import type { Core, CoreSettings, Wraps } from './core.ts'
import { openService } from './service.ts'
import type { Door, Entrance, Service, ServingSettings } from './service.ts'

export type { Core } from './core.ts'
export { SYSTEM_ACTOR } from './core.ts'

const licensing = composition(sections, undestroyedKeys)
export const { streams, deciders, readModels, routes, reactions, timers } = licensing

export interface LicensingSettings extends ServingSettings {
  /** Where customers open the shop, without a trailing slash: mailed links lead there. Without it none is mailed. */
  readonly shopUrl?: string | undefined
  /** How often panels may ask; the contract's figures by default. */
  readonly licenseApi?: LicenseApiLimits | undefined
  /** Where uploads are kept; without it they are refused. */
  readonly filesDir?: string | undefined
  /** Addresses and ranges that webhooks may lead to although they are not public. Default: none. */
  readonly webhookAllow?: readonly string[] | undefined
  /** Of a Redis that keeps the queue; without it this database does. */
  readonly redisUrl?: string | undefined
  /** Without it no mail is sent, and what is of no use without one is refused. */
  readonly mail?: MailSettings | undefined
  readonly payments?: PaymentSettings | undefined
}

export interface PaymentSettings {
  /** Without it nothing is sold online; staff record what arrives. */
  readonly stripe?: StripeSettings | undefined
  /** Who invoices are from, one thing a line. */
  readonly seller: readonly string[]
}

export type Licensing = Service

/** @throws a plain Error for people when the database forgets what it acknowledged or the secret key is another installation's */
export async function openCore(settings: CoreSettings & OwnSettings, log: Logger, wraps?: Wraps): Promise<Core> {
  return openCoreOf(licensing, settings, () => givenBy(settings), log, wraps)
}

type OwnSettings = Pick<LicensingSettings, 'payments' | 'shopUrl' | 'filesDir' | 'mail'>

/** Stripe's package is loaded only where it is used. */
async function givenBy({ payments, shopUrl, filesDir, mail }: OwnSettings): Promise<Given> {
  const kept = filesDir === undefined ? [] : [giving(files, filesIn(filesDir))]
  const own = [giving(shopPages, shopUrl), giving(mailing, async () => mail), ...kept]
  if (!payments) return given(own)
  const { stripe, seller } = payments
  const provider = stripe && (await import('#licensing/adapters/stripe')).stripeProvider(stripe)
  return given([...own, giving(paymentProvider, provider), giving(invoiceSeller, seller)])
}

/** The whole service, ready to listen. @throws as openCore */
export async function openLicensing(settings: LicensingSettings, log: Logger, wraps?: Wraps): Promise<Licensing> {
  const core = await openCore(settings, log, wraps)
  const serving = {
    docs: DOCS,
    prepare: ensureSigningKey,
    entrance: (door: Door) => entrance(door, settings, log),
  }
  return openService(core, serving, settings, log)
}

function entrance({ core, read, baseUrl, looking }: Door, settings: LicensingSettings, log: Logger): Entrance {
  const { service: pool, vault } = core
  const onError = (err: unknown) => log.warn({ err }, 'last uses wait')
  const uses = {
    tokens: tokenUses({ pool, vault, onError }),
    sessions: sessionUses({ pool, table: 'staff_session_use', onError }),
  }
  return {
    authenticate: authenticate({ read, vault, baseUrl, uses }),
    waysIn: { [SIGNED]: signatureWayIn({ pool, read, vault, baseUrl, run: looking, limits: settings.licenseApi }) },
    close: () => Promise.all([uses.tokens.close(), uses.sessions.close()]),
  }
}

const DOCS: Docs = {
  title: 'Daybook licensing',
  version: packageJson.version,
  description:
    'Issues and validates license keys: provisioning that can be replayed safely, machine tokens, a complete audit trail.',
}
