/** What the page of a deployment shows of its times. */
import { expect, test } from 'vitest'
import { stepsOf } from '../../src/web/panel/applications/deployment-steps.ts'
import { durationBetween, earlierOf, stillness } from '../../src/web/panel/applications/deployment-words.ts'

type Deployment = Parameters<typeof stepsOf>[0]

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString()

const deployment = (more: Partial<Deployment> = {}): Deployment => ({
  id: 'id',
  applicationId: 'application',
  projectId: 'project',
  environmentId: 'environment',
  serverId: 'server',
  previewId: null,
  kind: 'DEPLOY',
  cause: { type: 'USER', id: null },
  status: 'QUEUED',
  waitingFor: null,
  fromId: null,
  branch: null,
  commit: null,
  imageId: null,
  requestedBy: 'person',
  failure: null,
  skippedWhy: null,
  createdAt: at(0),
  startedAt: null,
  fetchingAt: null,
  pullingAt: null,
  buildingAt: null,
  startingAt: null,
  switchingAt: null,
  stoppingAt: null,
  endedAt: null,
  ...more,
})

const states = (of: Deployment) => stepsOf(of).map(({ state }) => state)

test('the last step of a deployment that goes on is under way, and no end is told', () => {
  expect(states(deployment())).toEqual(['now'])
  expect(states(deployment({ status: 'STARTING', pullingAt: at(1), startingAt: at(5) }))).toEqual([
    'done',
    'done',
    'now',
  ])
})

test('steps follow each other by their times, and each lasts until the next', () => {
  const steps = stepsOf(deployment({ status: 'SUCCEEDED', startingAt: at(9), pullingAt: at(2), endedAt: at(12) }))
  expect(steps.map((step) => [step.at, step.until])).toEqual([
    [at(0), at(2)],
    [at(2), at(9)],
    [at(9), at(12)],
    [at(12), undefined],
  ])
})

test('the step that failed is marked, and so is the end', () => {
  const failure = { step: 'PULLING', code: 'IMAGE_NOT_FOUND', message: 'There is no such image' } as const
  expect(states(deployment({ status: 'FAILED', failure, pullingAt: at(1), endedAt: at(3) }))).toEqual([
    'done',
    'failed',
    'failed',
  ])
  expect(states(deployment({ status: 'CANCELLED', endedAt: at(3) }))).toEqual(['done', 'ended'])
})

test('it is said why nothing moves, and why nothing was done', () => {
  expect(stillness(deployment())).toBeUndefined()
  expect(stillness(deployment({ waitingFor: 'SERVER' }))).toContain('silent')
  expect(stillness(deployment({ status: 'SKIPPED', skippedWhy: 'SAME_COMMIT' }))).toContain('runs already')
  expect(stillness(deployment({ status: 'SKIPPED', skippedWhy: 'A_LATER_REASON' }))).toBe('It was skipped.')
})

test('a duration is in the unit that tells it', () => {
  expect(
    [0.25, 4, 59.4, 65, 3_600].map((seconds) =>
      durationBetween(at(0), new Date(Date.parse(at(0)) + seconds * 1_000).toISOString()),
    ),
  ).toEqual(['250 ms', '4 s', '59 s', '1 min 5 s', '60 min 0 s'])
})

test('a rollback can go back to what succeeded before that which runs, and to no stop', () => {
  const all = [
    deployment({ id: 'failed', status: 'FAILED' }),
    deployment({ id: 'stop', status: 'SUCCEEDED', kind: 'STOP' }),
    deployment({ id: 'running', status: 'SUCCEEDED' }),
    deployment({ id: 'before', status: 'SUCCEEDED' }),
  ]
  expect(earlierOf(all).map(({ id }) => id)).toEqual(['before'])
})
