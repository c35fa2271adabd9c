import { decider } from '#kernel/events/decider'
import {
  projectQuotaEvents,
  ProjectQuotaChanged,
  quotaDefaultEvents,
  QuotaDefaultsChanged,
  userQuotaEvents,
  UserQuotaChanged,
} from './events.ts'

/** Null in a quota: the default applies. Null in a default: no limit. */
export interface UserQuota {
  readonly projects: number | null
}

export interface ProjectQuota {
  readonly members: number | null
  readonly environments: number | null
}

/** An absent field keeps its value. */
type Change<Quota> = { readonly [Name in keyof Quota]?: Quota[Name] | undefined }

const withChanges = <Quota extends object>(present: Quota, ask: Change<Quota>): Quota => ({
  ...present,
  ...Object.fromEntries(Object.entries(ask).filter(([, value]) => value !== undefined)),
})

const NO_DEFAULTS: UserQuota & ProjectQuota = { projects: null, members: null, environments: null }
const NO_USER_QUOTA: UserQuota = { projects: null }
const NO_PROJECT_QUOTA: ProjectQuota = { members: null, environments: null }

export const quotaDefaults = decider(quotaDefaultEvents, {
  initial: NO_DEFAULTS,
  evolve: { QuotaDefaultsChanged: (_before, { quotaId: _id, ...quotas }) => quotas },
  commands: {
    ChangeQuotaDefaults: (present, ask: Change<UserQuota & ProjectQuota>) => [
      QuotaDefaultsChanged({ quotaId: 'defaults', ...withChanges(present, ask) }),
    ],
  },
})

export const userQuotas = decider(userQuotaEvents, {
  initial: NO_USER_QUOTA,
  evolve: { UserQuotaChanged: (_before, { userId: _id, ...quota }) => quota },
  commands: {
    ChangeUserQuota: (present, { userId, ...ask }: Change<UserQuota> & { userId: string }) => [
      UserQuotaChanged({ userId, ...withChanges(present, ask) }),
    ],
  },
})

export const projectQuotas = decider(projectQuotaEvents, {
  initial: NO_PROJECT_QUOTA,
  evolve: { ProjectQuotaChanged: (_before, { projectId: _id, ...quota }) => quota },
  commands: {
    ChangeProjectQuota: (present, { projectId, ...ask }: Change<ProjectQuota> & { projectId: string }) => [
      ProjectQuotaChanged({ projectId, ...withChanges(present, ask) }),
    ],
  },
})
