/**
 * The URL of the shop's pages, which mailed links and the payment provider lead to. They are those of
 * this service, or those of another one.
 */
import { reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import type { ServiceRegistry } from '#kernel/lib/services'

/**
 * From the configuration and never from a request; without a trailing slash. Undefined: the shop is
 * closed.
 */
export const shopPages = serviceKey<string | undefined>('shop pages', undefined)

/** @throws Rejection 503 SHOP_NOT_CONFIGURED if SHOP_URL closes the shop */
export function requireShopPages({ service }: { readonly service: ServiceRegistry }): string {
  return (
    service(shopPages) ??
    reject('unavailable', 'The shop is closed: its operator opens it with SHOP_URL', 'SHOP_NOT_CONFIGURED')
  )
}
