/** Quotas of accounts and projects. Each field is enforced by a command. */
import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

/** Null in a quota: the default applies. Null in a default: no limit. */
const most = z.int().min(0).nullable()

const describeQuotas = (quotas: Readonly<Record<string, number | null>>): string =>
  Object.entries(quotas)
    .map(([name, value]) => `${name} ${value ?? 'unset'}`)
    .join(', ')

export const QuotaDefaultsChanged = event(
  'QuotaDefaultsChanged',
  'quotaId',
  { quotaId: z.literal('defaults'), projects: most, members: most, environments: most },
  ({ quotaId: _id, ...quotas }) => `set the default quotas: ${describeQuotas(quotas)}`,
)

export const UserQuotaChanged = event(
  'UserQuotaChanged',
  'userId',
  { userId: z.uuid(), projects: most },
  ({ userId, ...quotas }) => `set the quota of account ${userId}: ${describeQuotas(quotas)}`,
)

export const ProjectQuotaChanged = event(
  'ProjectQuotaChanged',
  'projectId',
  { projectId: z.uuid(), members: most, environments: most },
  ({ projectId, ...quotas }) => `set the quota of project ${projectId}: ${describeQuotas(quotas)}`,
)

/**
 * Quota streams guard no invariant. Commands on the limited objects read them, and decide again if a
 * quota changes before the append.
 */
export const quotaDefaultEvents = stream('quotaDefaults', [QuotaDefaultsChanged])
/** One stream per account, so that creating a project reads only the quota of its owner. */
export const userQuotaEvents = stream('userQuota', [UserQuotaChanged])
/** One stream per project. */
export const projectQuotaEvents = stream('projectQuota', [ProjectQuotaChanged])
