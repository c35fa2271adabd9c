/**
 * Versions of records, so that two editors do not overwrite each other (RFC 9110, 13.1.1): the ETag of a record's GET,
 * and `If-Match` of a change. A version names what the record holds. The revision of its stream would not do: one stream
 * may hold several records, and events that change nothing that the record shows.
 */
import type { CommandRunner, UnitOfWork } from '../commands/command-runner.ts'
import type { Decider, StateOf } from '../events/decider.ts'
import { reject } from '../lib/rejection.ts'
import type { Vault } from '../vault/vault.ts'
import type { WaitUntilCaughtUp } from './read-your-writes.ts'
import type { OutgoingResponse } from './reply.ts'
import type { Caller } from './route.ts'

/** A GET waits that long for read models that lag. After that it answers without an ETag. */
const LAG_MS_MAX = 1_000
const TRIES_MAX = 3

/** What tells which record a request is about. */
export interface RecordCall {
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
}

export interface RecordVersion {
  readonly decider: Decider
  /** The key of the record's stream. Absent: the installation has one such stream. */
  readonly keyOf?: ((call: RecordCall) => string) | undefined
  /**
   * What the version covers: values that JSON can hold. Undefined: there is no such record, which the handler answers.
   * Default: the state of the stream.
   */
  shown?(state: unknown, call: RecordCall): unknown
}

/** Of a stream for each record, by the path parameter that is its key. */
export const versionBy = <D extends Decider>(
  decider: D,
  param: string,
  shown?: (state: NonNullable<StateOf<D>>, call: RecordCall) => unknown,
): RecordVersion => ({
  decider,
  keyOf: ({ params }) => params[param]!,
  ...(shown && { shown: (state: StateOf<D>, call) => state && shown(state, call) }),
})

interface VersionReader {
  readonly vault: Vault
  readonly call: RecordCall
}

interface VersionDependencies extends VersionReader {
  readonly commands: CommandRunner
  readonly waitUntilCaughtUp: WaitUntilCaughtUp
}

/** Keyed, because a plain hash would let a reader of logs test guesses at what a record holds. */
async function etagOf(
  version: RecordVersion,
  state: unknown,
  { vault, call }: VersionReader,
): Promise<string | undefined> {
  const covered = version.shown ? version.shown(state, call) : state
  return covered === undefined ? undefined : `"${await vault.hmac('etag', JSON.stringify(covered))}"`
}

/**
 * Adds the ETag of the record to its GET. The read models must show all of the stream, and the stream must not change
 * meanwhile: the answer then shows exactly this version. Otherwise it has no ETag.
 */
export async function withETag(
  version: RecordVersion,
  parts: VersionDependencies,
  answer: () => Promise<OutgoingResponse>,
): Promise<OutgoingResponse> {
  const { decider, keyOf } = version
  const key = keyOf?.(parts.call)
  const change = { types: decider.stream.types.map(({ type }) => type), streams: [decider.stream.nameFor(key)] }
  for (let tries = 1; ; tries += 1) {
    const before = await parts.commands.newest(decider, key)
    const isShown = await parts.waitUntilCaughtUp({ ...change, position: before.position }, LAG_MS_MAX)
    const response = await answer()
    const { revision } = await parts.commands.newest(decider, key)
    if (isShown && revision === before.revision) {
      const etag = await etagOf(version, before.state, parts)
      return etag === undefined ? response : { ...response, headers: { ETag: etag, ...response.headers } }
    }
    if (!isShown || tries === TRIES_MAX) return response
  }
}

/**
 * The work of a change, which refuses at its end a record that is not the one that the caller has read. The unit has read
 * the stream, so it appends only if the record still is the same.
 * @param ifMatch the header
 * @throws Rejection 412 CHANGED_SINCE
 */
export function ifUnchanged<Result>(
  version: RecordVersion,
  ifMatch: string,
  reader: VersionReader,
  work: (unit: UnitOfWork) => Promise<Result>,
): (unit: UnitOfWork) => Promise<Result> {
  return async (unit) => {
    const etag = await etagOf(version, await unit.look(version.decider, version.keyOf?.(reader.call)), reader)
    const result = await work(unit)
    if (etag === undefined || !isNamed(etag, ifMatch))
      reject('preconditionFailed', 'The record has changed since you read it: read it again', 'CHANGED_SINCE')
    return result
  }
}

/** The comparison is strong: a weak tag never matches. */
const isNamed = (etag: string, ifMatch: string): boolean =>
  ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === etag)
