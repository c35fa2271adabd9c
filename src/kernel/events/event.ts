/**
 * Event types and streams. An event type declares its name, subject, schema and audit sentence, and optionally sealed
 * fields, unique constraints, strictness and upcasters. A stream lists its event types; the rest is derived from them.
 */
import { z } from 'zod'
import { momentFields, refuseUnstorableData } from './storable-values.ts'
import type { Json, JsonObject } from './store-port.ts'

export type { JsonObject }

/**
 * Marks a field that is stored as ciphertext everywhere: in events, read models and dumps.
 * Only strings and null can be sealed.
 */
const sealedFields = z.registry<{ sealed: true }>()
export function sealed<Schema extends z.ZodType<string | null>>(schema: Schema): Schema {
  const marked = schema.clone()
  sealedFields.add(marked, { sealed: true })
  return marked
}
export const isSealed = (schema: z.core.$ZodType): boolean => sealedFields.has(schema)

/** Marks a field that the audit trail does not show, such as a hash or an HMAC. */
const internalFields = z.registry<{ internal: true }>()
export function internal<Schema extends z.ZodType>(schema: Schema): Schema {
  const marked = schema.clone()
  internalFields.add(marked, { internal: true })
  return marked
}

export interface EventConstraint {
  readonly scope: string
  readonly key: string
  /** The holder that a refusal names; the default is the id of the event's subject. */
  readonly holder?: string
}

/**
 * Converts the stored data of one schema version to the next. Sealed fields stay sealed and keep their names, because
 * their ciphertext is bound to the name of the field. A new sealed field must be null.
 */
export type Upcaster = (data: JsonObject) => JsonObject

export interface EventOptions<Data> {
  /** The subject whose key seals the sealed fields, such as `customer/<id>`. Erasing the subject destroys the key. */
  sealedFor?: (data: Data) => string
  takes?: (data: Data) => readonly EventConstraint[]
  releases?: (data: Data) => readonly EventConstraint[]
  /**
   * True for an event that takes something away: the reply waits until every read model that it feeds has caught up.
   */
  strict?: boolean
  /** upcasters[0] converts version 1 to 2, and so on; the current version is the number of upcasters plus one. */
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
  /** The name of the event in the audit trail: LicenseKeyRead is `license.key_read`. */
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
 * Declares an event type. Its name starts with the noun of its subject, so that `action` can be derived.
 * People read the sentence in the audit trail. It names ids, never sealed fields.
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
    throw new Error(`${name} has sealed fields and needs the option sealedFor`)
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

/** As `event`, for computed field names. The compiler cannot infer them, so the declaration states its type. */
export const computedEvent = event as unknown as <Type extends EventType>(
  name: Type['type'],
  subjectKey: string,
  shape: z.core.$ZodLooseShape,
  sentence: (data: any) => string,
  options?: EventOptions<any>,
) => Type

type Shape = z.core.$ZodLooseShape
type DataIn<Of extends Shape, Fields extends Shape> = z.output<z.ZodObject<Of & Fields>>

interface EventDeclaration<Data, Fields extends Shape> extends EventOptions<Data> {
  /** Those beside the fields that all of these events have. */
  readonly fields: Fields
  /** People read it in the audit trail. It names ids, never sealed fields. */
  readonly sentence: (data: Data) => string
}

/**
 * Declares the event types about one kind of subject, by their names. Each is what `event` makes of it.
 * @param of the fields that each of them has, first the id of the subject
 * @param sealedFor of those with sealed fields, unless they name another
 */
export const eventsAbout =
  <Of extends Shape>(of: Of, sealedFor?: (data: z.output<z.ZodObject<Of>>) => string) =>
  <Fields extends Readonly<Record<string, Shape>>>(declared: {
    readonly [Name in keyof Fields]: EventDeclaration<DataIn<Of, Fields[Name]>, Fields[Name]>
  }): { readonly [Name in keyof Fields]: EventType<Name & string, DataIn<Of, Fields[Name]>> } => {
    const [subjectKey = ''] = Object.keys(of)
    if (!subjectKey.endsWith('Id'))
      throw new Error(`The first field of events about a subject is its id, not ${subjectKey}`)
    const all = declared as unknown as Readonly<Record<string, EventDeclaration<DataIn<Of, Shape>, Shape>>>
    const types = Object.entries(all).map(([name, { fields, sentence, ...own }]) => {
      const shape = { ...of, ...fields }
      const isAnySealed = Object.values(shape).some((schema) => sealedFields.has(schema as z.ZodType))
      const options = { ...(isAnySealed && sealedFor && { sealedFor }), ...own }
      return [name, computedEvent(name, subjectKey, shape, sentence, options)]
    })
    // Each name has the type that is computed from its declaration.
    return Object.fromEntries(types) as never
  }

/**
 * MachineTokenMinted about a machineToken is `machine_token.minted`;
 * ProvisioningReplayed about a subscription is `provisioning.replayed`.
 */
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

/** The ordered events of one consistency boundary. Its name in the store is `name` or `name-<key>`. */
export interface Stream<Types extends readonly EventType[] = readonly EventType[]> {
  readonly name: string
  readonly types: Types
  nameFor(key?: string): string
}

/** As a section declares it: each event type is a member with its own name, such as `userEvents.UserAdded`. */
export type DeclaredStream<Types extends readonly EventType[]> = Stream<Types> & {
  readonly [Type in Types[number] as Type['type']]: Type
}

/** @param types in the order in which they can happen, or as `eventsAbout` declares them */
export function stream<const Types extends readonly EventType[]>(name: string, types: Types): DeclaredStream<Types>
export function stream<Types extends Readonly<Record<string, EventType>>>(
  name: string,
  types: Types,
): DeclaredStream<readonly Types[keyof Types][]>
export function stream(name: string, types: readonly EventType[] | Readonly<Record<string, EventType>>): Stream {
  const all: readonly EventType[] = Object.values(types)
  return {
    name,
    types: all,
    nameFor: (key) => (key === undefined ? name : `${name}-${key}`),
    ...Object.fromEntries(all.map((each) => [each.type, each])),
  }
}

/** The event types of a stream for which a record has an entry, such as a text. */
export const eventTypesIn = <S extends Stream, Name extends keyof S & string>(
  declared: S,
  entries: Readonly<Record<Name, unknown>>,
) => Object.keys(entries).map((name) => declared[name as Name] as S[Name] & EventType)

export type EventIn<S> = S extends Stream<infer Types> ? EventOf<Types[number]> : never

/** Stored beside the data of each event. */
export interface Metadata {
  /** RFC 3339, from the database's clock. */
  readonly at: string
  readonly actor: Actor
  /** The source address, sealed with the actor's key; absent when the call did not come from the network. */
  readonly ip?: string
  readonly requestId: string
  /** The id of the event that led to this one. */
  readonly causationId?: string
}

/** The caller of a command; a unit of work makes the metadata of its events from it. */
export interface CommandContext {
  readonly actor: Actor
  /** The source address in clear; it is sealed with the actor's key before it is stored. */
  readonly ip?: string
  readonly requestId: string
  readonly causationId?: string
}

export interface Actor {
  /** STAFF, TOKEN, SYSTEM or another type that the service defines. */
  readonly type: string
  readonly id: string
}

/** The event types by name. @throws at start when two declarations have one name */
export function eventTypes(streams: readonly Stream[]): ReadonlyMap<string, EventType> {
  const known = new Map<string, EventType>()
  for (const type of new Set(streams.flatMap((each) => each.types))) {
    if (known.has(type.type)) throw new Error(`Two event types have the name ${type.type}; rename one of them`)
    known.set(type.type, type)
  }
  return known
}

/** The event was written by a newer process. The event is valid, but this process cannot read it. */
export class UnknownEventVersion extends Error {
  override readonly name = 'UnknownEventVersion'
}

/**
 * Converts stored data of any version to the newest one.
 * @throws UnknownEventVersion for a version that only a newer process knows: read models would store a wrong guess
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

/** The data to store: it matches the schema, and columns can hold all of it. @throws Rejection 400 NOT_STORABLE */
export function validateEventData<Data>(type: EventType<string, Data>, data: Data): { [field: string]: Json } {
  const kept = type.schema.parse(data) as { [field: string]: Json }
  refuseUnstorableData(kept, type)
  return kept
}
