/** Who may start a bulk action, read its progress and hear of it. */
import { findRow } from '#kernel/projections/lookup'
import { bulkTable } from '#projections/licensing/bulk'
import type { Audience } from '../access/audiences.ts'
import type { Permission } from '../access/permissions.ts'
import type { BulkAction } from './events.ts'

/** The permission of each action. */
export const BULK_PERMISSIONS: Readonly<Record<BulkAction, Permission>> = {
  'customers.suspend': 'customers:manage',
  'customers.activate': 'customers:manage',
  'licenses.suspend': 'licenses:manage',
  'licenses.resume': 'licenses:manage',
  'licenses.revoke': 'licenses:manage',
  'licenses.extend': 'licenses:manage',
  'subscriptions.cancel': 'subscriptions:manage',
}

/** Only its request names the action. */
export const holdersOfAction: Audience = async ({ caller, read }, { key, data }) => {
  const action = (data['action'] as BulkAction | undefined) ?? (await findRow(read, bulkTable, { id: key }))?.action
  return action !== undefined && caller.can(BULK_PERMISSIONS[action])
}
