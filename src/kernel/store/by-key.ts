/** Connections that look up by key and do nothing else. */
import pg from 'pg'
import type { Pool, PoolConfig } from 'pg'
import { heard } from './connection.ts'

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
export function byKey(config: PoolConfig): PoolConfig {
  // A pool hides its password from listing, so that no log shows it.
  return { ...config, password: config.password, options: [config.options, ...PLANS].join(' ') }
}

/** To where `pool` of servicePool leads. */
export const poolByKey = ({ options }: Pool, max: number): Pool => heard(new pg.Pool({ ...byKey(options), max }))
