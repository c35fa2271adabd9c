/**
 * Which staff sees the events of a stream in the change feed. A member of staff receives an event if a list or a history
 * that shows it can be read with the member's permissions at that time. Most of it follows from the sections: who may
 * call the list of a section sees what changes its records. A section without a list declares its readers in `visibleTo`.
 */
import type { EventType } from '#kernel/events/event'
import type { Route } from '#kernel/http/route'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { ChangeFeedDependencies, FeedAudience } from '#kernel/resource/change-feed'
import { kindsOf } from '#kernel/resource/section'
import type { Section } from '#kernel/resource/section'
import { STAFF } from './access.ts'
import type { Permission } from './permissions.ts'
import { callerOfSession, findLiveSession } from './staff-caller.ts'
import type { StaffCaller } from './staff-caller.ts'

/** A reader of the change feed, with its current rights. */
export interface FeedViewer {
  readonly caller: StaffCaller
  readonly read: ReadDatabase
}

export type Audience = FeedAudience<FeedViewer>

/** The account that owns the stream. */
export const streamOwner: Audience = ({ caller }, { key }) => caller.staffId === key

export const holdersOf =
  (permission: Permission): Audience =>
  ({ caller }) =>
    caller.can(permission)

const LISTS = /^\/api\/admin\/([\w-]+)$/
const HISTORIES = /^\/api\/admin\/([\w-]+)\/:id\/history$/

/** The permissions of the staff routes with such a path, by the name of the section in it. */
const permissionsOf = (routes: readonly Route[], path: RegExp): ReadonlyMap<string, string> =>
  new Map(
    routes.flatMap(({ method, path: own, access: { kinds, permission } }) => {
      const name = path.exec(own)?.[1]
      const isRead = method === 'GET' && kinds.includes(STAFF)
      return isRead && name !== undefined && permission !== undefined ? [[name, permission] as const] : []
    }),
  )

/** For each kind of event, the permissions that read it; each of them is enough. */
export function readersOf(sections: readonly Section[]): ReadonlyMap<EventType, ReadonlySet<string>> {
  const routes = sections.flatMap((section) => section.routes)
  const [lists, histories, kinds] = [permissionsOf(routes, LISTS), permissionsOf(routes, HISTORIES), kindsOf(sections)]
  const types = sections.flatMap(({ streams }) => streams.flatMap((each) => each.types))
  return new Map(
    types.map((type) => {
      const all = [
        // Its list shows every event.
        lists.get('audit'),
        ...kinds[type.action]!.map((section) => lists.get(section)),
        histories.get(`${type.subjectType}s`),
      ]
      return [type, new Set(all.flatMap((permission) => permission ?? []))]
    }),
  )
}

type FeedReaders = Pick<ChangeFeedDependencies<FeedViewer>, 'audiences' | 'canConcern' | 'viewerOf'>

export function feedReaders(read: ReadDatabase, sections: readonly Section<Audience>[]): FeedReaders {
  const readers = readersOf(sections)
  const declared = new Map(sections.flatMap(({ visibleTo }) => Object.entries(visibleTo)))
  const audienceOf =
    (stream: string): Audience =>
    (viewer, happened) =>
      viewer.caller.permissions.some((permission) => readers.get(happened.type)!.has(permission)) ||
      (declared.get(stream)?.(viewer, happened) ?? false)
  return {
    audiences: new Map(sections.flatMap(({ streams }) => streams.map(({ name }) => [name, audienceOf(name)]))),
    // Staff is few, and most events concern most of it.
    canConcern: () => true,
    async viewerOf({ sid, caller }, now) {
      const session = await findLiveSession(read, sid, now)
      const viewer = session && callerOfSession(session, now)
      // The client opens the stream again, and reads what its new rights show.
      return viewer && hasSameRights(viewer, caller as StaffCaller) ? { caller: viewer, read } : undefined
    },
  }
}

const hasSameRights = (one: StaffCaller, other: StaffCaller): boolean =>
  one.permissions.length === other.permissions.length && one.permissions.every(other.can)
