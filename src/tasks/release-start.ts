/** A release that begins beside the one before it, and takes the requests once it is healthy. */
import { z } from 'zod'
import { taskKind } from './kind.ts'
import { ownFragment, SWITCH_MS } from './proxy.ts'
import { isConsistent, laneOf, releaseContainers, releaseFields, startMsOf } from './releases.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * All containers are healthy, and with a fragment get the requests where the panel agrees to the switch. If it fails before that,
 * none of them is left; after that, the panel leads the requests back and `release.retire` removes them.
 * Fails with UNHEALTHY, EXITED, OOM, PORT_CLOSED, IMAGE_GONE, NO_ADDRESS; the last lines of the container are in its log.
 * NO_COMMAND: of a health check. VOLUME_TAKEN, NAME_TAKEN, PORT_IN_USE: something else on the host has it. NOT_AN_ADDRESS_HERE: of a published port.
 * A switch fails as `proxy.put` does.
 */
export const releaseStart = taskKind('release.start', 1, {
  payload: z
    .strictObject({
      ...releaseFields,
      /** Absent: nothing leads to the containers, or another task does. */
      fragment: ownFragment.optional(),
    })
    .refine(isConsistent),
  result: z.strictObject({
    containers: releaseContainers,
    /** Whether requests go to the containers. Absent: that was not asked. */
    switched: z.boolean().optional(),
  }),
  lane: ({ workload }) => laneOf(workload),
  pool: 'release',
  needs: ['engine'],
  deadlineMs: HOUR_MS,
  runMs: ({ services, fragment }) => startMsOf(services) + (fragment ? SWITCH_MS : 0),
  attempts: 3,
  retryOn: ['ENGINE_DOWN', 'PROXY_DOWN'],
  onRestart: 'adopt',
  shows: ['deploymentId', 'containers', 'switched'],
})
