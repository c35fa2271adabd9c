import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { deployLaneEvents } from './events.ts'
import { nextInLane } from './rules.ts'
import type { LanePlace } from './rules.ts'

type Joined = DataOf<typeof deployLaneEvents.LaneJoined>

interface Limit {
  readonly serverId: string
  /** Of builds at once. */
  readonly buildsMax: number
}

const NONE: readonly LanePlace[] = []

/** All that may run now. */
function entering(places: readonly LanePlace[], { serverId, buildsMax }: Limit) {
  const entered = []
  let now = places
  for (let next = nextInLane(now, buildsMax); next; next = nextInLane(now, buildsMax)) {
    const { deploymentId } = next
    entered.push(deployLaneEvents.LaneEntered({ serverId, deploymentId }))
    now = withRunning(now, deploymentId)
  }
  return entered
}

const withRunning = (places: readonly LanePlace[], deploymentId: string): LanePlace[] =>
  places.map((place) => (place.deploymentId === deploymentId ? { ...place, isRunning: true } : place))

export const deployLanes = decider(deployLaneEvents, {
  initial: NONE,
  evolve: {
    LaneJoined: (places, { serverId: _s, ...joined }) => [...places, { ...joined, isRunning: false }],
    LaneEntered: (places, { deploymentId }) => withRunning(places, deploymentId),
    LaneLeft: (places, left) => places.filter(({ deploymentId }) => deploymentId !== left.deploymentId),
  },
  commands: {
    Join: (places, { buildsMax, ...joined }: Joined & Limit) => {
      const { serverId: _s, ...place } = joined
      const all = [...places, { ...place, isRunning: false }]
      return [deployLaneEvents.LaneJoined(joined), ...entering(all, { serverId: joined.serverId, buildsMax })]
    },
    /** One that has left decides nothing. */
    Leave: (places, { deploymentId, ...limit }: Limit & { readonly deploymentId: string }) => {
      const rest = places.filter((place) => place.deploymentId !== deploymentId)
      if (rest.length === places.length) return []
      return [deployLaneEvents.LaneLeft({ serverId: limit.serverId, deploymentId }), ...entering(rest, limit)]
    },
    /** More builds may run than before. */
    Fill: (places, limit: Limit) => entering(places, limit),
  },
})
