/** What the drill, as the customer, was told. It outlives every fault, because the drill itself is never killed. */
import pg from 'pg'
import type { Tally } from './drill.ts'

export class Ledger {
  /** What was asked, by what was answered first. */
  readonly answers = new Map<string, string>()
  /** Askings whose repetition was answered otherwise. */
  readonly changed = new Set<string>()

  note(asked: string, answer: string): void {
    const before = this.answers.get(asked)
    if (before === undefined) this.answers.set(asked, answer)
    else if (before !== answer) this.changed.add(asked)
  }
}

/** For one question while the system is in any state; never for long. */
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

/** Licenses sold: the key that a shop was given for its order, against the history. */
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

/** Events appended: the ids that a writer was told are in, against the table, whose own order must have no hole. */
export async function eventsTold(url: string, ids: ReadonlySet<string>): Promise<Counts & { broken: string[] }> {
  const rows = await asked<{ id: string }>(url, 'SELECT id::text FROM store.event')
  const stored = new Set(rows.map(({ id }) => id))
  const lost = [...ids].filter((id) => !stored.has(id)).length
  const found = stored.size
  return { acknowledged: ids.size, found, lost, doubled: rows.length - found, broken: await holesIn(url) }
}

/** Positions and revisions are contiguous, whatever happened. */
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
