/** Who of a lane may run next. */

export interface LanePlace {
  readonly deploymentId: string
  readonly workloadId: string
  readonly projectId: string
  readonly builds: boolean
  readonly isAutomatic: boolean
  readonly isRunning: boolean
}

/** Of a workload. */
export const runningTurn = (places: readonly LanePlace[], workload: { readonly id: string }): LanePlace | undefined =>
  places.find(({ workloadId, isRunning }) => isRunning && workloadId === workload.id)

/**
 * A workload has one deployment at a time, and builds are at most `buildsMax`. What builds nothing never waits for builds. Of those
 * that may run, the oldest one of the project with the fewest running ones is next.
 * @param places in the order of their requests
 */
export function nextInLane(places: readonly LanePlace[], buildsMax: number): LanePlace | undefined {
  const running = places.filter(({ isRunning }) => isRunning)
  const areBuildsFull = running.filter(({ builds }) => builds).length >= buildsMax
  const busy = new Set(running.map(({ workloadId }) => workloadId))
  const runningIn = (projectId: string) => running.filter((each) => each.projectId === projectId).length
  const allowed: LanePlace[] = []
  for (const place of places) {
    if (place.isRunning) continue
    if (!busy.has(place.workloadId) && !(place.builds && areBuildsFull)) allowed.push(place)
    // The deployments of a workload keep their order.
    busy.add(place.workloadId)
  }
  const fewest = Math.min(...allowed.map(({ projectId }) => runningIn(projectId)))
  return allowed.find(({ projectId }) => runningIn(projectId) === fewest)
}
