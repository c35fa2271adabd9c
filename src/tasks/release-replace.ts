/** A release that cannot run beside the one before it: requests wait while one ends and the other one begins. */
import { z } from 'zod'
import { uuid } from '#kernel/lib/uuid'
import { taskKind } from './kind.ts'
import { ownFragment } from './proxy.ts'
import { isConsistent, laneOf, releaseContainers, releaseFields, startMsOf } from './releases.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SECONDS_MAX = 600

/**
 * The containers of the deployment are healthy and get the requests, or those that it replaces do so again.
 * Fails as `release.start` and `proxy.put` do. A cancel counts until the old containers are told to stop.
 */
export const releaseReplace = taskKind('release.replace', 1, {
  payload: z
    .strictObject({
      ...releaseFields,
      /** The deployment that runs. `release.retire` removes its containers later. Null: none. */
      replaces: uuid.nullable(),
      drainSeconds: z.int().min(0).max(SECONDS_MAX),
      /** Its release is the deployment. */
      fragment: ownFragment,
    })
    .refine(isConsistent),
  result: z.strictObject({
    containers: releaseContainers,
    drainedMs: z.int().min(0),
    /** Connections that were open when their time was over. */
    cut: z.int().min(0),
  }),
  lane: ({ workload }) => laneOf(workload),
  pool: 'release',
  needs: ['engine'],
  deadlineMs: HOUR_MS,
  // The old containers may take as long to stop as any.
  runMs: ({ services, drainSeconds }) => startMsOf(services) + (drainSeconds + SECONDS_MAX) * 1_000 + 2 * MINUTE_MS,
  attempts: 2,
  retryOn: ['ENGINE_DOWN'],
  onRestart: 'adopt',
  shows: ['deploymentId', 'replaces', 'containers', 'drainedMs', 'cut'],
})
