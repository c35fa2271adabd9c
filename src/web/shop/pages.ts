/** The pages of the shop, by path. */
import {
  getShopDownloads,
  getShopInvoices,
  getShopLicenses,
  getShopLicensesById,
  getShopSubscriptions,
  getShopSubscriptionsById,
} from '#api-client/licensing/bare'
import type { Pages } from '../page-spec.ts'

export const PAGES: Pages = {
  '/shop': { title: 'My licenses', page: 'licenses/list', needs: getShopLicenses, section: '', keys: 'g l' },
  '/shop/licenses/:id': { title: 'License', page: 'licenses/record', needs: getShopLicensesById },
  '/shop/subscriptions': {
    title: 'Subscriptions',
    page: 'subscriptions/list',
    needs: getShopSubscriptions,
    section: '',
    keys: 'g s',
  },
  '/shop/subscriptions/:id': { title: 'Subscription', page: 'subscriptions/record', needs: getShopSubscriptionsById },
  '/shop/plans': { title: 'Plans', page: 'plans/plans', section: '', isPublic: true, keys: 'g p' },
  '/shop/checkout/done': { title: 'Checkout', page: 'checkout/done' },
  '/shop/invoices': { title: 'Invoices', page: 'invoices/list', needs: getShopInvoices, section: '', keys: 'g i' },
  '/shop/downloads': { title: 'Downloads', page: 'downloads/list', needs: getShopDownloads, section: '', keys: 'g d' },
  '/shop/account': { title: 'Account', page: 'account/account', keys: 'g a' },
  '/shop/register': { title: 'Register', page: 'doors/register', isPublic: true },
  '/shop/verify-email': { title: 'Confirm your address', page: 'doors/verify-email', isPublic: true },
  '/shop/forgot-password': { title: 'New password', page: 'doors/forgot-password', isPublic: true },
  '/shop/reset-password': { title: 'New password', page: 'doors/reset-password', isPublic: true },
}
