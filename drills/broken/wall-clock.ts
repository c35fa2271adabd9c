/** Loaded before a service: it trusts the clock of its own host instead of the database's. */
import pg from 'pg'

const query = pg.Pool.prototype.query as (...words: unknown[]) => unknown

pg.Pool.prototype.query = function byTheWall(this: pg.Pool, ...words: unknown[]) {
  const text = String((words[0] as { text?: string }).text ?? words[0])
  return /^SELECT extract\(epoch FROM clock_timestamp/i.test(text)
    ? Promise.resolve({ rows: [{ ms: String(Date.now()) }] })
    : query.apply(this, words)
} as never
