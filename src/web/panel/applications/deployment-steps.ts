/** The steps of a deployment in their order, from the times that it has. */
import type { Deployment } from '#api-client/panel/schemas'
import { isOver } from './deployment-words.ts'

export type StepState = 'done' | 'now' | 'failed' | 'ended'

export interface Step {
  readonly name: string
  readonly at: string
  /** Absent: it is under way, or it is the end. */
  readonly until: string | undefined
  readonly state: StepState
}

const WORDS = [
  ['FETCHING', 'fetchingAt', 'The commit is fetched'],
  ['PULLING', 'pullingAt', 'The image is pulled'],
  ['BUILDING', 'buildingAt', 'The image is built'],
  ['STARTING', 'startingAt', 'New containers start and become healthy'],
  ['SWITCHING', 'switchingAt', 'Requests go over to them'],
  ['STOPPING', 'stoppingAt', 'Its containers stop'],
] as const

const ENDS: Readonly<Record<string, string>> = {
  SUCCEEDED: 'It has succeeded',
  FAILED: 'It has failed',
  CANCELLED: 'It was cancelled',
  SUPERSEDED: 'A newer one took its place',
  SKIPPED: 'It was skipped',
}

export function stepsOf(deployment: Deployment): readonly Step[] {
  const { createdAt, endedAt, status, failure } = deployment
  const begun = [
    { step: 'QUEUED', name: 'It waits for its turn', at: createdAt },
    ...WORDS.flatMap(([step, time, name]) => (deployment[time] === null ? [] : [{ step, name, at: deployment[time] }])),
  ].toSorted((one, other) => one.at.localeCompare(other.at))
  const steps = begun.map(({ step, name, at }, nth): Step => {
    const until = begun[nth + 1]?.at ?? endedAt ?? undefined
    const isBroken = failure?.step === step
    return { name, at, until, state: isBroken ? 'failed' : until === undefined ? 'now' : 'done' }
  })
  if (!isOver(deployment) || endedAt === null) return steps
  const state = status === 'FAILED' ? 'failed' : status === 'SUCCEEDED' ? 'done' : 'ended'
  return [...steps, { name: ENDS[status] ?? status, at: endedAt, until: undefined, state }]
}
