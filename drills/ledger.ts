/**
 * What the drill, as the customer, was told. The drill itself is never killed, so the ledger outlives every
 * fault.
 */
import pg from 'pg'
import type { Tally } from './drill.ts'

export class Ledger {
  /** The first answer to each request. */
  readonly answers = new Map<string, string>()
  /** Requests whose repetition was answered differently. */
  readonly changed = new Set<string>()

  note(asked: string, answer: string): void {
    const before = this.answers.get(asked)
    if (before === undefined) this.answers.set(asked, answer)
    else if (before !== answer) this.changed.add(asked)
  }
}

/** Runs one query while the system is in any state, with a time limit. */
export async function asked<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

type Counts = Pick<Tally, 'acknowledged' | 'found' | 'lost' | 'doubled'>

/** Licenses sold: compares the key that a shop got for its order with the history. */
export async function licensesTold(url: string, ledger: Ledger): Promise<Counts> {
  const issued = await asked<{ key: string }>(
    url,
    `SELECT data->>'keyId' AS key FROM store.event WHERE type = 'LicenseIssued'`,
  )
  const keys = new Set(issued.map(({ key }) => key))
  const lost = [...ledger.answers.values()].filter((key) => !keys.has(key)).length
  const subscriptions = await asked<{ extra: number }>(
    url,
    `SELECT (count(*) - count(DISTINCT data->>'referenceKey'))::int AS extra FROM store.event WHERE type = 'SubscriptionCreated'`,
  )
  const doubled = Math.max(subscriptions[0]!.extra, ledger.changed.size)
  return { acknowledged: ledger.answers.size, found: keys.size, lost, doubled }
}

/**
 * Events appended: compares the ids that were acknowledged to a writer with the table. The table's own order
 * must have no gap.
 */
export async function eventsTold(url: string, ids: ReadonlySet<string>): Promise<Counts & { broken: string[] }> {
  const rows = await asked<{ id: string }>(url, 'SELECT id::text FROM store.event')
  const stored = new Set(rows.map(({ id }) => id))
  const lost = [...ids].filter((id) => !stored.has(id)).length
  const found = stored.size
  return { acknowledged: ids.size, found, lost, doubled: rows.length - found, broken: await holesIn(url) }
}

/** Positions and revisions are contiguous after any fault. */
export async function holesIn(url: string): Promise<string[]> {
  const [order] = await asked<{ events: number; head: number; inverted: number }>(
    url,
    `SELECT count(*)::int AS events, coalesce(max(pos), 0)::int AS head,
       count(*) FILTER (WHERE revision <> nth)::int AS inverted
     FROM (SELECT pos, revision, row_number() OVER (PARTITION BY stream ORDER BY pos) AS nth FROM store.event) AS e`,
  )
  const { events, head, inverted } = order!
  return [
    ...(events === head ? [] : [`${events} events, but the newest has position ${head}`]),
    ...(inverted === 0 ? [] : [`${inverted} events out of their stream's order`]),
  ]
}
