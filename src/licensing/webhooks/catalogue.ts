/** What a webhook can be told: derived from the declared events, as is what a message about one says. */
import type { EventType, Stream } from '#kernel/events/event'
import type { ReactionEvent } from '#kernel/jobs/reaction'

export const PING = 'webhook.ping'
export const EVERYTHING = '*'

/** What is called after one of these is told; staff, credentials, keys and settings are nobody's business outside. */
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

/** By name, as `license.revoked`. */
export function catalogue(streams: readonly Stream[]): ReadonlyMap<string, EventType> {
  const types = streams.flatMap(({ types }) => types).filter(isPublic)
  const sorted = types.toSorted((one, other) => (one.action < other.action ? -1 : 1))
  return new Map(sorted.map((type) => [type.action, type]))
}

export const isWanted = (wanted: readonly string[], name: string): boolean =>
  wanted.includes(EVERYTHING) || wanted.includes(name)

/**
 * `{"type","timestamp","data"}`: ids and what the audit trail shows, never a sealed or an internal field. Where that would be too
 * long, ids alone.
 */
export function payloadOf({ eventType, data, at }: Pick<ReactionEvent, 'eventType' | 'data' | 'at'>): string {
  const shown = Object.entries(data as object).filter(([field]) => eventType.shownFields.includes(field))
  const whole = message(eventType.action, at, Object.fromEntries(shown))
  if (Buffer.byteLength(whole) <= PAYLOAD_BYTES_MAX) return whole
  return message(eventType.action, at, Object.fromEntries(shown.filter(([field]) => field.endsWith('Id'))))
}

export const message = (type: string, timestamp: string, data: object): string =>
  JSON.stringify({ type, timestamp, data })
