/** Calls operations of one service. */
import type { Operation, Shape } from './operation.ts'
import { refusalOf } from './refusal.ts'

export interface Connection {
  /** Without a trailing slash; empty in pages of the service itself. */
  readonly baseUrl: string
  /**
   * The access token, machine token or API key. It is asked before each request, so a renewed one is used at
   * once. Absent, or undefined: only operations that are open to all.
   */
  readonly token?: () => string | undefined | Promise<string | undefined>
  /** Default: that of the platform. */
  readonly fetch?: typeof globalThis.fetch
}

/** What an operation takes, with an optional `signal` that ends the wait for the answer. */
export type CallInput<S extends Shape> = Omit<S, 'data' | 'from'> & { readonly signal?: AbortSignal | undefined }

/** The input may be left out if nothing in it is required. */
export type CallArguments<S extends Shape> =
  Partial<Omit<S, 'data' | 'from'>> extends Omit<S, 'data' | 'from'> ? [input?: CallInput<S>] : [input: CallInput<S>]

export interface Answer<Data> {
  readonly status: number
  readonly data: Data
  /** The position of the last event that the call has recorded; undefined if it recorded none. */
  readonly position: number | undefined
  /** Lists do not show the change yet. */
  readonly lag: boolean
  readonly requestId: string | undefined
  /** The version of the record, for `ifMatch` of a change. Undefined: the answer is no record that can be changed. */
  readonly etag: string | undefined
  /** The first answer to the same Idempotency-Key; this call changed nothing. */
  readonly replayed: boolean
}

/**
 * @throws Refusal if the answer is not 2xx
 * @throws TypeError if there is no answer, as `fetch` does · the reason of `signal` if it was aborted
 */
export type Call = <S extends Shape>(operation: Operation<S>, ...input: CallArguments<S>) => Promise<Answer<S['data']>>

export function createCall(connection: Connection): Call {
  return async <S extends Shape>(operation: Operation<S>, ...[input]: CallArguments<S>) => {
    const given = (input ?? {}) as Given
    const send = connection.fetch ?? fetch
    const answer = await send(connection.baseUrl + targetOf(operation, given), {
      method: operation.method,
      headers: headersOf(operation, given, await connection.token?.()),
      ...(given.body === undefined ? {} : { body: bodyOf(operation, given) }),
      ...(given.signal && { signal: given.signal }),
    })
    if (!answer.ok) throw await refusalOf(answer)
    const { status, headers } = answer
    const position = headers.get('Event-Position')
    return {
      status,
      data: (await dataOf(operation, answer)) as S['data'],
      position: position === null ? undefined : Number(position),
      lag: headers.has('Projection-Lag'),
      requestId: headers.get('X-Request-Id') ?? undefined,
      etag: headers.get('ETag') ?? undefined,
      replayed: headers.has('Idempotent-Replayed'),
    }
  }
}

/** The input of any operation. */
interface Given extends Omit<Shape, 'data'> {
  readonly signal?: AbortSignal | undefined
}

const NO_SEGMENT = ['', '.', '..']

/** @throws TypeError for a parameter that is missing or no segment: the path would be that of another operation */
function targetOf({ path }: Operation, { params = {}, query = {} }: Given): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || NO_SEGMENT.includes(value))
      throw new TypeError(`The parameter ${name} of ${path} is missing`)
    return encodeURIComponent(value)
  })
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value))
  return asked.size === 0 ? filled : `${filled}?${asked.toString()}`
}

function headersOf(
  { sends }: Operation,
  { body, key, ifMatch }: Given,
  token: string | undefined,
): Record<string, string> {
  const type = sends === 'bytes' ? 'application/octet-stream' : 'application/json'
  return {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': type }),
    ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
  }
}

const bodyOf = ({ sends }: Operation, { body }: Given): Blob | string =>
  sends === 'bytes' ? (body as Blob) : JSON.stringify(body)

async function dataOf({ answers }: Operation, answer: Response): Promise<unknown> {
  if (answers === 'stream') return answer
  const text = await answer.text()
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}
