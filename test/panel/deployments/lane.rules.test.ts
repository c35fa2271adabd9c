/** The lane of a server: builds within their number, one deployment of a workload at a time, and a turn for each. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextInLane } from '#panel/deployments/lane/rules'
import type { LanePlace } from '#panel/deployments/lane/rules'

const place = (deploymentId: string, more: Partial<LanePlace> = {}): LanePlace => ({
  deploymentId,
  workloadId: `of ${deploymentId}`,
  projectId: 'p',
  builds: true,
  isAutomatic: false,
  isRunning: false,
  ...more,
})
const next = (places: readonly LanePlace[], buildsMax = 2) => nextInLane(places, buildsMax)?.deploymentId

test('at most so many build, and what builds nothing passes those that wait', () => {
  const running = [place('a', { isRunning: true }), place('b', { isRunning: true })]
  expect(next([...running, place('c')])).toBeUndefined()
  expect(next([...running, place('c'), place('rollback', { builds: false })])).toBe('rollback')
  expect(next([place('a', { isRunning: true }), place('c')])).toBe('c')
})

test('deployments of a workload keep their order, one at a time', () => {
  const one = { workloadId: 'w' }
  expect(next([place('a', { ...one, isRunning: true }), place('b', { ...one, builds: false })])).toBeUndefined()
  expect(next([place('a', { ...one, isRunning: true }), place('b', one), place('c')])).toBe('c')
  // The first one waits for a place to build, and the second one, which builds nothing, for the first one.
  const full = [place('x', { isRunning: true })]
  expect(next([...full, place('a', one), place('b', { ...one, builds: false })], 1)).toBeUndefined()
})

test('the project with the fewest running ones is next, and within it the oldest', () => {
  const busy = place('a', { isRunning: true, projectId: 'busy' })
  expect(next([busy, place('b', { projectId: 'busy' }), place('c', { projectId: 'idle' })])).toBe('c')
  expect(next([place('b'), place('c')])).toBe('b')
})

const places = fc.array(
  fc.record({
    workload: fc.integer({ min: 0, max: 5 }),
    project: fc.integer({ min: 0, max: 2 }),
    builds: fc.boolean(),
  }),
  { maxLength: 30 },
)

test('whatever joins and leaves, the limits hold, and all have their turn', () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 1, max: 3 }), fc.infiniteStream(fc.nat()), (asked, buildsMax, choose) => {
      let lane = asked.map(({ workload, project, builds }, nth) =>
        place(String(nth), { workloadId: String(workload), projectId: String(project), builds }),
      )
      const done: string[] = []
      for (const which of choose) {
        for (let entering = next(lane, buildsMax); entering !== undefined; entering = next(lane, buildsMax))
          lane = lane.map((each) => (each.deploymentId === entering ? { ...each, isRunning: true } : each))
        const running = lane.filter(({ isRunning }) => isRunning)
        expect(running.filter(({ builds }) => builds).length).toBeLessThanOrEqual(buildsMax)
        expect(new Set(running.map(({ workloadId }) => workloadId)).size).toBe(running.length)
        if (running.length === 0) break
        const { deploymentId } = running[which % running.length]!
        done.push(deploymentId)
        lane = lane.filter((each) => each.deploymentId !== deploymentId)
      }
      expect(lane).toEqual([])
      expect(done).toHaveLength(asked.length)
    }),
    { numRuns: 200 },
  )
})
