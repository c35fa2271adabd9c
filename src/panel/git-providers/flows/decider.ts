import { decider } from '#kernel/events/decider'
import type { DecisionContext } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { gitFlowEvents } from './events.ts'

type Started = DataOf<typeof gitFlowEvents.GitFlowStarted>
type Redirected = DataOf<typeof gitFlowEvents.GitFlowRedirected>
export type FlowEnd = Pick<DataOf<typeof gitFlowEvents.GitFlowEnded>, 'outcome' | 'gitProviderId'>

/** Of a code that a person enters at the provider. */
type DevicePart = Pick<Started, 'code' | 'intervalSeconds'>
/** Of a browser that is sent to the provider and back. */
interface RedirectPart extends Omit<Redirected, keyof Started | 'stateHash'> {
  /** Whether it has come back. */
  readonly isUsed: boolean
}

export interface GitFlow extends Omit<Started, 'gitFlowId' | keyof DevicePart> {
  readonly id: string
  /** One of the two. */
  readonly device: DevicePart | undefined
  readonly redirect: RedirectPart | undefined
  /** Undefined: it goes on. */
  readonly end: FlowEnd | undefined
}

const isOver = ({ expiresAt }: Pick<GitFlow, 'expiresAt'>, at: Date): boolean => Date.parse(expiresAt) <= at.getTime()

/** What is known of the flow without a call. Undefined: it goes on. */
export function knownEnd(flow: GitFlow, at: Date): FlowEnd | undefined {
  return flow.end ?? (isOver(flow, at) ? { outcome: 'EXPIRED', gitProviderId: null } : undefined)
}

export const gitFlows = decider(gitFlowEvents, {
  initial: undefined as GitFlow | undefined,
  evolve: {
    GitFlowStarted: (_none, { gitFlowId: id, code, intervalSeconds, ...flow }): GitFlow => ({
      ...flow,
      id,
      device: { code, intervalSeconds },
      redirect: undefined,
      end: undefined,
    }),
    GitFlowRedirected: (
      _none,
      { gitFlowId: id, ownerId, projectId, name, repositories, expiresAt, stateHash: _taken, ...redirect },
    ): GitFlow => ({
      id,
      ownerId,
      projectId,
      name,
      repositories,
      expiresAt,
      device: undefined,
      redirect: { ...redirect, isUsed: false },
      end: undefined,
    }),
    GitFlowReturned: (flow) => ({ ...flow!, redirect: { ...flow!.redirect!, isUsed: true } }),
    GitFlowEnded: (flow, { outcome, gitProviderId }) => ({ ...flow!, end: { outcome, gitProviderId } }),
  },
  commands: {
    Start: (_none, ask: Started) => [gitFlowEvents.GitFlowStarted(ask)],
    Redirect: (_none, ask: Redirected) => [gitFlowEvents.GitFlowRedirected(ask)],
    /** Only the browser that began it comes back, once and in time. */
    Return: (flow, { browserHash }: Pick<Redirected, 'browserHash'>, { at }: DecisionContext) => {
      const { id: gitFlowId, ownerId, redirect } = found(flow)
      if (!redirect || redirect.isUsed || knownEnd(flow!, at) || redirect.browserHash !== browserHash)
        reject('conflict', 'This sign-in cannot go on: begin again', 'FLOW_REFUSED')
      return [gitFlowEvents.GitFlowReturned({ gitFlowId, ownerId })]
    },
    /** The first end counts. */
    End: (flow, end: FlowEnd) => {
      const { id: gitFlowId, ownerId, end: before } = found(flow)
      return before ? [] : [gitFlowEvents.GitFlowEnded({ gitFlowId, ownerId, ...end })]
    },
  },
})
