/** The realm of customers, who sign in to the shop. */
import type { RealmAccount, StepUpRealm } from '#kernel/auth/realm'
import { realmDecisions, stepUpBy } from '#kernel/auth/realm-decisions'
import { refreshScope } from '#kernel/auth/session-events'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { customers } from '../customers/decider.ts'
import { shopAccounts } from '../shop/accounts/decider.ts'
import type { ShopAccount } from '../shop/accounts/decider.ts'
import { ShopLoginFailed, shopLoginEvents, shopNames } from '../shop/accounts/events.ts'
import { shopPages } from '../shop/page-links.ts'
import { shopSessions } from '../shop/sessions/decider.ts'
import type { ShopEndReason } from '../shop/sessions/events.ts'
import { CUSTOMER_AUTH_PATH, CUSTOMER_TOKENS, customerCaller, customerOf } from './customer-caller.ts'

const UNKNOWN_CUSTOMER_ID = 'nobody'

export interface Shopper extends RealmAccount, Omit<ShopAccount, 'passwordHash'> {
  readonly company: string | null
  readonly createdAt: string
}

/** Undefined unless the customer is active and has a password. */
async function loadShopper(unit: UnitOfWork, customerId: string): Promise<Shopper | undefined> {
  const account = await unit.load(shopAccounts, customerId)
  const customer = await unit.look(customers, customerId)
  if (customer?.status !== 'ACTIVE' || account?.passwordHash === undefined) return undefined
  const { email, emailKey, name, company, createdAt } = customer
  return { ...account, passwordHash: account.passwordHash, email, emailKey, name, company, createdAt }
}

export const shopProfile = ({ id, email, name, company, createdAt, totp }: Shopper) => ({
  id,
  email,
  name,
  company,
  totpEnabled: totp !== undefined,
  createdAt,
})

export const customerRealm: StepUpRealm<Shopper, ReturnType<typeof shopProfile>> = {
  actorType: 'CUSTOMER',
  authPath: CUSTOMER_AUTH_PATH,
  pages: shopPages,
  cookies: { refresh: 'daybook_shop_refresh', device: 'daybook_shop_device' },
  refresh: {
    constraintScope: refreshScope(shopNames),
    key: 'shop-refresh',
  },
  tokens: CUSTOMER_TOKENS,
  counterPrefix: 'shop/',
  accountByEmailKey: async (unit, emailKey) =>
    loadShopper(unit, (await unit.holderOf('customerEmail', emailKey)) ?? UNKNOWN_CUSTOMER_ID),
  account: loadShopper,
  sessions: (unit, customerId) => unit.load(shopSessions, customerId),
  caller: customerCaller,
  sessionIdentityOf(caller) {
    const { customerId, sid } = customerOf(caller)
    return { accountId: customerId, sessionId: sid }
  },
  profile: shopProfile,
  decide: {
    ...realmDecisions(shopAccounts, shopSessions, (unit, customerId, reason) =>
      unit.appendEvent(shopLoginEvents, customerId, ShopLoginFailed({ customerId, reason })),
    ),
    stepUp: stepUpBy(shopAccounts, shopSessions),
  },
}

/**
 * Called in the unit of work that suspends or erases a customer. The gate refuses the customer from
 * then on, even without it.
 */
export const endShopSessions = (unit: UnitOfWork, customerId: string, reason: ShopEndReason) =>
  unit.decide(shopSessions, customerId, 'EndAllSessions', { reason })
