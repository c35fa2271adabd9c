import { decider } from '#kernel/events/decider'
import { taskKeyEvents } from './events.ts'

interface TaskKey {
  readonly taskKeyId: string
  /** A private JWK as JSON. */
  readonly key: string
}

export const taskKeys = decider(taskKeyEvents, {
  initial: undefined as TaskKey | undefined,
  evolve: { TaskKeyMade: (_none, made): TaskKey => made },
  commands: {
    /** The first one only: another key would be unknown to the agents. */
    MakeFirst: (known, ask: TaskKey) => (known ? [] : [taskKeyEvents.TaskKeyMade(ask)]),
  },
})
