/** The lane of a server: which of its deployments run, and which wait. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

const events = eventsAbout({ serverId: z.uuid(), deploymentId: z.uuid() })({
  LaneJoined: {
    fields: {
      /** What is deployed: two deployments of it never run at once. */
      workloadId: z.uuid(),
      projectId: z.uuid(),
      /** Whether it takes one of the places for builds. */
      builds: z.boolean(),
      /** Asked for by no person: a newer one may take its place while it waits. */
      isAutomatic: z.boolean(),
    },
    sentence: ({ serverId, deploymentId }) => `let deployment ${deploymentId} wait for server ${serverId}`,
  },
  LaneEntered: {
    fields: {},
    sentence: ({ serverId, deploymentId }) => `let deployment ${deploymentId} run on server ${serverId}`,
  },
  LaneLeft: {
    fields: {},
    sentence: ({ serverId, deploymentId }) => `noted that deployment ${deploymentId} left server ${serverId}`,
  },
})

/** One stream for each server: who runs is a rule over all of its deployments. */
export const deployLaneEvents = stream('deployLane', events)
