/**
 * The events that a webhook can subscribe to and the content of their messages, derived from the
 * declared events.
 */
import type { EventType, Stream } from '#kernel/events/event'
import type { ReactionEvent } from '#kernel/jobs/reaction'

export const PING = 'webhook.ping'
export const EVERYTHING = '*'

/**
 * The first part of the names of such events. Events about staff, credentials, keys and settings
 * are never sent.
 */
const NOUNS = new Set([
  'customer',
  'subscription',
  'license',
  'instance',
  'payment',
  'invoice',
  'credit',
  'plan',
  'feature',
  'version',
  'provisioning',
])

const PAYLOAD_BYTES_MAX = 65_536

export const isPublic = ({ action }: EventType): boolean => NOUNS.has(action.split('.')[0]!)

/** By name, for example `license.revoked`. */
export function catalogue(streams: readonly Stream[]): ReadonlyMap<string, EventType> {
  const types = streams.flatMap(({ types }) => types).filter(isPublic)
  const sorted = types.toSorted((one, other) => (one.action < other.action ? -1 : 1))
  return new Map(sorted.map((type) => [type.action, type]))
}

export const isWanted = (wanted: readonly string[], name: string): boolean =>
  wanted.includes(EVERYTHING) || wanted.includes(name)

/**
 * `{"type","timestamp","data"}`: ids and what the audit trail shows, never a sealed or an internal
 * field. If that is too long, only the ids.
 */
export function payloadOf({ eventType, data, at }: Pick<ReactionEvent, 'eventType' | 'data' | 'at'>): string {
  const shown = Object.entries(data as object).filter(([field]) => eventType.shownFields.includes(field))
  const whole = message(eventType.action, at, Object.fromEntries(shown))
  if (Buffer.byteLength(whole) <= PAYLOAD_BYTES_MAX) return whole
  return message(eventType.action, at, Object.fromEntries(shown.filter(([field]) => field.endsWith('Id'))))
}

export const message = (type: string, timestamp: string, data: object): string =>
  JSON.stringify({ type, timestamp, data })
