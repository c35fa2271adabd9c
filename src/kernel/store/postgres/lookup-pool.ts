/** Connections that look up by key and do nothing else. */
import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Pool, PoolConfig } from 'pg'
import { withErrorListeners } from '../connection.ts'

/**
 * Their plans serve for as long as they live: made anew each time they cost more than the look-up, and one that was made while the
 * tables were small must not read them whole later.
 */
const PLANS = [
  '-c plan_cache_mode=force_generic_plan',
  ...['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map((kind) => `-c enable_${kind}=off`),
  '-c jit=off',
]

/** @param config that of servicePool */
export function lookupPoolConfig(config: PoolConfig): PoolConfig {
  // A pool hides its password from listing, so that no log shows it.
  return { ...config, password: config.password, options: [config.options, ...PLANS].join(' ') }
}

/** To where `pool` of servicePool leads. */
export const lookupPool = ({ options }: Pool, max: number): Pool =>
  withErrorListeners(new pg.Pool({ ...lookupPoolConfig(options), max }))

/** Prepares every statement, so only for who asks few different ones: what is asked before each request, say. */
export const preparedStatementPool = ({ options }: Pool, max: number): Pool =>
  withErrorListeners(new pg.Pool({ ...lookupPoolConfig(options), max, Client: PreparingClient }))

const names = new Map<string, string>()

function statementNameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32)
  names.set(text, name)
  return name
}

/** Query builders hand over a text and its values, and have no word for a name. */
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
