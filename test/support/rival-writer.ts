/** A competing process: the state changes while a request runs, just before or just after the request appends. */
import { afterEach, expect } from 'vitest'
import type { EventStore } from '#kernel/events/store-port'
import { overrideStore } from './override-store.ts'

interface Rival {
  readonly moment: 'before' | 'after'
  readonly type: string
  readonly act: () => Promise<unknown>
}

/** Call at the top level of a test file: after each test, every registered moment must have come. */
export function rivalWriter() {
  let rival: Rival | undefined
  afterEach(() => expect(rival, 'the moment has come').toBeUndefined())

  async function actAt(moment: Rival['moment'], types: readonly string[]): Promise<void> {
    if (rival?.moment !== moment || !types.includes(rival.type)) return
    const { act } = rival
    rival = undefined
    await act()
  }

  return {
    /** Runs `act` once, before the next append of an event of that type. */
    overtaken(type: string, act: () => Promise<unknown>): void {
      rival = { moment: 'before', type, act }
    },
    /** Runs `act` once, after the next append of an event of that type and before its request goes on. */
    followed(type: string, act: () => Promise<unknown>): void {
      rival = { moment: 'after', type, act }
    },
    overtaking: (store: EventStore): EventStore =>
      overrideStore(store, {
        async append(append) {
          const types = append.parts.flatMap(({ events }) => events.map(({ type }) => type))
          await actAt('before', types)
          const appended = await store.append(append)
          await actAt('after', types)
          return appended
        },
      }),
  }
}
