/** A competing process: the state that a request has read changes before the request appends. */
import { afterEach, expect } from 'vitest'
import type { EventStore } from '#kernel/events/store-port'
import { overrideStore } from './override-store.ts'

/** Call at the top level of a test file: after each test, every registered moment must have come. */
export function rivalWriter() {
  let rival: { readonly before: string; readonly act: () => Promise<unknown> } | undefined
  afterEach(() => expect(rival, 'the moment has come').toBeUndefined())

  return {
    /** Runs `act` once, before the next append of an event of that type. */
    overtaken(before: string, act: () => Promise<unknown>): void {
      rival = { before, act }
    },
    overtaking: (store: EventStore): EventStore =>
      overrideStore(store, {
        async append(append) {
          const types = append.parts.flatMap(({ events }) => events.map(({ type }) => type))
          if (rival && types.includes(rival.before)) {
            const { act } = rival
            rival = undefined
            await act()
          }
          return store.append(append)
        },
      }),
  }
}
