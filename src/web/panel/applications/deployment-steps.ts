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
  ['FETCHING', 'fetchingAt', 'Fetching the commit'],
  ['PULLING', 'pullingAt', 'Pulling the image'],
  ['BUILDING', 'buildingAt', 'Building the image'],
  ['STARTING', 'startingAt', 'Starting containers, until they are healthy'],
  ['SWITCHING', 'switchingAt', 'Leading requests to them'],
  ['STOPPING', 'stoppingAt', 'Stopping its containers'],
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
    { step: 'QUEUED', name: 'Waiting for its turn', at: createdAt },
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
