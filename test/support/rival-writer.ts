/** Another process is faster at the very moment that hurts: what a request rests on changes between its reading and its append. */
import { afterEach, expect } from 'vitest'
import type { EventStore } from '#kernel/events/store-port'
import { overrideStore } from './override-store.ts'

/** Call at the top level of a test file: after each test every moment that was waited for has come. */
export function rivalWriter() {
  let rival: { readonly before: string; readonly act: () => Promise<unknown> } | undefined
  afterEach(() => expect(rival, 'the moment has come').toBeUndefined())

  return {
    /** Once, ahead of the next append of an event of that type: what `act` does is there before it. */
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
