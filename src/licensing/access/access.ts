/**
 * The ways in: to the back office a staff session, or a machine token where a route has been opened to tokens; to the shop a
 * customer's session; to the license API a request that is signed with a license key.
 */
import type { Access } from '#kernel/http/route'
import type { Permission } from './permissions.ts'

export const STAFF = 'staff'
export const TOKEN = 'token'
export const CUSTOMER = 'customer'
export const LICENSE_SIGNED = 'signed'

/** Session-only. Without a permission: any member of staff, for what is his own. */
export const staff = (permission?: Permission): Access => ({ kinds: [STAFF], ...(permission ? { permission } : {}) })

/** A staff session or a machine token that holds the permission. */
export const staffOrToken = (permission: Permission): Access => ({ kinds: [STAFF, TOKEN], permission })

/** A customer's session, for what is his own. */
export const customer: Access = { kinds: [CUSTOMER] }

/** A panel that signs with its license key (licensing.md 7). */
export const licenseSigned: Access = { kinds: [LICENSE_SIGNED], scheme: LICENSE_SIGNED }
