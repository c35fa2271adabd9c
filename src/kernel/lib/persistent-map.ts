/**
 * An immutable map for states with many entries. A change copies one bucket and not the whole map: folding a stream of
 * n events would otherwise copy n² entries. It is plain data, so that snapshots can store it.
 */

const BUCKETS = 1_024

type Bucket<Value> = ReadonlyMap<string, Value>

export interface PersistentMap<Value> {
  readonly size: number
  readonly buckets: readonly Bucket<Value>[]
}

export function persistentMap<Value>(): PersistentMap<Value> {
  const empty: Bucket<Value> = new Map()
  return { size: 0, buckets: Array.from({ length: BUCKETS }, () => empty) }
}

export const entryOf = <Value>({ buckets }: PersistentMap<Value>, key: string): Value | undefined =>
  buckets[bucketIndexOf(key)]!.get(key)

export function withEntry<Value>(
  { size, buckets }: PersistentMap<Value>,
  key: string,
  value: Value,
): PersistentMap<Value> {
  const place = bucketIndexOf(key)
  const before = buckets[place]!
  const bucket = new Map(before).set(key, value)
  return { size: size + bucket.size - before.size, buckets: buckets.with(place, bucket) }
}

export function withoutEntry<Value>(map: PersistentMap<Value>, key: string): PersistentMap<Value> {
  const { size, buckets } = map
  const place = bucketIndexOf(key)
  const bucket = new Map(buckets[place])
  return bucket.delete(key) ? { size: size - 1, buckets: buckets.with(place, bucket) } : map
}

export function* valuesOf<Value>({ buckets }: PersistentMap<Value>): Generator<Value> {
  for (const bucket of buckets) yield* bucket.values()
}

/** Uses every character: UUIDv7s that were made at the same time differ only at their ends. */
function bucketIndexOf(key: string): number {
  let hash = 0
  for (let at = 0; at < key.length; at += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0
  return hash & (BUCKETS - 1)
}
