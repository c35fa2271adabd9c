/**
 * Snapshots: folded states of long streams, so that a new process need not read a whole stream. They are stored outside
 * the log and can be derived from the events, so a snapshot with any fault is ignored.
 */
import { deserialize, serialize } from 'node:v8'
import type { Pool } from 'pg'
import type { Decider } from '../events/decider.ts'
import type { Position, Revision } from '../events/store-port.ts'
import type { Vault } from '../vault/vault.ts'
import { ERASED } from '../vault/vault.ts'

export interface Snapshot {
  readonly state: unknown
  readonly revision: Revision
  readonly position: Position
  /**
   * The id of the last folded event.
   * If the log has another event at that revision, the snapshot belongs to another log.
   */
  readonly eventId: string
}

export interface SnapshotStore {
  /** Undefined when this version of the decider has no usable snapshot, for any reason. */
  read(decider: Decider, stream: string): Promise<Snapshot | undefined>
  /** Does not replace a snapshot with a higher revision. @throws SubjectErased */
  write(decider: Decider, stream: string, snapshot: Snapshot): Promise<void>
}

interface Row {
  readonly version: number
  readonly revision: number
  readonly position: number
  readonly eventId: string
  readonly state: string
}

const READ = `SELECT version, revision, position, event_id AS "eventId", state FROM read.snapshot WHERE stream = $1`

const WRITE = `INSERT INTO read.snapshot AS known (stream, version, revision, position, event_id, state)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (stream) DO UPDATE SET version = excluded.version, revision = excluded.revision,
    position = excluded.position, event_id = excluded.event_id, state = excluded.state
  WHERE (known.version, known.revision) < (excluded.version, excluded.revision)`

export interface SnapshotStoreDependencies {
  /** For reads; any role. */
  readonly readPool: Pool
  /** For writes, with the projector's role. */
  readonly writePool: Pool
  readonly vault: Vault
}

/**
 * Table read.snapshot. A state holds the opened fields of events, so it is sealed as a whole with the key that its
 * decider names. Erasing the subject makes the snapshot unreadable too.
 */
export function postgresSnapshotStore({ readPool, writePool, vault }: SnapshotStoreDependencies): SnapshotStore {
  async function opened(decider: Decider, stream: string, row: Row): Promise<Snapshot | undefined> {
    const plain = await vault.open(row.state, snapshotSealField(decider, stream, row))
    const { revision, position, eventId } = row
    return plain === ERASED
      ? undefined
      : { state: deserialize(Buffer.from(plain, 'base64')), revision, position, eventId }
  }

  return {
    async read(decider, stream) {
      if (!decider.snapshot) return undefined
      try {
        const { rows } = await readPool.query<Row>({ name: 'read-snapshot', text: READ, values: [stream] })
        const [row] = rows
        return row?.version === decider.snapshot.version ? await opened(decider, stream, row) : undefined
      } catch {
        // The snapshot was altered, moved or written by another runtime. During an outage, the stream read reports it.
        return undefined
      }
    },
    async write(decider, stream, { state, revision, position, eventId }) {
      const { version } = decider.snapshot!
      const row = { version, revision, position, eventId }
      const plain = serialize(state).toString('base64')
      const sealed = await vault.seal(plain, { ...snapshotSealField(decider, stream, row), type: 'snapshot' })
      await writePool.query(WRITE, [stream, version, revision, position, eventId, sealed])
    },
  }
}

/** The key, and the values of the row as associated data, so that the state cannot be opened in another row. */
function snapshotSealField(
  { stream: { name }, snapshot }: Decider,
  stream: string,
  { version, revision, position, eventId }: Omit<Row, 'state'>,
): { subject: string; field: string } {
  const key = stream.slice(name.length + 1)
  return { subject: snapshot!.sealedFor(key), field: JSON.stringify([stream, version, revision, position, eventId]) }
}
