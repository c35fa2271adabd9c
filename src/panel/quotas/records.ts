/** Quotas: how much an account, a project or a server may have. There is a field only for what some command enforces. */
import { z } from 'zod'
import type { JsonObject } from '#kernel/events/event'
import { record } from '#kernel/resource/record'

/** Null: without a quota of its own, so the default holds; of a default: no limit. */
const most = z.int().min(0).nullable()
const ofUser = { projects: most }
const ofProject = { members: most, environments: most, applications: most, previews: most }
const ofServer = { workloads: most, cpuMillis: most, memoryMiB: most, diskMiB: most, builds: most }

const listed = (quotas: Readonly<Record<string, number | null>>): string =>
  Object.entries(quotas)
    .map(([name, value]) => `${name} ${value ?? 'unset'}`)
    .join(', ')

/** Before applications were counted. */
const withApplications = (quota: JsonObject): JsonObject => ({ ...quota, applications: null })

/** Before previews were. */
const withPreviews = (quota: JsonObject): JsonObject => ({ ...quota, previews: null })

export const quotaDefaults = record('QuotaDefaults', {
  of: { quotaId: z.literal('defaults') },
  stream: 'quotaDefaults',
  fields: { ...ofUser, ...ofProject },
  initial: { projects: null, members: null, environments: null, applications: null, previews: null },
  upcasters: [withApplications, withPreviews],
  sentence: ({ quotaId: _id, ...quotas }) => `set the default quotas: ${listed(quotas)}`,
})

/** One stream for each account: a new project depends on its owner's quota and on no other. */
export const userQuotas = record('UserQuota', {
  of: { userId: z.uuid() },
  stream: 'userQuota',
  fields: ofUser,
  initial: { projects: null },
  sentence: ({ userId, ...quotas }) => `set the quota of account ${userId}: ${listed(quotas)}`,
})

/** One stream for each project. */
export const projectQuotas = record('ProjectQuota', {
  of: { projectId: z.uuid() },
  stream: 'projectQuota',
  fields: ofProject,
  initial: { members: null, environments: null, applications: null, previews: null },
  upcasters: [withApplications, withPreviews],
  sentence: ({ projectId, ...quotas }) => `set the quota of project ${projectId}: ${listed(quotas)}`,
})

/** One stream for each server: what is placed on it depends on its own quota and on no other. */
export const serverQuotas = record('ServerQuota', {
  of: { serverId: z.uuid() },
  stream: 'serverQuota',
  fields: ofServer,
  initial: { workloads: null, cpuMillis: null, memoryMiB: null, diskMiB: null, builds: null },
  sentence: ({ serverId, ...quotas }) => `set the quota of server ${serverId}: ${listed(quotas)}`,
})
