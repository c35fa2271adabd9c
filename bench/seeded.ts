/**
 * The log that is read: event number n, from 0, of streams of 20 events each. A thousand streams grow side by
 * side, so the events of one stream lie apart. Nine in ten events of any part change a row that an earlier
 * event has created.
 */
import pg from 'pg'

export const STREAM_EVENTS = 20
const SIDE_BY_SIDE = 1_000
export const WINDOW_EVENTS = STREAM_EVENTS * SIDE_BY_SIDE
/** A thousand consecutive events belong to a thousand streams. */
export const BATCH_EVENTS = SIDE_BY_SIDE

export const streamNumber = (n: number): number => Math.floor(n / WINDOW_EVENTS) * SIDE_BY_SIDE + (n % SIDE_BY_SIDE)
/** Starts at 0. */
export const place = (n: number): number => Math.floor((n % WINDOW_EVENTS) / SIDE_BY_SIDE)
export const streamName = (stream: number): string => `license-seed${String(stream).padStart(6, '0')}`
export const streamUuid = (stream: number): string => `00000000-0000-4000-8000-${String(stream).padStart(12, '0')}`

/** The same in SQL, of a row `g` that holds n. */
const NUMBER = `(g / ${WINDOW_EVENTS} * ${SIDE_BY_SIDE} + g % ${SIDE_BY_SIDE})`
export const PLACE = `(g % ${WINDOW_EVENTS} / ${SIDE_BY_SIDE})`
export const NAME = `('license-seed' || lpad(${NUMBER}::text, 6, '0'))`
export const UUID = `('00000000-0000-4000-8000-' || lpad(${NUMBER}::text, 12, '0'))::uuid`

/**
 * Peers get their logs by SQL, because appending them would take longer than the measurement.
 * @param insert an INSERT … SELECT … FROM g, with $3 for the data and $4 for the metadata
 */
export async function seedBySql(url: string, events: number, insert: string, values: readonly string[]): Promise<void> {
  await connected(url, async (client) => {
    const text = insert.replace('FROM g', 'FROM generate_series($1::int, $2::int) g')
    for (let from = 0; from < events; from += BATCH_EVENTS)
      await client.query(text, [from, Math.min(events, from + BATCH_EVENTS) - 1, ...values])
    await client.query('VACUUM ANALYZE')
  })
}

export async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
