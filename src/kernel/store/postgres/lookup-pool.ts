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

/** Names each statement by its hash, because query builders give a text and its values without a name. */
class PreparingClient extends pg.Client {
  override query(...asked: any[]): any {
    const [text, values, ...rest] = asked
    const named =
      typeof text === 'string' && Array.isArray(values)
        ? [{ name: statementNameOf(text), text, values }]
        : [text, values]
    return (super.query as (...all: unknown[]) => unknown)(...named, ...rest)
  }
}
