/** The pages of the back office, by path. */
import {
  getAdminAudit,
  getAdminCustomers,
  getAdminCustomersById,
  getAdminInstances,
  getAdminInstancesById,
  getAdminLicenses,
  getAdminLicensesById,
  getAdminSubscriptions,
  getAdminSubscriptionsById,
  postAdminProvisioning,
} from '#api-client/licensing'
import type { Pages } from '../page-spec.ts'

export const PAGES: Pages = {
  '/console': { title: 'Overview', page: 'overview/overview', section: '', keys: 'g o' },
  '/console/provision': {
    title: 'Provision',
    page: 'provision/provision',
    needs: postAdminProvisioning,
    section: '',
    keys: 'g v',
  },
  '/console/customers': {
    title: 'Customers',
    page: 'customers/list',
    needs: getAdminCustomers,
    section: 'Customers',
    keys: 'g c',
  },
  '/console/customers/:id': { title: 'Customer', page: 'customers/record', needs: getAdminCustomersById },
  '/console/subscriptions': {
    title: 'Subscriptions',
    page: 'subscriptions/list',
    needs: getAdminSubscriptions,
    section: 'Customers',
    keys: 'g s',
  },
  '/console/subscriptions/:id': {
    title: 'Subscription',
    page: 'subscriptions/record',
    needs: getAdminSubscriptionsById,
  },
  '/console/licenses': {
    title: 'Licenses',
    page: 'licenses/list',
    needs: getAdminLicenses,
    section: 'Customers',
    keys: 'g l',
  },
  '/console/licenses/:id': { title: 'License', page: 'licenses/record', needs: getAdminLicensesById },
  '/console/panels': {
    title: 'Panels',
    page: 'panels/list',
    needs: getAdminInstances,
    section: 'Customers',
    keys: 'g p',
  },
  '/console/panels/:id': { title: 'Panel', page: 'panels/record', needs: getAdminInstancesById },
  '/console/audit': { title: 'Audit', page: 'audit/audit', needs: getAdminAudit, section: 'Installation', keys: 'g a' },
  '/console/account': { title: 'Account', page: 'account/account' },
}
