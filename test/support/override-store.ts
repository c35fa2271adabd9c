import type { EventStore } from '#kernel/events/store-port'

/** A store in which `changes` replace some methods. */
export function overrideStore(store: EventStore, changes: Partial<EventStore>): EventStore {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(changes, name) ?? Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
