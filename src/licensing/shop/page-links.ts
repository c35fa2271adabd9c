/**
 * The URL of the shop's pages, which mailed links and the payment provider lead to. The pages are
 * not part of this service.
 */
import { reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import type { ServiceRegistry } from '#kernel/lib/services'

/**
 * From the configuration and never from a request; without a trailing slash. Undefined: there are
 * no pages.
 */
export const shopPages = serviceKey<string | undefined>('shop pages', undefined)

/** @throws Rejection 503 SHOP_NOT_CONFIGURED without SHOP_URL */
export function requireShopPages({ service }: { readonly service: ServiceRegistry }): string {
  return (
    service(shopPages) ??
    reject('unavailable', 'The shop has no address: ask its operator to set SHOP_URL', 'SHOP_NOT_CONFIGURED')
  )
}
