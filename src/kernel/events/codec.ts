/**
 * Converts domain events to stored events and back:
 * validates against the schema, seals and opens fields, upcasts old versions.
 */
import type { Vault } from '../vault/vault.ts'
import { UnknownEventVersion, validateEventData, eventTypes, upcast } from './event.ts'
import type { CommandContext, DomainEvent, EventType, Stream } from './event.ts'
import type { EventToAppend, JsonObject, RecordedEvent } from './store-port.ts'

export interface EventCodec {
  typeOf(name: string): EventType
  encode(event: DomainEvent): Promise<Pick<EventToAppend, 'type' | 'schemaVersion' | 'data'>>
  /** The event in its newest version, with sealed fields opened (or ERASED). */
  decode(recorded: RecordedEvent): Promise<DomainEvent>
  /** The event in its newest version, with sealed fields still sealed: the form that projections get. */
  decodeSealed(recorded: RecordedEvent): DomainEvent<string, JsonObject>
  metadata(context: CommandContext, at: Date): Promise<JsonObject>
  /** A cache of decoded events calls `applyErasures` before it uses them and drops them when `onErased` calls back. */
  readonly erasures: Pick<Vault, 'applyErasures' | 'onErased'>
}

/** Names the key that seals the IP address of an actor. */
export const ipSealField = (actor: { type: string; id: string }): { subject: string; field: string } => ({
  subject: `${actor.type.toLowerCase()}/${actor.id}`,
  field: 'ip',
})

export function eventCodec(streams: readonly Stream[], vault: Vault): EventCodec {
  const types = eventTypes(streams)

  function typeOf(name: string): EventType {
    const type = types.get(name)
    if (!type) throw new UnknownEventVersion(`Unknown event type ${name}`)
    return type
  }

  const decodeSealed = (recorded: RecordedEvent) => {
    const type = typeOf(recorded.type)
    return { type: recorded.type, data: upcast(type, recorded.data, recorded.schemaVersion) }
  }

  return {
    typeOf,
    decodeSealed,
    erasures: vault,
    async encode(event) {
      const type = typeOf(event.type)
      const data = validateEventData(type, event.data)
      for (const field of type.sealedFields) {
        const plain = data[field]
        if (typeof plain !== 'string') continue
        const subject = type.options.sealedFor!(event.data)
        data[field] = await vault.seal(plain, { subject, type: type.type, field })
      }
      return { type: type.type, schemaVersion: type.schemaVersion, data }
    },
    async decode(recorded) {
      const type = typeOf(recorded.type)
      const { data } = decodeSealed(recorded)
      if (type.sealedFields.length === 0) return { type: type.type, data }
      const opened: JsonObject = { ...data }
      for (const field of type.sealedFields) {
        const text = data[field]
        if (typeof text === 'string')
          opened[field] = await vault.open(text, { subject: type.options.sealedFor!(data), field })
      }
      return { type: type.type, data: opened }
    },
    async metadata({ actor, ip, requestId, causationId }, at) {
      const sealedIp = ip === undefined ? undefined : await vault.seal(ip, { ...ipSealField(actor), type: 'metadata' })
      return {
        at: at.toISOString(),
        actor: { type: actor.type, id: actor.id },
        requestId,
        ...(sealedIp === undefined ? {} : { ip: sealedIp }),
        ...(causationId === undefined ? {} : { causationId }),
      }
    },
  }
}
