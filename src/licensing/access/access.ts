/**
 * Kinds of access. Back office: a staff session, or a machine token on routes that allow tokens.
 * Shop: a customer session. License API: a request signed with a license key.
 */
import type { Access } from '#kernel/http/route'
import type { Permission } from './permissions.ts'

export const STAFF = 'staff'
export const TOKEN = 'token'
export const CUSTOMER = 'customer'
export const LICENSE_SIGNED = 'signed'

/** Staff sessions only. Without a permission: any member of staff, for the caller's own account. */
export const staff = (permission?: Permission): Access => ({ kinds: [STAFF], ...(permission ? { permission } : {}) })

/** A staff session with the permission, or a machine token that holds it. */
export const staffOrToken = (permission: Permission): Access => ({ kinds: [STAFF, TOKEN], permission })

/** A customer session, for the customer's own data. */
export const customer: Access = { kinds: [CUSTOMER] }

/** A panel that signs its requests with its license key (licensing.md 7). */
export const licenseSigned: Access = { kinds: [LICENSE_SIGNED], scheme: LICENSE_SIGNED }
