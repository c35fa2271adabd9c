import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { agentUpdateEvents } from './events.ts'

/** After the first one. */
export const SENT_AT_ONCE_MAX = 10

type Asked = DataOf<typeof agentUpdateEvents.AgentUpdateAsked>
type Sent = Asked['first']

export interface RunningUpdate extends Pick<Asked, 'agentUpdateId' | 'version' | 'executables'> {
  /** What was sent and has not ended. */
  readonly open: readonly Sent[]
  readonly waiting: Asked['servers']
  readonly updated: number
}

/** Undefined before and after it. */
type State = RunningUpdate | undefined

/** How a task of an update has ended; null: the agent has told the new version. */
interface TaskEnd {
  readonly taskId: string
  readonly code: string | null
  /** For as many as may be sent at once. */
  readonly newTaskIds: readonly string[]
}

const isOf =
  ({ serverId }: { readonly serverId: string }) =>
  (each: { readonly serverId: string }): boolean =>
    each.serverId === serverId

export const agentUpdates = decider(agentUpdateEvents, {
  initial: undefined as State,
  evolve: {
    AgentUpdateAsked: (_none, { first, servers, ...asked }): State => ({
      ...asked,
      open: [first],
      waiting: servers.filter((each) => !isOf(first)(each)),
      updated: 0,
    }),
    AgentUpdateAdvanced: (update, done): State => ({
      ...update!,
      open: [...update!.open.filter((each) => !isOf(done)(each)), ...done.next],
      waiting: update!.waiting.filter((each) => !done.next.some(isOf(each))),
      updated: done.updated,
    }),
    AgentUpdateHalted: () => undefined,
    AgentUpdateEnded: () => undefined,
  },
  commands: {
    Ask: (_update, ask: Asked) => [agentUpdateEvents.AgentUpdateAsked(ask)],

    /** A task that was heard of before decides nothing. */
    NoteEnd: (update, { taskId, code, newTaskIds }: TaskEnd) => {
      const ended = update?.open.find((each) => each.taskId === taskId)
      if (!update || !ended) return []
      const { agentUpdateId, open, waiting } = update
      const { serverId } = ended
      if (code !== null) return [agentUpdateEvents.AgentUpdateHalted({ agentUpdateId, serverId, code })]
      const updated = update.updated + 1
      const places = SENT_AT_ONCE_MAX - (open.length - 1)
      const next = waiting.slice(0, places).map((each, nth) => ({ serverId: each.serverId, taskId: newTaskIds[nth]! }))
      const advanced = agentUpdateEvents.AgentUpdateAdvanced({ agentUpdateId, serverId, updated, next })
      const isLast = open.length === 1 && next.length === 0
      return isLast ? [advanced, agentUpdateEvents.AgentUpdateEnded({ agentUpdateId, updated })] : [advanced]
    },

    /** An agent that was sent the update is silent. */
    HaltSilent: (update, _ask: object) => {
      const silent = update?.open[0]
      if (!update || !silent) return []
      const { agentUpdateId } = update
      return [agentUpdateEvents.AgentUpdateHalted({ agentUpdateId, serverId: silent.serverId, code: 'NOT_REPORTED' })]
    },
  },
})
