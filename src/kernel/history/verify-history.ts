/** The log, its chain and its signed checkpoints, as one thing that can be verified. */
import type { Pool } from 'pg'
import { reject } from '../lib/rejection.ts'
import type { Vault } from '../vault/vault.ts'
import { GENESIS, isBroken, verifyChain } from './chain.ts'
import type { BrokenChain, ChainLink, ChainVerifyOptions, VerifiedChain } from './chain.ts'
import { checkpointKey } from './checkpoint-key.ts'
import type { SignedCheckpoint, CheckpointKey } from './checkpoint-key.ts'
import { isStoreElsewhere } from '../store/single-history.ts'
import type { Position } from '../events/store-port.ts'

export interface VerifiedHistory extends VerifiedChain {
  /** The newest checkpoint that the log was found to agree with. */
  readonly checkpoint?: SignedCheckpoint
}

/** `forged`: a checkpoint that this installation has not signed. */
export type BrokenHistory = BrokenChain | { readonly position: Position; readonly problem: 'forged' }

export interface VerifyHistoryOptions {
  /** Checkpoints that were copied out, as compact JWS: the only way to see that the end of everything was cut off. */
  readonly exported?: readonly string[]
  /** A longer log is verified from its newest checkpoint on, and against all of them. */
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

/** @returns what was found; broken or not is in it. @throws Rejection 409 where another store than this database keeps the events */
export async function verifyHistory(
  pool: Pool,
  vault: Vault,
  { exported = [], eventsMax = Infinity, signal }: VerifyHistoryOptions = {},
): Promise<VerifiedHistory | BrokenHistory> {
  const key = await checkpointKey(vault)
  const { rows } = await pool.query<Row>(CHECKPOINTS)
  // A log of which a checkpoint says that it stood here was here, and all of it was cut off.
  if (rows.length + exported.length === 0 && (await isStoreElsewhere(pool)))
    reject('conflict', 'The events are in another event store, which keeps no chain', 'NO_CHAIN')
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

/** What stands in the table at another position than it says is as good as not signed. */
async function openCheckpointRow(key: CheckpointKey, { position, jws }: Row): Promise<SignedCheckpoint | undefined> {
  const opened = await key.open(jws)
  return opened && (position === 0 || opened.position === position) ? opened : undefined
}

/** Where to begin: at the first event, or in a long log at the newest checkpoint, when the chain passes through all of them. */
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
    // Beyond the end of the log: reading from the last one that is inside will say so.
    if (!hashes.has(position)) return agreed === 0 ? GENESIS : noted.findLast((each) => each.position === agreed)!
    if (hashes.get(position) !== hash) return { position: agreed + 1, through: position, problem: 'rewritten' }
    agreed = position
  }
  return newest
}

export interface MakeCheckpointOptions {
  /** The newest that the caller has signed: whoever takes it out of the table, and writes the log anew, is found out. */
  readonly known?: SignedCheckpoint | undefined
  readonly signal?: AbortSignal
}

/**
 * Signs where the chain stands, once everything since the newest checkpoint has been found to be what was appended.
 * @returns the newest checkpoint when nothing came after it; undefined for an empty log. @throws BrokenHistoryError
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
 * Where the chain stands in a snapshot, which by now may be behind it: signed when what came since the newest checkpoint is what
 * was appended. @returns undefined for an empty log. @throws BrokenHistoryError
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

/** For people: what is wrong, and at which event. */
export function brokenHistoryText(found: BrokenHistory): string {
  if (found.problem === 'forged')
    return found.position === 0
      ? 'A checkpoint that was given is not signed by this installation'
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
    rewritten: `${which} was rewritten and the chain made to fit: it does not pass through the checkpoint signed at ${through}${hint}`,
    truncated: `The end of the log was cut off: ${all} stood there when a checkpoint was signed`,
  }
  return sentences[found.problem]
}
