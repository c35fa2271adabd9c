import { section } from '#kernel/resource/section'
import { shopSessionTable } from '#projections/licensing/shop'
import { accountRoutes } from './account/routes.ts'
import { shopAccounts } from './accounts/decider.ts'
import { shopAccountEvents, shopLoginEvents } from './accounts/events.ts'
import { shopLinks, shopNotices } from './accounts/reactions.ts'
import { shopAuthRoutes } from './auth/routes.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { downloadRoutes } from './downloads/routes.ts'
import { shopInstanceRoutes } from './instances/routes.ts'
import { shopInvoiceRoutes } from './invoices/routes.ts'
import { shopLicenseRoutes } from './licenses/routes.ts'
import { meRoutes } from './me/routes.ts'
import { shopPlanRoutes } from './plans/routes.ts'
import { shopSessions } from './sessions/decider.ts'
import { shopSessionEvents } from './sessions/events.ts'
import { shopSubscriptionRoutes } from './subscriptions/routes.ts'

export const shopSection = section({
  name: 'shop',
  streams: [shopAccountEvents, shopLoginEvents, shopSessionEvents],
  deciders: [shopAccounts, shopSessions],
  readModels: [shopSessionTable],
  routes: [
    ...shopAuthRoutes,
    ...meRoutes,
    ...shopPlanRoutes,
    ...shopSubscriptionRoutes,
    ...shopLicenseRoutes,
    ...shopInstanceRoutes,
    ...shopInvoiceRoutes,
    ...checkoutRoutes,
    ...downloadRoutes,
    ...accountRoutes,
  ],
  reactions: [shopLinks, shopNotices],
})
