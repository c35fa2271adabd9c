/** Customers, who sign in to the shop. */
import type { Unit } from '#kernel/command'
import type { Member, SteppingRealm } from '#kernel/realm/realm'
import type { Held } from '#kernel/realm/session-rules'
import { customers } from '../customers/decider.ts'
import { shopPages } from '../shop-pages.ts'
import { shopAccounts } from '../shop/accounts/decider.ts'
import type { ShopAccount } from '../shop/accounts/decider.ts'
import { ShopLoginFailed, shopLoginEvents } from '../shop/accounts/events.ts'
import { shopSessions } from '../shop/sessions/decider.ts'
import { SHOP_REFRESH_CLAIM } from '../shop/sessions/events.ts'
import type { ShopEndReason } from '../shop/sessions/events.ts'
import { CUSTOMER_TOKENS, customerCaller, customerOf } from './customer-caller.ts'

const NOBODY = 'nobody'

export interface Shopper extends Member, Omit<ShopAccount, 'passwordHash'> {
  readonly company: string | null
  readonly createdAt: string
}

const sessionOf = ({ accountId, sessionId }: Held) => ({ customerId: accountId, shopSessionId: sessionId })

/** Undefined unless he is active and has chosen a password. */
async function shopper(unit: Unit, customerId: string): Promise<Shopper | undefined> {
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

export const customerRealm: SteppingRealm<Shopper, ReturnType<typeof shopProfile>> = {
  actorType: 'CUSTOMER',
  authPath: '/api/shop/auth',
  pages: shopPages,
  cookies: { refresh: 'daybook_shop_refresh', device: 'daybook_shop_device' },
  refresh: {
    claim: SHOP_REFRESH_CLAIM,
    key: 'shop-refresh',
  },
  tokens: CUSTOMER_TOKENS,
  counted: 'shop/',
  memberBy: async (unit, emailKey) => shopper(unit, (await unit.holderOf('customerEmail', emailKey)) ?? NOBODY),
  member: shopper,
  sessions: (unit, customerId) => unit.load(shopSessions, customerId),
  caller: customerCaller,
  held(caller) {
    const { customerId, sid } = customerOf(caller)
    return { accountId: customerId, sessionId: sid }
  },
  profile: shopProfile,
  decide: {
    async signIn(unit, held, { verified, rehashed, factor, ...started }) {
      const { customerId, shopSessionId } = sessionOf(held)
      await unit.decide(shopAccounts, customerId, 'SignIn', { verified, rehashed, factor, shopSessionId })
      await unit.decide(shopSessions, customerId, 'StartSession', { customerId, shopSessionId, ...started })
    },
    failSignIn: (unit, customerId, reason) =>
      unit.record(shopLoginEvents, customerId, ShopLoginFailed({ customerId, reason })),
    refresh: (unit, held, tokens) =>
      unit.decide(shopSessions, held.accountId, 'RefreshSession', { ...sessionOf(held), ...tokens }),
    async stepUp(unit, held, step) {
      const { customerId, shopSessionId } = sessionOf(held)
      if (step !== undefined) await unit.decide(shopAccounts, customerId, 'StepUp', { step, shopSessionId })
      await unit.decide(shopSessions, customerId, 'StepUpSession', { customerId, shopSessionId })
    },
    changePassword: (unit, { accountId }, change) => unit.decide(shopAccounts, accountId, 'ChangePassword', change),
    setUpTotp: (unit, accountId, secret) => unit.decide(shopAccounts, accountId, 'SetUpTotp', { secret }),
    enableTotp: (unit, { accountId, sessionId }, ask) =>
      unit.decide(shopAccounts, accountId, 'EnableTotp', { ...ask, shopSessionId: sessionId }),
    disableTotp: (unit, { accountId, sessionId }, proof) =>
      unit.decide(shopAccounts, accountId, 'DisableTotp', { ...proof, shopSessionId: sessionId }),
    endSession: (unit, { accountId, sessionId }, reason) =>
      unit.decide(shopSessions, accountId, 'EndSession', { shopSessionId: sessionId, reason }),
    endOthers: (unit, { accountId, sessionId }, reason) =>
      unit.decide(shopSessions, accountId, 'EndOtherSessions', { shopSessionId: sessionId, reason }),
  },
}

/** In the unit that suspends or erases a customer. The gate refuses him from then on, whether or not this is done. */
export const endShopSessions = (unit: Unit, customerId: string, reason: ShopEndReason) =>
  unit.decide(shopSessions, customerId, 'EndAllSessions', { reason })
