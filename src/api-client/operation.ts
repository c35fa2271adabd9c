/** One operation of an API: what its document says about it. `licensing.ts` and `panel.ts` export them all. */

/** The types of an operation. Absent: it does not take this part. */
export interface Shape {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: object | undefined
  readonly body?: unknown
  /** An Idempotency-Key. */
  readonly key?: string | undefined
  /** The ETag of the record as it was read: the change is refused with 412 if the record has changed since. */
  readonly ifMatch?: string | undefined
  /** The fields of the record of the path that say whether a call can change something. It is not sent. */
  readonly from?: object
  /** What it answers. `Response` if that is not JSON: the caller reads it as a text, as bytes or as a stream. */
  readonly data: unknown
}

/** How the items of a list are read one part after another. */
export type Walk = 'cursor' | 'page' | 'before'

/** The part of JSON Schema 2020-12 that inputs use. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  /** `minor`: an amount of money in whole minor units of its currency. */
  readonly unit?: string
  /** The records that the text names, such as `customers`. */
  readonly 'x-names'?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly contentEncoding?: string
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
  readonly minProperties?: number
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  /** The permission that each value needs. */
  readonly 'x-permissions'?: Readonly<Record<string, string>>
  /** The values of other fields with which this field is given; with no others it is refused. */
  readonly 'x-with'?: Readonly<Record<string, readonly unknown[]>>
}

export interface OperationFacts {
  /** The kinds of credential that may call, such as `staff`; none: no credential is needed. */
  readonly openTo: readonly string[]
  /** The permission that the caller needs. */
  readonly permission?: string
  /** The scope that an API key needs. */
  readonly scope?: string
  /**
   * The caller needs one of these, such as `role:SUPERADMIN` or `project:members:manage`, but all of those that begin
   * with `environment:`.
   */
  readonly asks?: readonly string[]
  /** Needs a proof of identity from the last five minutes, given by the `step-up` operation of the session. */
  readonly stepUp?: true
  /**
   * The values of fields of the record of the path from which a call can change something; `set` is any but null.
   * Absent: in every state.
   */
  readonly from?: Readonly<Record<string, readonly unknown[] | 'set'>>
  /** Secret fields of the answer: a replay does not show them again. */
  readonly shownOnce?: readonly string[]
  /** Creates something that counts against a limit of a plan. */
  readonly limited?: true
  /** Absent: it is no list, or answers all items at once. */
  readonly walk?: Walk
  /** Absent: it answers JSON, or no body. */
  readonly answers?: 'stream'
  /** Absent: it takes JSON, or no body. */
  readonly sends?: 'bytes'
  /** What the query may contain, for forms and filters. */
  readonly query?: JsonSchema
  /** What the body may contain, for forms. */
  readonly body?: JsonSchema
}

export interface Operation<S extends Shape = Shape> extends OperationFacts {
  readonly method: string
  /** With `{id}` for a parameter. */
  readonly path: string
  /** Exists for the compiler only. */
  readonly shape?: S
}

export type DataOf<O> = O extends Operation<infer S> ? S['data'] : never

/** A record that shows whether the operation can change it. */
export type RecordOf<S extends Shape> = S extends { readonly from: infer Fields extends object } ? Fields : object

/** Whether a call can change something of the record as it is now. */
export const isPossibleFrom = ({ from = {} }: OperationFacts, record: object): boolean =>
  Object.entries(from).every(([field, values]) => {
    const value = (record as Readonly<Record<string, unknown>>)[field]
    return values === 'set' ? value !== null : values.includes(value)
  })

/** @param line such as `GET /api/admin/plans/{id}` */
export function operation<S extends Shape>(line: string, facts: OperationFacts): Operation<S> {
  const [method = '', path = ''] = line.split(' ')
  return { method, path, ...facts }
}
