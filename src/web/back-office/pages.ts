/** The pages of the back office, by path. */
import { getAdminAudit, getAdminLicenses, getAdminLicensesById, postAdminProvisioning } from '#api-client/licensing'
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
  '/console/licenses': {
    title: 'Licenses',
    page: 'licenses/list',
    needs: getAdminLicenses,
    section: 'Customers',
    keys: 'g l',
  },
  '/console/licenses/:id': { title: 'License', page: 'licenses/record', needs: getAdminLicensesById },
  '/console/audit': { title: 'Audit', page: 'audit/audit', needs: getAdminAudit, section: 'Installation', keys: 'g a' },
  '/console/account': { title: 'Account', page: 'account/account' },
}
