/** Which answers an event of the change feed may have changed. */
import type { FeedChange } from '#api-client/feed'

/** The sections that show each kind of event, as the document of the service declares them. */
export type Kinds = Readonly<Record<string, readonly string[]>>

/** The key of a query: its operation as `GET /api/admin/plans/{id}`, and its input. */
export type AnswerKey = readonly [line: string, input: { readonly query?: object }, ...rest: unknown[]]

const sectionsIn = (line: string): string[] => line.split('/').filter((part) => /^[a-z][\w-]*$/.test(part))
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The path names a record, or a filter does. */
const isOfRecord = (line: string, query: object): boolean =>
  line.includes('{') || Object.values(query).some((value) => typeof value === 'string' && ID.test(value))

/** @returns whether an answer has to be read again */
export function concernOf(events: readonly FeedChange[], kinds: Kinds): (key: AnswerKey, data: unknown) => boolean {
  // A newer service has kinds that this page does not know.
  if (events.some(({ kind }) => kinds[kind] === undefined)) return () => true
  const named = new Set(Object.values(kinds).flat())
  const changed = new Set(events.flatMap(({ kind }) => kinds[kind]!))
  const ids = [...new Set(events.flatMap((event) => Object.values(event.ids)))]
  return ([line, input], data) => {
    if (holdsOne(input, ids) || holdsOne(data, ids)) return true
    if (isOfRecord(line, input.query ?? {})) return false
    const sections = sectionsIn(line)
    // What belongs to no section with events of its own, such as the audit trail or figures, is made of all events.
    return sections.some((section) => changed.has(section)) || !sections.some((section) => named.has(section))
  }
}

export function holdsOne(data: unknown, ids: readonly string[]): boolean {
  const text = data === undefined ? '' : JSON.stringify(data)
  return ids.some((id) => text.includes(id))
}
