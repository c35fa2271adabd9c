/**
 * Unique constraints that events take and release. They are stored in a table for fast lookups, which no chain covers.
 * The audit therefore compares the table with the events, which the chain covers: a deleted or forged row could let a
 * single-use thing be sold twice or to the wrong customer.
 */
import type { Pool, PoolClient } from 'pg'
import type { Vault } from '../vault/vault.ts'
import type { EventCodec } from './codec.ts'
import type { DomainEvent, EventType } from './event.ts'
import type { EventStore, HeldConstraint, Position, RecordedEvent } from './store-port.ts'

export function constraintsOf(
  events: readonly DomainEvent[],
  types: readonly EventType[],
): { take: HeldConstraint[]; release: HeldConstraint[] } {
  const held = (kind: 'takes' | 'releases') =>
    events.flatMap(({ data }, index) => {
      const type = types[index]!
      const subject = String((data as Record<string, unknown>)[type.subjectKey])
      return (type.options[kind]?.(data) ?? []).map(({ scope, key, holder }) => ({
        scope,
        key,
        holder: holder ?? subject,
      }))
    })
  return { take: held('takes'), release: held('releases') }
}

export interface ConstraintCheckDependencies {
  readonly pool: Pool
  readonly store: Pick<EventStore, 'readBatches'>
  readonly codec: EventCodec
  readonly vault: Pick<Vault, 'loadKeys'>
}

/** Has no key, because a key may be personal data. */
export interface ConstraintMismatch {
  /**
   * `missing`: an event took it and none released it, but no row has it.
   * `invented`: no event took it for this holder.
   */
  readonly problem: 'missing' | 'invented'
  readonly scope: string
  readonly holder: string
}

/**
 * An erasure during the comparison makes events unreadable and looks like a difference, so the
 * comparison is repeated.
 */
const TRIES_MAX = 3
const PAGE = 10_000

const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0`
const HEAD = 'SELECT coalesce(max(pos), 0) AS head FROM store.event'
const CLAIMS = `SELECT scope, key, holder FROM store.claim WHERE (scope, key) > ($1, $2) ORDER BY scope, key LIMIT ${PAGE}`

/**
 * Compares all events that take or release a unique constraint with all stored ones. A subject whose key was destroyed
 * without an erasure event shows here as well: its constraints can no longer be read. @returns the first difference
 */
export async function findConstraintMismatch(
  parts: ConstraintCheckDependencies,
): Promise<ConstraintMismatch | undefined> {
  let found = await compareOnce(parts)
  for (let tries = 1; found && tries < TRIES_MAX; tries += 1) found = await compareOnce(parts)
  return found
}

export const constraintMismatchText = ({ problem, scope, holder }: ConstraintMismatch): string =>
  problem === 'missing'
    ? `The unique constraint ${scope} that ${holder} took is missing or cannot be read`
    : `The unique constraint ${scope} is held by ${holder}, but no event took it`

async function compareOnce({ pool, ...parts }: ConstraintCheckDependencies): Promise<ConstraintMismatch | undefined> {
  const client = await pool.connect()
  try {
    await client.query(BEGIN)
    const { rows } = await client.query<{ head: Position }>(HEAD)
    const taken = await constraintsTakenUpTo(rows[0]!.head, parts)
    for await (const claim of storedConstraints(client))
      if (!taken.delete(constraintId(claim))) return mismatchOf('invented', claim)
    const [left] = taken
    return left === undefined ? undefined : mismatchOf('missing', parseConstraintId(left))
  } finally {
    client.release(true)
  }
}

const mismatchOf = (problem: ConstraintMismatch['problem'], { scope, holder }: HeldConstraint): ConstraintMismatch => ({
  problem,
  scope,
  holder,
})

const constraintId = ({ scope, key, holder }: HeldConstraint): string => JSON.stringify([scope, key, holder])

function parseConstraintId(name: string): HeldConstraint {
  const [scope, key, holder] = JSON.parse(name) as [string, string, string]
  return { scope, key, holder }
}

async function* storedConstraints(client: PoolClient): AsyncGenerator<HeldConstraint> {
  let last: HeldConstraint | undefined
  do {
    const { rows } = await client.query<HeldConstraint>(CLAIMS, [last?.scope ?? '', last?.key ?? ''])
    yield* rows
    last = rows.at(-1)
  } while (last)
}

async function constraintsTakenUpTo(
  head: Position,
  parts: Omit<ConstraintCheckDependencies, 'pool'>,
): Promise<Set<string>> {
  const taken = new Set<string>()
  for await (const batch of parts.store.readBatches(0)) {
    const events = batch.filter(({ type, position }) => position <= head && hasConstraints(parts.codec.typeOf(type)))
    await loadKeys(events, parts)
    for (const recorded of events) {
      const { take, release } = constraintsOf([await parts.codec.decode(recorded)], [parts.codec.typeOf(recorded.type)])
      for (const claim of release) taken.delete(constraintId(claim))
      for (const claim of take) taken.add(constraintId(claim))
    }
    if (batch.at(-1)!.position >= head) break
  }
  return taken
}

const hasConstraints = ({ options: { takes, releases } }: EventType): boolean =>
  takes !== undefined || releases !== undefined

function loadKeys(
  events: readonly RecordedEvent[],
  { codec, vault }: Pick<ConstraintCheckDependencies, 'codec' | 'vault'>,
): Promise<void> {
  const subjects = events.flatMap((recorded) => {
    const { sealedFields, options } = codec.typeOf(recorded.type)
    return sealedFields.length === 0 ? [] : [options.sealedFor!(codec.decodeSealed(recorded).data)]
  })
  return vault.loadKeys(subjects)
}
