/** The states of a deployment: what leads from one to another, whatever is told, how often, and in which order. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { deployments } from '#panel/deployments/decider'
import { DEPLOYMENT_ENDS } from '#panel/deployments/events'
import type { DeploymentKind, DeploymentState } from '#panel/deployments/events'
import { AT } from '#test/support/decider-spec'

const id = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`
const asked = (kind: DeploymentKind) => ({
  deploymentId: id(1),
  applicationId: id(2),
  projectId: id(3),
  environmentId: id(4),
  serverId: id(5),
  kind,
  cause: { type: 'USER' as const, id: id(6) },
  commit: null,
  branch: null,
  imageTag: null,
  alwaysBuilds: false,
  fromId: null,
  variables: null,
})

const IMAGE = { service: 'app', imageId: 'sha256:1', repoDigest: null }
/** Whatever a task, a person or a timer may say. */
const TOLD = {
  startsFetching: ['Start', { step: 'FETCHING' }],
  startsPulling: ['Start', { step: 'PULLING' }],
  startsStopping: ['Start', { step: 'STOPPING' }],
  fetched: ['NoteFetched', { commit: 'c', subject: 's', step: 'BUILDING' }],
  commit: ['NoteCommit', { commit: 'c', subject: 's' }],
  planned: ['Plan', { plan: '{}' }],
  image: ['NoteImage', { ...IMAGE, step: 'STARTING' }],
  adopted: ['Adopt', { images: { app: 'sha256:1' } }],
  variables: ['UseVariables', { variables: { application: 1, project: 1 } }],
  ready: ['NoteReady', {}],
  replaced: ['NoteReplaced', {}],
  succeeded: ['Succeed', {}],
  failed: ['Fail', { code: 'X', message: 'x' }],
  cancel: ['Cancel', {}],
  cancelled: ['NoteCancelled', {}],
  superseded: ['Supersede', { byId: id(9) }],
  skipped: ['Skip', { why: 'SAME_COMMIT' }],
} as const
type Told = keyof typeof TOLD

type State = ReturnType<typeof deployments.evolve>
type Happened = Parameters<typeof deployments.evolve>[1]

function after(all: readonly Told[]): State {
  let state: State = undefined
  const apply = (command: string, ask: unknown) => {
    const decide = (deployments.commands as unknown as Record<string, (...given: unknown[]) => readonly Happened[]>)[
      command
    ]!
    for (const event of decide(state, ask, { at: AT, actor: { type: 'SYSTEM', id: 'test' } }))
      state = deployments.evolve(state, event, AT)
  }
  apply('Request', asked('DEPLOY'))
  for (const told of all)
    try {
      apply(TOLD[told][0], TOLD[told][1])
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
    }
  return state
}

const stateAfter = (...all: Told[]): DeploymentState => after(all)!.state

test('each kind goes its way', () => {
  expect(stateAfter('startsPulling', 'image', 'ready', 'succeeded')).toBe('SUCCEEDED')
  expect(stateAfter('startsFetching', 'fetched', 'image', 'ready', 'succeeded')).toBe('SUCCEEDED')
  expect(stateAfter('adopted', 'ready', 'succeeded')).toBe('SUCCEEDED')
  expect(stateAfter('startsStopping', 'succeeded')).toBe('SUCCEEDED')
  expect(stateAfter('startsFetching', 'skipped')).toBe('SKIPPED')
  expect(stateAfter('superseded')).toBe('SUPERSEDED')
})

test('what waits is cancelled at once, what runs with its task, and what switches never', () => {
  expect(stateAfter('cancel')).toBe('CANCELLED')
  expect(stateAfter('startsPulling', 'cancel')).toBe('CANCELLING')
  expect(stateAfter('startsPulling', 'cancel', 'image')).toBe('CANCELLING')
  expect(stateAfter('startsPulling', 'cancel', 'cancelled')).toBe('CANCELLED')
  expect(stateAfter('startsPulling', 'image', 'ready', 'cancel')).toBe('SWITCHING')
  expect(stateAfter('startsStopping', 'cancel')).toBe('STOPPING')
  expect(stateAfter('adopted', 'cancel', 'ready')).toBe('CANCELLING')
  expect(stateAfter('adopted', 'cancel', 'replaced', 'succeeded')).toBe('SUCCEEDED')
  expect(stateAfter('startsPulling', 'cancel', 'replaced')).toBe('CANCELLING')
})

test('a failure keeps the step at which it happened', () => {
  expect(after(['startsPulling', 'image', 'failed'])).toMatchObject({ state: 'FAILED', step: 'STARTING' })
  expect(after(['failed'])).toMatchObject({ state: 'FAILED', step: 'QUEUED' })
})

/** What may follow a state. */
const NEXT: Readonly<Partial<Record<DeploymentState, readonly DeploymentState[]>>> = {
  QUEUED: ['FETCHING', 'PULLING', 'STARTING', 'STOPPING', 'SUPERSEDED', 'CANCELLED', 'FAILED'],
  FETCHING: ['BUILDING', 'STARTING', 'SKIPPED', 'CANCELLING', 'FAILED'],
  PULLING: ['STARTING', 'CANCELLING', 'FAILED'],
  BUILDING: ['STARTING', 'CANCELLING', 'FAILED'],
  STARTING: ['SWITCHING', 'CANCELLING', 'FAILED'],
  SWITCHING: ['SUCCEEDED', 'FAILED'],
  STOPPING: ['SUCCEEDED', 'FAILED'],
  // By a task that has switched before it was told.
  CANCELLING: ['SWITCHING', 'CANCELLED', 'FAILED'],
}

test('whatever is told, no state is left but for one that may follow, and nothing leaves an end', () => {
  const told = fc.array(fc.constantFrom(...(Object.keys(TOLD) as Told[])), { maxLength: 25 })
  fc.assert(
    fc.property(told, (all) => {
      for (let count = 1; count <= all.length; count += 1) {
        const [before, now] = [after(all.slice(0, count - 1))!.state, after(all.slice(0, count))!.state]
        if (before === now) continue
        expect(DEPLOYMENT_ENDS.some((end) => end === before)).toBe(false)
        expect(NEXT[before], `${before} → ${now} by ${all[count - 1]}`).toContain(now)
      }
    }),
    { numRuns: 300 },
  )
})
