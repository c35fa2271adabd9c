/** Loaded before a panel: the time of an answer reveals what was found out on the way to it. */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import pg from 'pg'

const KEY_MS = 0.25
const ACCOUNT_MS = 800
const ask = pg.Client.prototype.query as (...words: unknown[]) => unknown
const askAny = pg.Pool.prototype.query as unknown as (...words: unknown[]) => Promise<pg.QueryResult>
const timers = createRequire(import.meta.url)('node:timers/promises') as typeof import('node:timers/promises')
const { setTimeout: sleep } = timers

/** A busy loop, because timers below a millisecond do not exist. */
function busy<Result extends pg.QueryResult>(result: Result): Result {
  const untilMs = performance.now() + KEY_MS
  while (result.rowCount !== 0 && performance.now() < untilMs);
  return result
}

pg.Client.prototype.query = function telling(this: pg.Client, ...words: unknown[]) {
  const answered = ask.apply(this, words)
  const text = String((words[0] as { text?: string }).text ?? words[0])
  return text.includes('"read"."api_keys"') && answered instanceof Promise ? answered.then(busy) : answered
} as never

/** Counts tries under another key where there is no account. */
pg.Pool.prototype.query = async function telling(this: pg.Pool, ...words: unknown[]) {
  if (String(words[1]).startsWith('password:')) await sleep(ACCOUNT_MS)
  return askAny.apply(this, words)
} as never

timers.setTimeout = (ms, ...more) => sleep(/even-time/.test(new Error().stack ?? '') ? 0 : ms, ...more)
syncBuiltinESMExports()
