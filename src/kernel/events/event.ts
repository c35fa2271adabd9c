/**
 * What can have happened. An event type declares, once: its name, what it is about, its schema, its audit sentence, and, where
 * they apply, sealed fields, claims, strictness and upcasters. Streams collect event types; everything else is derived from them.
 */
import { z } from 'zod'
import { momentFields, refuseUnstorableData } from './storable-values.ts'
import type { Json, JsonObject } from './store-port.ts'

export type { JsonObject }

/** Fields so marked are ciphertext wherever they are stored: in events, in read models, in dumps. Only strings (or null) can be sealed. */
const sealedFields = z.registry<{ sealed: true }>()
export function sealed<Schema extends z.ZodType<string | null>>(schema: Schema): Schema {
  const marked = schema.clone()
  sealedFields.add(marked, { sealed: true })
  return marked
}
export const isSealed = (schema: z.core.$ZodType): boolean => sealedFields.has(schema)

/** Hashes, HMACs and the like: stored, but of no use to a reader of the audit trail. */
const internalFields = z.registry<{ internal: true }>()
export function internal<Schema extends z.ZodType>(schema: Schema): Schema {
  const marked = schema.clone()
  internalFields.add(marked, { internal: true })
  return marked
}

export interface EventConstraint {
  readonly scope: string
  readonly key: string
  /** Whom a refused claim names; by default the id of the event's subject. */
  readonly holder?: string
}

/**
 * Turns the stored data of one older schema version into the next one. Sealed fields are still sealed and keep their names: their
 * ciphertext is bound to the field that it was sealed in. A sealed field that is new is null.
 */
export type Upcaster = (data: JsonObject) => JsonObject

export interface EventOptions<Data> {
  /** Whose key seals the sealed fields (and is destroyed when they are forgotten), such as `customer/<id>`. */
  sealedFor?: (data: Data) => string
  takes?: (data: Data) => readonly EventConstraint[]
  releases?: (data: Data) => readonly EventConstraint[]
  /** True for what takes something away: it is only answered when every read model that it feeds has caught up. */
  strict?: boolean
  /** upcasters[0] leads from version 1 to 2, and so on; the present version is their number plus one. */
  upcasters?: readonly Upcaster[]
}

export interface DomainEvent<Name extends string = string, Data = unknown> {
  readonly type: Name
  readonly data: Data
}

export interface EventType<Name extends string = string, Data = any> {
  (data: Data): DomainEvent<Name, Data>
  readonly type: Name
  readonly schema: z.ZodType<Data>
  readonly schemaVersion: number
  /** The field that names the subject: `licenseId` makes the audit entry's subject a `license`. */
  readonly subjectKey: string
  readonly subjectType: string
  /** The audit trail's word for it: LicenseKeyRead is `license.key_read`. */
  readonly action: string
  readonly sentence: (data: Data) => string
  readonly sealedFields: readonly string[]
  /** The fields that the audit trail shows: neither sealed nor internal. */
  readonly shownFields: readonly string[]
  /** The names of the fields, at any depth, that hold a moment. */
  readonly momentFields: ReadonlySet<string>
  readonly options: EventOptions<Data>
}

type SubjectKey<Data> = Extract<keyof Data, `${string}Id`>

/**
 * Declares an event type. Its name starts with the noun it is about, so that `action` can be derived.
 * The sentence is read by people in the audit trail and names ids, never sealed fields.
 */
export function event<Name extends string, Shape extends z.core.$ZodLooseShape>(
  name: Name,
  subjectKey: SubjectKey<z.output<z.ZodObject<Shape>>>,
  shape: Shape,
  sentence: (data: z.output<z.ZodObject<Shape>>) => string,
  options: EventOptions<z.output<z.ZodObject<Shape>>> = {},
): EventType<Name, z.output<z.ZodObject<Shape>>> {
  type Data = z.output<z.ZodObject<Shape>>
  const subjectType = subjectKey.replace(/Id$/, '')
  const sealedNames = Object.keys(shape).filter((field) => sealedFields.has(shape[field] as z.ZodType))
  const shownNames = Object.keys(shape).filter(
    (field) => !sealedNames.includes(field) && !internalFields.has(shape[field] as z.ZodType),
  )
  if (sealedNames.length > 0 && !options.sealedFor)
    throw new Error(`${name} has sealed fields but does not say for whom`)
  const make = (data: Data): DomainEvent<Name, Data> => ({ type: name, data })
  const schema = z.strictObject(shape)
  return Object.defineProperties(make, {
    type: { value: name },
    schema: { value: schema },
    momentFields: { value: momentFields(schema) },
    schemaVersion: { value: (options.upcasters?.length ?? 0) + 1 },
    subjectKey: { value: subjectKey },
    subjectType: { value: subjectType },
    action: { value: actionOf(name, subjectType) },
    sentence: { value: sentence },
    sealedFields: { value: sealedNames },
    shownFields: { value: shownNames },
    options: { value: options },
  }) as unknown as EventType<Name, Data>
}

/** As `event`, where the names of fields are computed: the compiler does not follow them, so whoever declares it says its type. */
export const computedEvent = event as unknown as <Type extends EventType>(
  name: Type['type'],
  subjectKey: string,
  shape: z.core.$ZodLooseShape,
  sentence: (data: any) => string,
  options?: EventOptions<any>,
) => Type

/** MachineTokenMinted about a machineToken is `machine_token.minted`; ProvisioningReplayed about a subscription is `provisioning.replayed`. */
function actionOf(name: string, subjectType: string): string {
  const words = name.match(/[A-Z][a-z0-9]*/g) ?? [name]
  const nounWords = subjectType.replace(/[A-Z]/g, ' $&').trim().split(' ')
  const nounLeads = nounWords.every((word, index) => words[index]?.toLowerCase() === word.toLowerCase())
  const cut = nounLeads ? nounWords.length : 1
  const snake = (parts: string[]) => parts.join('_').toLowerCase()
  return `${snake(words.slice(0, cut))}.${snake(words.slice(cut))}`
}

export type EventOf<Type> = Type extends EventType<infer Name, infer Data> ? DomainEvent<Name, Data> : never
export type DataOf<Type> = Type extends EventType<string, infer Data> ? Data : never

/** The ordered events of one consistency boundary. Its name in the store is `name` alone or `name-<key>`. */
export interface Stream<Types extends readonly EventType[] = readonly EventType[]> {
  readonly name: string
  readonly types: Types
  nameFor(key?: string): string
}

export function stream<const Types extends readonly EventType[]>(name: string, types: Types): Stream<Types> {
  return { name, types, nameFor: (key) => (key === undefined ? name : `${name}-${key}`) }
}

export type EventIn<S> = S extends Stream<infer Types> ? EventOf<Types[number]> : never

/** What stands beside each event and never inside its data. */
export interface Metadata {
  /** RFC 3339, from the database's clock. */
  readonly at: string
  readonly actor: Actor
  /** The source address, sealed with the actor's key; absent where nobody called from the network. */
  readonly ip?: string
  readonly requestId: string
  /** The id of the event that led to this one. */
  readonly causationId?: string
}

/** Who asks, of which a unit of work makes the metadata. */
export interface CommandContext {
  readonly actor: Actor
  /** The source address in clear; it is sealed with the actor's key before it is stored. */
  readonly ip?: string
  readonly requestId: string
  readonly causationId?: string
}

export interface Actor {
  /** STAFF, TOKEN, SYSTEM and what else a service knows. */
  readonly type: string
  readonly id: string
}

/** One declared type per name; a second declaration of a name is a mistake found at start. */
export function eventTypes(streams: readonly Stream[]): ReadonlyMap<string, EventType> {
  const known = new Map<string, EventType>()
  for (const type of new Set(streams.flatMap((each) => each.types))) {
    if (known.has(type.type)) throw new Error(`Two event types are called ${type.type}`)
    known.set(type.type, type)
  }
  return known
}

/** Written by a newer process: no fault of the event, and not this process's to judge. */
export class UnknownEventVersion extends Error {
  override readonly name = 'UnknownEventVersion'
}

/**
 * Brings stored data to the newest shape, whatever version it was written in.
 * @throws UnknownEventVersion for a version that this process does not know yet, because a newer one runs beside it: a guess would be kept in read models
 */
export function upcast(type: EventType, data: JsonObject, storedVersion: number): JsonObject {
  if (storedVersion > type.schemaVersion)
    throw new UnknownEventVersion(
      `${type.type} was written in version ${storedVersion}, this process knows ${type.schemaVersion}`,
    )
  if (storedVersion === type.schemaVersion) return data
  const steps = (type.options.upcasters ?? []).slice(storedVersion - 1)
  return steps.reduce((older, step) => step(older), data)
}

/** Data as a store keeps it: what the schema accepts, and only JSON that columns can hold. @throws Rejection 400 NOT_STORABLE */
export function validateEventData<Data>(type: EventType<string, Data>, data: Data): { [field: string]: Json } {
  const kept = type.schema.parse(data) as { [field: string]: Json }
  refuseUnstorableData(kept, type)
  return kept
}
