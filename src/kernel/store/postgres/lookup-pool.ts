/** Pools for look-ups by key only. */
import { hash } from 'node:crypto'
import pg from 'pg'
import type { Pool, PoolConfig } from 'pg'
import { withErrorListeners } from '../connection.ts'

/**
 * Connections keep their plans: planning each time costs more than the look-up. The settings exclude sequential scans,
 * because a plan that was made on small tables would read them whole when they are large.
 */
const PLANS = [
  '-c plan_cache_mode=force_generic_plan',
  ...['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map((kind) => `-c enable_${kind}=off`),
  '-c jit=off',
]

/** @param config the options of a pool from `servicePool` */
export function lookupPoolConfig(config: PoolConfig): PoolConfig {
  // Copied by name: a pool makes its password non-enumerable, so that no log shows it.
  return { ...config, password: config.password, options: [config.options, ...PLANS].join(' ') }
}

/** @param pool from `servicePool`; gives the server, the database and the role */
export const lookupPool = ({ options }: Pool, max: number): Pool =>
  withErrorListeners(new pg.Pool({ ...lookupPoolConfig(options), max }))

/** Prepares every statement, so it is only for a few different statements, such as those before each request. */
export const preparedStatementPool = ({ options }: Pool, max: number): Pool =>
  withErrorListeners(new pg.Pool({ ...lookupPoolConfig(options), max, Client: PreparingClient }))

const names = new Map<string, string>()

function statementNameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = hash('sha256', text, 'base64url').slice(0, 32)
  names.set(text, name)
  return name
}

/** A table was rebuilt with a column of another type. */
const isPlanOutdated = (error: unknown): boolean =>
  error instanceof Error && error.message === 'cached plan must not change result type'

/** Names each statement by its hash, because query builders give a text and its values without a name. */
class PreparingClient extends pg.Client {
  override query(...asked: unknown[]): any {
    const [text, values, ...rest] = asked
    if (typeof text !== 'string' || !Array.isArray(values)) return this.#send(asked)
    const name = statementNameOf(text)
    const answer = this.#send([{ name, text, values }, ...rest])
    if (rest.length > 0) return answer
    return (answer as Promise<unknown>).catch((error: unknown) => {
      if (!isPlanOutdated(error)) throw error
      // A connection keeps what it has prepared under a name, so the statement gets another one.
      if (statementNameOf(text) === name) names.set(text, `${name}'`)
      return this.query(text, values)
    })
  }

  #send(asked: readonly unknown[]): unknown {
    return (super.query as (...all: unknown[]) => unknown).apply(this, [...asked])
  }
}
