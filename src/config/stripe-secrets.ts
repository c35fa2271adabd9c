/**
 * The formats of Stripe's credentials (https://docs.stripe.com/keys). In a file without Stripe's
 * package, which few processes load, and in src/config, because processes of the panel do not load the
 * licensing service.
 */
import { secretPattern } from '#kernel/lib/secret-pattern'

const rest = { character: '\\w', least: 16, most: 200 }

/** A secret key or a restricted key. */
export const stripeKey = secretPattern({ prefix: '(?:sk|rk)_(?:live|test)_', ...rest })

/** The secret that signs the webhook notices of an endpoint. */
export const stripeWebhookSecret = secretPattern({ prefix: 'whsec_', ...rest })

/**
 * Not accepted here, but recognised as secrets: keys of a whole organization, and publishable keys,
 * which identify an account.
 */
secretPattern({ prefix: '(?:[sr]k_org|pk)_(?:live|test)_', ...rest })

/** Whether a secret or restricted key charges real cards. */
export const isLiveKey = (key: string): boolean => /^(?:sk|rk)_live_/.test(key)
