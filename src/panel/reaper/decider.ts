import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { reapEvents } from './events.ts'

/** Whether it was asked. */
export const reaps = decider(reapEvents, {
  initial: false,
  evolve: { ReapAsked: () => true },
  commands: {
    Ask: (isAsked, ask: DataOf<typeof reapEvents.ReapAsked>) => (isAsked ? [] : [reapEvents.ReapAsked(ask)]),
  },
})
