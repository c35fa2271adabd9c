/**
 * An operation: work on a subject that takes time, such as an import into a project. It is requested, runs in a worker, and can be watched.
 * All operations of a subject are in one stream, so that one at a time is a rule of this stream. One declaration makes four event types,
 * the stream and its decider; `operationTable` makes the read model, `operationJobs` the work, and `operationRoutes` the routes.
 */
import { z } from 'zod'
import type { Decider, DecisionContext } from '../events/decider.ts'
import { eventsAbout, isSealed, sealed, stream } from '../events/event.ts'
import type { DomainEvent, EventType, Stream } from '../events/event.ts'
import { reject } from '../lib/rejection.ts'
import { isOfType, valuesOf } from './fields.ts'
import type { Fields, ValuesOf } from './fields.ts'
import { idFieldOf, wordsOf } from './noun.ts'
import type { IdOf } from './noun.ts'

/** Callers see it and events keep it in clear text, so it must not name a person. */
const failure = { code: z.string(), message: z.string() }
export type OperationFailure = ValuesOf<typeof failure>

export const TIMED_OUT: OperationFailure = { code: 'TIMEOUT', message: 'The operation did not end in time: try again' }

/** What a row and a reply show beside what was asked for and what came of it. `createdAt` is when it was requested. */
const progress = {
  status: z.enum(['REQUESTED', 'RUNNING', 'FINISHED', 'FAILED']),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
}

type About<Noun extends string, Of extends Fields> = IdOf<Noun> & ValuesOf<Of>
export type RequestOf<Noun extends string, Of extends Fields, F extends Fields> = About<Noun, Of> & ValuesOf<F>
/** The values of the result are null until the operation has finished. */
export type OperationRow<Of extends Fields, F extends Fields, R extends Fields> = {
  readonly id: string
} & ValuesOf<Of> &
  ValuesOf<F> &
  ValuesOf<typeof progress> & { readonly [Name in keyof R]: ValuesOf<R>[Name] | null }

type OperationStream<Noun extends string, Of extends Fields, F extends Fields, R extends Fields> = Stream<
  readonly [
    EventType<`${Noun}Requested`, RequestOf<Noun, Of, F>>,
    EventType<`${Noun}Started`, About<Noun, Of>>,
    EventType<`${Noun}Finished`, About<Noun, Of> & ValuesOf<R>>,
    EventType<`${Noun}Failed`, About<Noun, Of> & OperationFailure>,
  ]
>

/** The operation of a subject that has not ended. `since` is when it was requested or, later, started. */
type Current<About> = { readonly about: About; readonly isStarted: boolean; readonly since: Date } | undefined

type Decide<About, Ask> = (current: Current<About>, ask: Ask, deciding: DecisionContext) => DomainEvent[]

/** Those about an operation that has ended decide nothing, so that its job may run again. */
export type OperationCommands<Noun extends string, Of extends Fields, F extends Fields, R extends Fields> = {
  readonly Request: Decide<About<Noun, Of>, RequestOf<Noun, Of, F>>
  readonly Start: Decide<About<Noun, Of>, { id: string }>
  readonly Finish: Decide<About<Noun, Of>, { id: string; result: ValuesOf<R> }>
  readonly Fail: Decide<About<Noun, Of>, { id: string } & OperationFailure>
  readonly TimeOut: Decide<About<Noun, Of>, { id: string }>
}

interface Declaration<Of extends Fields, F extends Fields, R extends Fields> {
  /** The one field that names the subject, such as `{ projectId: z.uuid() }`. */
  readonly of: Of
  /** What is asked for, as events store it. What a request may send is narrowed with the routes. */
  readonly fields: F
  /** What comes of it. */
  readonly result: R
  /** From its start to its end, with all retries, and as long from the request to the start. At most 24 days. */
  readonly timeoutSeconds: number
  /** Whose key seals the log, and those fields that are sealed. */
  readonly sealedFor: (of: ValuesOf<Of>) => string
}

/** An operation is the decider of its stream, whose key is the id of the subject. */
export interface Operation<Noun extends string, Of extends Fields, F extends Fields, R extends Fields>
  extends
    Decider<OperationStream<Noun, Of, F, R>, Current<About<Noun, Of>>, OperationCommands<Noun, Of, F, R>>,
    Declaration<Of, F, R> {
  readonly subjectField: keyof Of & string
  /** The operation that an event is about. */
  idIn(data: IdOf<Noun>): string
  requestOf(id: string, of: ValuesOf<Of>, values: ValuesOf<F>): RequestOf<Noun, Of, F>
  /** The fields of a row beside its id, and the first row of an operation. */
  readonly row: Fields
  firstRow(asked: RequestOf<Noun, Of, F>, createdAt: string): OperationRow<Of, F, R>
}

/**
 * @param noun of one operation, with which the names of its events begin, such as `NoteImport`
 * @param declaration its `stream` also names the table: several operations in camelCase, such as `noteImports`
 */
export function operation<const Noun extends string, Of extends Fields, F extends Fields, R extends Fields>(
  noun: Noun,
  declaration: Declaration<Of, F, R> & { readonly stream: string },
): Operation<Noun, Of, F, R> {
  const { stream: name, of, fields, result, timeoutSeconds, sealedFor } = declaration
  const idField = idFieldOf(noun)
  const idIn = (data: IdOf<Noun>): string => data[idField]
  const subjectField = Object.keys(of)[0] as keyof Of & string
  const subjectWords = wordsOf(subjectField.replace(/Id$/, ''))
  const words = (verb: string) => (data: object) => {
    const { [idField]: id, [subjectField]: subject } = data as Record<string, unknown>
    return `${verb} ${wordsOf(noun)} ${String(id)} of ${subjectWords} ${String(subject)}`
  }
  const about = { [idField]: z.uuid(), ...of }
  const types = eventsAbout(about as Fields, (data) => sealedFor(data as ValuesOf<Of>))({
    [`${noun}Requested`]: { fields, sentence: words('requested') },
    [`${noun}Started`]: { fields: {}, sentence: words('started') },
    [`${noun}Finished`]: { fields: result, sentence: words('finished') },
    [`${noun}Failed`]: { fields: failure, sentence: (data) => `${words('failed')(data)} with ${String(data['code'])}` },
  })
  const events = stream(name, types) as unknown as OperationStream<Noun, Of, F, R>
  const [Requested, Started, Finished, Failed] = events.types

  const row = rowFieldsOf(noun, declaration)
  type Own = NonNullable<Current<About<Noun, Of>>>
  /** Decides nothing about an operation that has ended. */
  const ofCurrent =
    <Ask extends { readonly id: string }>(decide: (own: Own, ask: Ask, deciding: DecisionContext) => DomainEvent[]) =>
    (current: Own | undefined, ask: Ask, deciding: DecisionContext) =>
      current && idIn(current.about) === ask.id ? decide(current, ask, deciding) : []

  return {
    ...declaration,
    subjectField,
    idIn,
    requestOf: (id, of, values) => ({ [idField]: id, ...of, ...values }) as RequestOf<Noun, Of, F>,
    row,
    firstRow: (asked, createdAt) =>
      ({
        ...Object.fromEntries(Object.keys(row).map((name) => [name, null])),
        ...valuesOf(of, asked),
        ...valuesOf(fields, asked),
        id: idIn(asked),
        status: 'REQUESTED',
        createdAt,
      }) as OperationRow<Of, F, R>,
    stream: events,
    initial: undefined,
    snapshot: { version: 1, everyEvents: 500, sealedFor: (key) => sealedFor({ [subjectField]: key } as ValuesOf<Of>) },
    evolve(current, event, at) {
      if (isOfType(Requested, event)) return { about: valuesOf(about, event.data), isStarted: false, since: at }
      if (isOfType(Started, event)) return { ...current!, isStarted: true, since: at }
      if (isOfType(Finished, event) || isOfType(Failed, event)) return undefined
      throw new Error(`The stream ${name} does not know the event ${event.type}`)
    },
    commands: {
      Request(current, ask) {
        if (current)
          reject('conflict', `Another ${wordsOf(noun)} of this ${subjectWords} has not ended: wait for it`, 'NOT_ENDED')
        return [Requested(ask)]
      },
      Start: ofCurrent(({ about, isStarted }) => (isStarted ? [] : [Started(about)])),
      Finish: ofCurrent(({ about, isStarted }, { result: values }) =>
        isStarted ? [Finished({ ...about, ...values })] : [],
      ),
      Fail: ofCurrent(({ about }, { code, message }) => [Failed({ ...about, code, message })]),
      TimeOut: ofCurrent(({ about, since }, _ask, { at }) =>
        at.getTime() >= since.getTime() + timeoutSeconds * 1_000 ? [Failed({ ...about, ...TIMED_OUT })] : [],
      ),
    },
  }
}

/** @throws Error at start for a field with the name of another value */
function rowFieldsOf(
  noun: string,
  { of, fields, result }: Pick<Declaration<Fields, Fields, Fields>, 'of' | 'fields' | 'result'>,
): Fields {
  const results = Object.entries(result).map(([name, schema]) => [name, orNull(schema)] as const)
  const all = [of, fields, progress, Object.fromEntries(results)]
  const row: Fields = Object.assign({}, ...all)
  if ('id' in row || Object.keys(row).length < all.flatMap((each) => Object.keys(each)).length)
    throw new Error(`Two values of ${noun} have the same name`)
  return row
}

const orNull = (schema: z.core.$ZodType): z.core.$ZodType =>
  isSealed(schema) ? sealed(z.nullable(schema as z.ZodType<string | null>)) : z.nullable(schema)
