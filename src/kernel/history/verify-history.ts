/** Verifies the log together with its chain and its signed checkpoints. */
import type { Pool } from 'pg'
import type { Position } from '../events/store-port.ts'
import { reject } from '../lib/rejection.ts'
import { isStoreElsewhere } from '../store/single-history.ts'
import type { Vault } from '../vault/vault.ts'
import { GENESIS, isBroken, verifyChain } from './chain.ts'
import type { BrokenChain, ChainLink, ChainVerifyOptions, VerifiedChain } from './chain.ts'
import { checkpointKey } from './checkpoint-key.ts'
import type { SignedCheckpoint, CheckpointKey } from './checkpoint-key.ts'

export interface VerifiedHistory extends VerifiedChain {
  /** The newest checkpoint that the log agrees with. */
  readonly checkpoint?: SignedCheckpoint
}

/** `forged`: a checkpoint that this installation has not signed. */
export type BrokenHistory = BrokenChain | { readonly position: Position; readonly problem: 'forged' }

export interface VerifyHistoryOptions {
  /** Exported checkpoints as compact JWS. Only they show that the end of the log, chain and checkpoints was cut off. */
  readonly exported?: readonly string[]
  /** A longer log is verified from its newest checkpoint on, and compared with all checkpoints. */
  readonly eventsMax?: number
  readonly signal?: AbortSignal
}

const CHECKPOINTS = 'SELECT position, jws FROM store.checkpoint ORDER BY position'
const NEWEST = 'SELECT position, jws FROM store.checkpoint ORDER BY position DESC LIMIT 1'
const LINKS_AT = `SELECT to_pos AS position, encode(hash, 'hex') AS hash FROM store.chain WHERE to_pos = ANY($1)`
const HEAD = `SELECT to_pos AS position, encode(hash, 'hex') AS hash, clock_timestamp() AS now FROM store.chain
  ORDER BY to_pos DESC LIMIT 1`
const NOW = 'SELECT clock_timestamp() AS now'
const KEEP = 'INSERT INTO store.checkpoint (position, jws) VALUES ($1, $2) ON CONFLICT (position) DO NOTHING'

interface Row {
  readonly position: Position
  readonly jws: string
}

export class BrokenHistoryError extends Error {
  readonly found: BrokenHistory

  constructor(found: BrokenHistory) {
    super(brokenHistoryText(found))
    this.name = 'BrokenHistoryError'
    this.found = found
  }
}

/**
 * @returns a result with `problem` if the history is broken.
 * @throws Rejection 409 NO_CHAIN when another store holds the events
 */
export async function verifyHistory(
  pool: Pool,
  vault: Vault,
  { exported = [], eventsMax = Infinity, signal }: VerifyHistoryOptions = {},
): Promise<VerifiedHistory | BrokenHistory> {
  const key = await checkpointKey(vault)
  const { rows } = await pool.query<Row>(CHECKPOINTS)
  // A checkpoint proves that the log was in this database; then all of it was cut off.
  if (rows.length + exported.length === 0 && (await isStoreElsewhere(pool)))
    reject('conflict', 'The events are in another event store, which has no hash chain to verify', 'NO_CHAIN')
  const noted: SignedCheckpoint[] = []
  for (const row of [...rows, ...exported.map((jws) => ({ position: 0, jws }))]) {
    const opened = await openCheckpointRow(key, row)
    if (!opened) return { position: row.position, problem: 'forged' }
    noted.push(opened)
  }
  noted.sort((one, other) => one.position - other.position)
  const from = await startOf(pool, noted, eventsMax)
  if ('problem' in from) return from
  const found = await verifyChain(pool, { from, knownLinks: noted, signal })
  const checkpoint = noted.at(-1)
  return isBroken(found) || !checkpoint ? found : { ...found, checkpoint }
}

/** A checkpoint that is stored at another position than the signed one counts as not signed. */
async function openCheckpointRow(key: CheckpointKey, { position, jws }: Row): Promise<SignedCheckpoint | undefined> {
  const opened = await key.open(jws)
  return opened && (position === 0 || opened.position === position) ? opened : undefined
}

/**
 * The first link to verify from:
 * the start, or for a long log the newest checkpoint if the chain contains all of them.
 */
async function startOf(
  pool: Pool,
  noted: readonly SignedCheckpoint[],
  eventsMax: number,
): Promise<ChainLink | BrokenChain> {
  const newest = noted.at(-1)
  if (!newest || newest.position <= eventsMax) return GENESIS
  const { rows } = await pool.query<ChainLink>(LINKS_AT, [noted.map(({ position }) => position)])
  const hashes = new Map(rows.map(({ position, hash }) => [position, hash]))
  let agreed = GENESIS.position
  for (const { position, hash } of noted) {
    // The checkpoint is beyond the end of the log; the verification from the last one inside reports it.
    if (!hashes.has(position)) return agreed === 0 ? GENESIS : noted.findLast((each) => each.position === agreed)!
    if (hashes.get(position) !== hash) return { position: agreed + 1, through: position, problem: 'rewritten' }
    agreed = position
  }
  return newest
}

export interface MakeCheckpointOptions {
  /**
   * The newest checkpoint that the caller has signed.
   * It detects a rewritten log whose checkpoint was deleted from the table.
   */
  readonly known?: SignedCheckpoint | undefined
  readonly signal?: AbortSignal
}

/**
 * Verifies the events since the newest checkpoint and signs the head of the chain.
 * @returns the newest checkpoint when there are no later events; undefined for an empty log. @throws BrokenHistoryError
 */
export async function makeCheckpoint(
  pool: Pool,
  vault: Vault,
  { known, signal }: MakeCheckpointOptions = {},
): Promise<SignedCheckpoint | undefined> {
  const key = await checkpointKey(vault)
  const newest = await newestCheckpoint(pool, key)
  const found = await verifyChainOrThrow(pool, { from: known ?? newest, knownLinks: newest && [newest], signal })
  if (found.head === (newest?.position ?? 0)) return newest
  const { rows } = await pool.query<{ now: string }>(NOW)
  const checkpoint = await key.sign({ position: found.head, hash: found.hash }, rows[0]!.now)
  await pool.query(KEEP, [checkpoint.position, checkpoint.jws])
  return checkpoint
}

async function newestCheckpoint(
  database: Pick<Pool, 'query'>,
  key: CheckpointKey,
): Promise<SignedCheckpoint | undefined> {
  const { rows } = await database.query<Row>(NEWEST)
  const newest = rows[0] && (await openCheckpointRow(key, rows[0]))
  if (rows[0] && !newest) throw new BrokenHistoryError({ position: rows[0].position, problem: 'forged' })
  return newest
}

async function verifyChainOrThrow(pool: Pool, what: ChainVerifyOptions): Promise<VerifiedChain> {
  const found = await verifyChain(pool, what)
  if (isBroken(found)) throw new BrokenHistoryError(found)
  return found
}

/**
 * Verifies the events since the newest checkpoint and signs the head of the chain in a database snapshot. The log may
 * have grown since the snapshot. @returns undefined for an empty log. @throws BrokenHistoryError
 */
export async function signHeadOfSnapshot(
  pool: Pool,
  snapshot: Pick<Pool, 'query'>,
  key: CheckpointKey,
): Promise<SignedCheckpoint | undefined> {
  const newest = await newestCheckpoint(snapshot, key)
  const { rows } = await snapshot.query<ChainLink & { now: string }>(HEAD)
  const { position, hash, now } = rows[0] ?? { ...GENESIS, now: '' }
  await verifyChainOrThrow(pool, { from: newest, knownLinks: [{ position, hash }] })
  return position > (newest?.position ?? 0) ? key.sign({ position, hash }, now) : newest
}

/** The problem and its events, as a sentence for the operator. */
export function brokenHistoryText(found: BrokenHistory): string {
  if (found.problem === 'forged')
    return found.position === 0
      ? 'A given checkpoint is not signed by this installation'
      : `The checkpoint at position ${found.position} is not signed by this installation`
  const { position, through, suspect } = found
  const hint =
    suspect === undefined || position === through ? '' : `; event ${suspect} was written later than its neighbours`
  const which = position === through ? `Event ${position}` : `One of the events ${position} to ${through}`
  const all = position === through ? `event ${position}` : `events ${position} to ${through}`
  const sentences = {
    missing: `Event ${position} is missing`,
    inserted: `${which} was never appended${hint}`,
    altered: `${which} is not what was appended${hint}`,
    rewritten: `${which} was rewritten together with the chain: the chain does not contain the checkpoint signed at ${through}${hint}`,
    truncated: `The end of the log was cut off: ${all} existed when a checkpoint was signed`,
  }
  return sentences[found.problem]
}
