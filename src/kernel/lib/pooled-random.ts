/**
 * Random bytes for ids and initialization vectors. The system's generator is called for many of them at once, because
 * a call costs as much as all the rest of an id. They are as unpredictable as those of `randomBytes`, and each is used
 * once. Keys and tokens are not taken from here: a pool stays in memory after its bytes were used.
 */
import { randomBytes } from 'node:crypto'

/** Enough for most ids. */
const STREAM_BYTES = 32

let poolBytes = 4_096
let pool: Buffer = Buffer.alloc(0)

/** Copy bytes that are kept: these are a part of the pool. */
export function pooledRandomBytes(count: number): Buffer {
  if (count > pool.length) pool = randomBytes(Math.max(count, poolBytes))
  const taken = pool.subarray(0, count)
  pool = pool.subarray(count)
  return taken
}

/** Bytes for text whose length in bytes is not known before it is made. */
export function* pooledRandomStream(): Generator<number, never> {
  for (;;) yield* pooledRandomBytes(STREAM_BYTES)
}

/** For a process whose random values must be the same in every run: no value depends on what was asked for before. */
export function disableRandomPool(): void {
  poolBytes = 0
  pool = Buffer.alloc(0)
}
