/** Loaded before a projector: it has no transactions, so a checkpoint and its rows are written one by one. */
import pg from 'pg'

const query = pg.Client.prototype.query as (...words: unknown[]) => unknown
const textOf = (word: unknown): string => (typeof word === 'string' ? word : ((word as { text?: string }).text ?? ''))

pg.Client.prototype.query = function withoutTransactions(this: pg.Client, word: unknown, ...more: unknown[]) {
  const text = textOf(word)
  return /^\s*(?:begin|start transaction|savepoint|release|commit|rollback)/i.test(text)
    ? query.call(this, 'SELECT 1', ...more)
    : query.call(this, word, ...more)
} as never
