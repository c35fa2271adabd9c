/**
 * Limits failed authentications per address block.
 *
 * bucket: the failures that a block has left, refilled evenly. An address is in several blocks, see
 * `addressBlocksOf`.
 * limited: an address with an empty bucket in one of its blocks.
 * lane: the queue of a limited block, in which unknown credentials are checked one at a time.
 *
 * An accepted credential is never counted. One that was accepted by this process before bypasses the
 * lane. A limited address is not blocked entirely: that would lock out all clients behind the same NAT.
 * The lane checks one credential at a time, uses at most a fifth of one connection's time and has a
 * short queue.
 */
import { hash, randomBytes } from 'node:crypto'
import { addressBlocksOf } from '../../credentials/ip-address.ts'
import type { AddressBlock } from '../../credentials/ip-address.ts'
import { LruMap } from '../../lib/lru-map.ts'
import { Rejection } from '../../lib/rejection.ts'

const BLOCKS_MAX = 30_000
const ACCEPTED_MAX = 10_000
const LANE_WAITING_MAX = 64
/** After each check the lane pauses for four times its duration. */
const REST_FACTOR = 4

interface Bucket {
  /** Failures a minute. */
  readonly perMinute: number
  left: number
  atMs: number
  waiting: number
  lane: Promise<void>
}

export interface FailureLimitOptions {
  /**
   * Failures per minute of the narrowest block; each wider block is limited in proportion to its share.
   * Default 300.
   */
  readonly perMinute?: number
  /** Monotonic, in ms. */
  readonly nowMs?: () => number
}

export class FailureLimit {
  readonly #perMinute: number
  readonly #nowMs: () => number
  readonly #buckets = new LruMap<Bucket>(BLOCKS_MAX)
  readonly #accepted = new LruMap<true>(ACCEPTED_MAX)
  readonly #secret = randomBytes(32).toString('base64')

  constructor({ perMinute = 300, nowMs = () => performance.now() }: FailureLimitOptions = {}) {
    this.#perMinute = perMinute
    this.#nowMs = nowMs
  }

  /**
   * Runs `check` for a credential from `ip` and counts each Rejection 401.
   * @throws Rejection 429 in place of a 401 if the address is limited · what `check` throws
   */
  async guard<Result>(ip: string | undefined, credential: string, check: () => Promise<Result>): Promise<Result> {
    const buckets = addressBlocksOf(ip).map((block) => this.#refilled(block))
    // The widest limited block, so that it has one lane and not one per block within it.
    const limited = buckets.findLast(({ left }) => left < 1)
    if (!limited || this.#accepted.get(this.#digest(credential))) return this.#counted(buckets, credential, check)
    return this.#inLane(limited, () => this.#counted(buckets, credential, check))
  }

  /** Remembers an accepted credential. This only bypasses the lane; `check` still decides every time. */
  accept(credential: string): void {
    this.#accepted.set(this.#digest(credential), true)
  }

  async #counted<Result>(
    buckets: readonly Bucket[],
    credential: string,
    check: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await check()
    } catch (error) {
      if (!(error instanceof Rejection && error.statusCode === 401)) throw error
      this.#accepted.delete(this.#digest(credential))
      for (const bucket of buckets) this.#refill(bucket)
      const limited = buckets.find(({ left }) => left < 1)
      if (limited) throw tooMany(limited)
      for (const bucket of buckets) bucket.left -= 1
      throw error
    }
  }

  async #inLane<Result>(bucket: Bucket, work: () => Promise<Result>): Promise<Result> {
    if (bucket.waiting >= LANE_WAITING_MAX) throw tooMany(bucket)
    bucket.waiting += 1
    const turn = bucket.lane.then(async () => {
      bucket.waiting -= 1
      const startedMs = performance.now()
      return { done: await settleOf(work), tookMs: performance.now() - startedMs }
    })
    bucket.lane = turn.then(({ tookMs }) => restFor(tookMs * REST_FACTOR))
    return (await turn).done()
  }

  #refilled({ name, share }: AddressBlock): Bucket {
    const known = this.#buckets.get(name)
    const perMinute = this.#perMinute * share
    const bucket = known ?? { perMinute, left: perMinute, atMs: this.#nowMs(), waiting: 0, lane: Promise.resolve() }
    if (!known) this.#buckets.set(name, bucket)
    this.#refill(bucket)
    return bucket
  }

  #refill(bucket: Bucket): void {
    const nowMs = this.#nowMs()
    bucket.left = Math.min(bucket.perMinute, bucket.left + ((nowMs - bucket.atMs) * bucket.perMinute) / 60_000)
    bucket.atMs = nowMs
  }

  /** No credential stays in memory. An HMAC would take three times as long; no caller learns a digest. */
  #digest(credential: string): string {
    return hash('sha256', this.#secret + credential, 'base64')
  }
}

/** Headers of draft-ietf-httpapi-ratelimit-headers-11. */
function tooMany({ perMinute, left }: Bucket): Rejection {
  const seconds = Math.max(1, Math.ceil(((1 - left) * 60) / perMinute))
  return new Rejection('tooMany', 'Too many failed attempts from this address: try again later', 'TOO_MANY_FAILURES', {
    'Retry-After': String(seconds),
    RateLimit: `"failures";r=0;t=${seconds}`,
    'RateLimit-Policy': `"failures";q=${perMinute};w=60`,
  })
}

/** Timers have a resolution of 1 ms; a shorter pause is skipped. */
const restFor = (ms: number): Promise<void> | void =>
  ms < 1 ? undefined : new Promise((resolve) => setTimeout(resolve, ms).unref())

async function settleOf<Result>(work: () => Promise<Result>): Promise<() => Result> {
  try {
    const result = await work()
    return () => result
  } catch (error) {
    return () => {
      throw error
    }
  }
}
