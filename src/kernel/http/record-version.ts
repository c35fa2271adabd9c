/**
 * Versions of records, so that two editors do not overwrite each other (RFC 9110, 13.1.1): the ETag of a record's GET,
 * and `If-Match` of a change. A version names what the answer shows, so a GET reads nothing more for it. The revision of
 * the record's stream would not do: one stream may hold several records, and events that change nothing that is shown.
 */
import type { z } from 'zod'
import type { UnitOfWork } from '../commands/command-runner.ts'
import { reject } from '../lib/rejection.ts'
import type { ServiceRegistry } from '../lib/services.ts'
import type { Vault } from '../vault/vault.ts'
import type { Caller } from './route.ts'

/** What tells which record a request is about, and how it is shown. */
export interface RecordCall {
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  readonly service: ServiceRegistry
}

export interface RecordVersion {
  /** The part of the GET's answer that a version covers. */
  readonly covers: z.ZodObject
  /** The record as the GET shows it. Undefined: there is none, which the handler answers. */
  readonly shown: (unit: UnitOfWork, call: RecordCall) => Promise<unknown>
}

export const recordVersion = <Covers extends z.ZodObject>(
  covers: Covers,
  shown: (unit: UnitOfWork, call: RecordCall) => Promise<z.input<Covers> | undefined>,
): RecordVersion => ({ covers, shown })

/**
 * Keyed, because a plain hash would let a reader of logs test guesses at what a record holds.
 * @param record what the GET answers, or `shown` returns
 */
export const etagOf = async ({ covers }: RecordVersion, vault: Vault, record: unknown): Promise<string> =>
  `"${await vault.hmac('etag', JSON.stringify(covers.parse(record)))}"`

interface VersionReader {
  readonly vault: Vault
  readonly call: RecordCall
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
  { vault, call }: VersionReader,
  work: (unit: UnitOfWork) => Promise<Result>,
): (unit: UnitOfWork) => Promise<Result> {
  return async (unit) => {
    const record = await version.shown(unit, call)
    const etag = record === undefined ? undefined : await etagOf(version, vault, record)
    const result = await work(unit)
    if (etag === undefined || !isNamed(etag, ifMatch))
      reject('preconditionFailed', 'The record has changed since you read it: read it again', 'CHANGED_SINCE')
    return result
  }
}

/** The comparison is strong: a weak tag never matches. */
const isNamed = (etag: string, ifMatch: string): boolean =>
  ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === etag)
