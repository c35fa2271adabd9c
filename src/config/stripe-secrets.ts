/**
 * What Stripe's credentials begin with (https://docs.stripe.com/keys), apart from its package, which few processes load. Beside the
 * environment and not in the licensing service, which a process of the panel does not load.
 */
import { secretPattern } from '#kernel/lib/secret-pattern'

const rest = { character: '\\w', least: 16, most: 200 }

/** A secret key or a restricted one. */
export const stripeKey = secretPattern({ prefix: '(?:sk|rk)_(?:live|test)_', ...rest })

/** What the notices of an endpoint are signed with. */
export const stripeWebhookSecret = secretPattern({ prefix: 'whsec_', ...rest })

/** Nothing that is taken here: keys of a whole organization, and publishable ones, which name an account. */
secretPattern({ prefix: '(?:[sr]k_org|pk)_(?:live|test)_', ...rest })

/** Whether a secret or restricted key charges real cards. */
export const isLiveKey = (key: string): boolean => /^(?:sk|rk)_live_/.test(key)
