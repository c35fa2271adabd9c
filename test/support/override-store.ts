import type { EventStore } from '#kernel/events/store-port'

/** The store, but for what stands in place of some of it. */
export function overrideStore(store: EventStore, changes: Partial<EventStore>): EventStore {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(changes, name) ?? Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
