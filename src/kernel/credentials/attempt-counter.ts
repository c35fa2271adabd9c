/**
 * Guesses at secrets, counted before they are checked. A try is reserved as a failure, by one statement that commits by
 * itself, and only then verified; a success gives it back. So neither parallel guesses, nor a rollback, nor a crash
 * between the two get a check for free. All times are the database's.
 */
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { reject } from '../lib/rejection.ts'
import { isUnavailable } from '../store/outage.ts'

/** Each bound is absent when the policy has none. */
export interface AttemptPolicy {
  /** Prefix of the keys, so that policies never share a counter: lower case and hyphens. */
  readonly name: string
  /** Failures in a row before each further try has to wait 2^failures seconds, at most `delayMaxSeconds`. */
  readonly freeTries?: number
  readonly delayMaxSeconds?: number
  /** Failures in a row after which only `reset` helps. */
  readonly consecutiveMax?: number
  /** Failures in any `windowSeconds`. */
  readonly windowMax?: number
  readonly windowSeconds?: number
}

export interface CountedAttempt {
  readonly policy: AttemptPolicy
  /** Whom the counter is about: an account's id, a normalised e-mail, an address block. Any text; only its hash is kept. */
  readonly subject: string
  /** Whose lock operators are shown when `consecutiveMax` is reached, such as `STAFF 0190…`. */
  readonly account?: string | undefined
}

export type AttemptReservation =
  | {
      readonly allowed: true
      /** Whether a policy allows no further one, unless this one succeeds. */
      readonly isLast: boolean
      /** Whether that is for its `consecutiveMax`, so that no time but only a success or `reset` allows another. */
      readonly locked: boolean
    }
  | { readonly allowed: false; readonly refusedBy: AttemptPolicy }

/** A subject that has reached the `consecutiveMax` of a policy. */
export interface AccountLock {
  readonly policy: string
  /** Null where it was locked by a version that did not write this down. */
  readonly account: string | null
  /** RFC 3339, UTC. */
  readonly lockedAt: string
}

/** What was forgotten about a subject. */
export interface ForgottenFailures {
  /** Failures in a row. */
  readonly failures: number
  readonly wasLocked: boolean
}

/**
 * Per account (NIST SP 800-63B: at most 100 in a row). The delay counts every failure, so it starts at 2^5 = 32 s: a
 * burst of parallel guesses is over before a sixth is due, and after the tenth it is the full 15 minutes.
 */
export const PASSWORD_ATTEMPTS: AttemptPolicy = {
  name: 'password',
  freeTries: 5,
  delayMaxSeconds: 15 * 60,
  consecutiveMax: 100,
}

/**
 * Per device that has signed in to an account. Its lock ends with the password, which its cookie is bound to, and locks no other device,
 * so it is no lock of the account.
 */
export const DEVICE_PASSWORD_ATTEMPTS: AttemptPolicy = { ...PASSWORD_ATTEMPTS, name: 'device-password' }

/**
 * Per name that no account has, as if it had one: the caller sees no difference. Never locked for good, so that `sweep`
 * may forget these names; strangers can invent any number of them.
 */
export const UNKNOWN_NAME_ATTEMPTS: AttemptPolicy = { name: 'unknown-name', freeTries: 5, delayMaxSeconds: 15 * 60 }

/** Per address block: of the narrowest block, wider ones have a multiple (`blocksOf`). */
export const ADDRESS_ATTEMPTS = { name: 'address', windowMax: 20, windowSeconds: 15 * 60 } satisfies AttemptPolicy

/** In place of the address of a caller who has shown that he has been here before: per device, or per session. */
export const DEVICE_ATTEMPTS: AttemptPolicy = { name: 'device', windowMax: 20, windowSeconds: 15 * 60 }

/** Per account. At two live codes per guess, 20 tries succeed with a chance of 4e-5. */
export const SECOND_FACTOR_ATTEMPTS: AttemptPolicy = {
  name: 'second-factor',
  windowMax: 5,
  windowSeconds: 15 * 60,
  consecutiveMax: 20,
}

const UNLIMITED = 2_147_483_647

/** 2^30 s is beyond every delay; from 2^1024 on the power itself is an error. */
const RESERVE = `
  INSERT INTO telemetry.attempt AS a (key, consecutive, recent, last_at, account, locked_at)
  VALUES ($1, 1, ARRAY[clock_timestamp()], clock_timestamp(), $7, CASE WHEN $3 = 1 THEN clock_timestamp() END)
  ON CONFLICT (key) DO UPDATE SET
    consecutive = a.consecutive + 1,
    account = coalesce(excluded.account, a.account),
    locked_at = CASE WHEN a.consecutive + 1 = $3 THEN clock_timestamp() END,
    recent = ARRAY(SELECT t FROM unnest(a.recent) AS t WHERE t > clock_timestamp() - make_interval(secs => $2))
      || clock_timestamp(),
    last_at = clock_timestamp()
  WHERE a.consecutive < $3
    AND (SELECT count(*) FROM unnest(a.recent) AS t WHERE t > clock_timestamp() - make_interval(secs => $2)) < $4
    AND (a.consecutive < $5
      OR clock_timestamp() >= a.last_at + make_interval(secs => least(power(2, least(a.consecutive, 30)), $6::float8)))
  RETURNING a.consecutive >= $3 OR cardinality(a.recent) >= $4 AS "isLast", a.locked_at IS NOT NULL AS locked`

/** In the order of keys, so that statements that change the same rows wait for each other in one direction. */
const updateStatement = (change: string): string => `
  WITH own AS MATERIALIZED (
    SELECT key FROM telemetry.attempt WHERE key = ANY ($1::text[]) ORDER BY key FOR UPDATE
  )
  UPDATE telemetry.attempt AS a SET ${change} FROM own WHERE a.key = own.key`

const SUCCEED = updateStatement('consecutive = 0, recent = recent[:cardinality(recent) - 1], locked_at = NULL')

/** The same try is not given back twice, so there is one to take. */
const GIVE_BACK = updateStatement(
  'consecutive = greatest(consecutive - 1, 0), recent = recent[:cardinality(recent) - 1], locked_at = NULL',
)

const RESET = `
  DELETE FROM telemetry.attempt WHERE key = $1
  RETURNING consecutive AS failures, locked_at IS NOT NULL AS "wasLocked"`

/** An index holds the locked rows alone. */
const LOCKS = `
  SELECT split_part(key, ':', 1) AS policy, account, locked_at AS "lockedAt"
  FROM telemetry.attempt WHERE locked_at IS NOT NULL AND split_part(key, ':', 1) = ANY ($1::text[])
  ORDER BY locked_at, key`

/** What another statement is changing is not idle. */
const SWEEP = `
  DELETE FROM telemetry.attempt WHERE key IN (
    SELECT key FROM telemetry.attempt
    WHERE starts_with(key, $1) AND last_at < clock_timestamp() - make_interval(secs => $2)
    FOR UPDATE SKIP LOCKED
  )`

/** Every method may throw Rejection 503 ATTEMPTS_UNAVAILABLE: who cannot count must not check. */
export class AttemptCounter {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /**
   * Counts one failure per try, in their order, up to the first that its policy refuses, which counts nothing. Give the
   * address first: then a blocked address cannot lock somebody's account, and one that hammers at a locked account still
   * pays. When refused, answer like a wrong secret and do the dummy work.
   */
  async reserve(...tries: readonly CountedAttempt[]): Promise<AttemptReservation> {
    let [isLast, locked] = [false, false]
    for (const { policy, subject, account = null } of tries) {
      const values = [keyOf(policy, subject), ...boundsOf(policy), account]
      const { rows } = await this.#run<{ isLast: boolean; locked: boolean }>(RESERVE, values)
      if (!rows[0]) return { allowed: false, refusedBy: policy }
      isLast ||= rows[0].isLast
      locked ||= rows[0].locked
    }
    return { allowed: true, isLast, locked }
  }

  /** All of them, or none: those before the first that is refused are given back. */
  async reserveAll(...tries: readonly CountedAttempt[]): Promise<AttemptReservation> {
    let [isLast, locked] = [false, false]
    for (const [nth, each] of tries.entries()) {
      const reserved = await this.reserve(each)
      if (!reserved.allowed) {
        await this.giveBack(...tries.slice(0, nth))
        return reserved
      }
      isLast ||= reserved.isLast
      locked ||= reserved.locked
    }
    return { allowed: true, isLast, locked }
  }

  /** Gives the reserved tries back and ends the failures in a row; earlier ones stay in their window. */
  async succeed(...tries: readonly CountedAttempt[]): Promise<void> {
    if (tries.length > 0) await this.#run(SUCCEED, [tries.map(({ policy, subject }) => keyOf(policy, subject))])
  }

  /** For reserved tries of which nothing was verified in the end: they are as if they had not been. */
  async giveBack(...tries: readonly CountedAttempt[]): Promise<void> {
    if (tries.length > 0) await this.#run(GIVE_BACK, [tries.map(({ policy, subject }) => keyOf(policy, subject))])
  }

  /** Forgets everything about one subject: after a password reset, or by an administrator. */
  async reset({ policy, subject }: CountedAttempt): Promise<ForgottenFailures> {
    const { rows } = await this.#run<ForgottenFailures>(RESET, [keyOf(policy, subject)])
    return rows[0] ?? { failures: 0, wasLocked: false }
  }

  /** For operators: which subjects of these policies are locked now, the longest first. */
  async locks(...policies: readonly AttemptPolicy[]): Promise<readonly AccountLock[]> {
    return (await this.#run<AccountLock>(LOCKS, [policies.map(({ name }) => name)])).rows
  }

  /**
   * Forgets the subjects of a policy that nobody has tried for so long; returns how many. Not for policies with
   * `consecutiveMax`: whoever waits would be forgiven a lock.
   */
  async sweep(policy: AttemptPolicy, idleSeconds: number): Promise<number> {
    if (policy.consecutiveMax !== undefined) throw new Error(`The locks of ${policy.name} must not be swept away`)
    const { rowCount } = await this.#run(SWEEP, [`${policy.name}:`, idleSeconds])
    return rowCount ?? 0
  }

  async #run<Row extends object>(
    sql: string,
    values: readonly unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }> {
    try {
      return await this.#pool.query<Row>(sql, [...values])
    } catch (error) {
      if (!isUnavailable(error)) throw error
      return reject('unavailable', 'Signing in is not possible right now', 'ATTEMPTS_UNAVAILABLE', {
        'Retry-After': '1',
      })
    }
  }
}

/** Hashed: no e-mail or address lies in the table, and no text is too long or too odd for it. */
function keyOf({ name }: AttemptPolicy, subject: string): string {
  return `${name}:${createHash('sha256').update(subject).digest('hex')}`
}

function boundsOf(policy: AttemptPolicy): readonly number[] {
  const { freeTries = UNLIMITED, delayMaxSeconds = UNLIMITED, consecutiveMax = UNLIMITED } = policy
  const { windowMax = UNLIMITED, windowSeconds = 0 } = policy
  return [windowSeconds, consecutiveMax, windowMax, freeTries, delayMaxSeconds]
}
