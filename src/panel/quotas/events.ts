/** How much an account or a project may have. There is a field only for what some command enforces. */
import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

/** Null: without a quota of its own, so the default holds; of a default: no limit. */
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

/** Quotas guard no rule of their own: what they limit is decided where it is counted, on a quota that is as it was read. */
export const quotaDefaultEvents = stream('quotaDefaults', [QuotaDefaultsChanged])
/** One stream an account: whoever creates a project reads his own quota and no one else's. */
export const userQuotaEvents = stream('userQuota', [UserQuotaChanged])
/** One stream a project. */
export const projectQuotaEvents = stream('projectQuota', [ProjectQuotaChanged])
