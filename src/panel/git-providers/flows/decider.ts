import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found } from '#kernel/lib/rejection'
import { gitFlowEvents } from './events.ts'

type Started = DataOf<typeof gitFlowEvents.GitFlowStarted>
export type FlowEnd = Pick<DataOf<typeof gitFlowEvents.GitFlowEnded>, 'outcome' | 'gitProviderId'>

export interface GitFlow extends Omit<Started, 'gitFlowId'> {
  readonly id: string
  /** Undefined: it goes on. */
  readonly end: FlowEnd | undefined
}

export const gitFlows = decider(gitFlowEvents, {
  initial: undefined as GitFlow | undefined,
  evolve: {
    GitFlowStarted: (_none, { gitFlowId: id, ...flow }): GitFlow => ({ ...flow, id, end: undefined }),
    GitFlowEnded: (flow, { outcome, gitProviderId }) => ({ ...flow!, end: { outcome, gitProviderId } }),
  },
  commands: {
    Start: (_none, ask: Started) => [gitFlowEvents.GitFlowStarted(ask)],
    /** The first end counts. */
    End: (flow, end: FlowEnd) => {
      const { id: gitFlowId, ownerId, end: before } = found(flow)
      return before ? [] : [gitFlowEvents.GitFlowEnded({ gitFlowId, ownerId, ...end })]
    },
  },
})
