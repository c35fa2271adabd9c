/**
 * Counts guesses at secrets before they are checked. One statement, which commits on its own, reserves
 * a try as a failure; then the secret is verified; a success releases the try. So parallel guesses, a
 * rollback or a crash between the two steps cannot get an uncounted check. All times are the
 * database's.
 */
import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { reject } from '../lib/rejection.ts'
import { isUnavailable } from '../store/outage.ts'

/** A limit that is absent does not apply. */
export interface AttemptPolicy {
  /** The prefix of the keys, in lower case and hyphens: policies never share a counter. */
  readonly name: string
  /**
   * After this many consecutive failures each further try must wait 2^failures seconds, at most
   * `delayMaxSeconds`.
   */
  readonly freeTries?: number
  readonly delayMaxSeconds?: number
  /** After this many consecutive failures the subject is locked until `reset`. */
  readonly consecutiveMax?: number
  /** The maximum of failures in any `windowSeconds`. */
  readonly windowMax?: number
  readonly windowSeconds?: number
}

export interface CountedAttempt {
  readonly policy: AttemptPolicy
  /**
   * What is counted: an account id, a normalised e-mail, an address block. Any text; only its hash is
   * stored.
   */
  readonly subject: string
  /** The account that operators see as locked when `consecutiveMax` is reached, such as `STAFF 0190…`. */
  readonly account?: string | undefined
}

export type AttemptReservation =
  | {
      readonly allowed: true
      /** Whether this is the last try that a policy allows, unless it succeeds. */
      readonly isLast: boolean
      /**
       * Whether `consecutiveMax` is the reason: then only a success or `reset` allows another try, not
       * time.
       */
      readonly locked: boolean
    }
  | { readonly allowed: false; readonly refusedBy: AttemptPolicy }

/** A subject that has reached the `consecutiveMax` of a policy. */
export interface AccountLock {
  readonly policy: string
  /** Null for a lock from an older version, which did not record the account. */
  readonly account: string | null
  /** RFC 3339, UTC. */
  readonly lockedAt: string
}

/** The counter that `reset` deleted. */
export interface ForgottenFailures {
  /** Consecutive failures. */
  readonly failures: number
  readonly wasLocked: boolean
}

/**
 * Per account (NIST SP 800-63B: at most 100 consecutive failures). The delay counts every failure, so
 * it starts at 2^5 = 32 s: a burst of parallel guesses ends before a sixth is due. From the tenth
 * failure on it is the full 15 minutes.
 */
export const PASSWORD_ATTEMPTS: AttemptPolicy = {
  name: 'password',
  freeTries: 5,
  delayMaxSeconds: 15 * 60,
  consecutiveMax: 100,
}

/**
 * Per device that has signed in to an account before. The device cookie is bound to the password, so a
 * new password ends the lock. It locks no other device and not the account.
 */
export const DEVICE_PASSWORD_ATTEMPTS: AttemptPolicy = { ...PASSWORD_ATTEMPTS, name: 'device-password' }

/**
 * Per name that no account has, with the same delays as an account, so that the caller sees no
 * difference. Never locked, so that `sweep` may delete these names: attackers can invent any number of
 * them.
 */
export const UNKNOWN_NAME_ATTEMPTS: AttemptPolicy = { name: 'unknown-name', freeTries: 5, delayMaxSeconds: 15 * 60 }

/** Per address block: the limit of the narrowest block; wider ones have a multiple (`addressBlocksOf`). */
export const ADDRESS_ATTEMPTS = { name: 'address', windowMax: 20, windowSeconds: 15 * 60 } satisfies AttemptPolicy

/** Replaces the address limit for a caller with a known device or session: per device, or per session. */
export const DEVICE_ATTEMPTS: AttemptPolicy = { name: 'device', windowMax: 20, windowSeconds: 15 * 60 }

/** Per account. With two valid codes at a time, 20 guesses succeed with a probability of 4e-5. */
export const SECOND_FACTOR_ATTEMPTS: AttemptPolicy = {
  name: 'second-factor',
  windowMax: 5,
  windowSeconds: 15 * 60,
  consecutiveMax: 20,
}

const UNLIMITED = 2_147_483_647

/** 2^30 s exceeds every delay; from 2^1024 on, `power` fails. */
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

/** Locks rows in the order of their keys, so that concurrent statements cannot deadlock. */
const updateStatement = (change: string): string => `
  WITH own AS MATERIALIZED (
    SELECT key FROM telemetry.attempt WHERE key = ANY ($1::text[]) ORDER BY key FOR UPDATE
  )
  UPDATE telemetry.attempt AS a SET ${change} FROM own WHERE a.key = own.key`

const SUCCEED = updateStatement('consecutive = 0, recent = recent[:cardinality(recent) - 1], locked_at = NULL')

/** A try is released only once, so there is one to remove. */
const GIVE_BACK = updateStatement(
  'consecutive = greatest(consecutive - 1, 0), recent = recent[:cardinality(recent) - 1], locked_at = NULL',
)

const RESET = `
  DELETE FROM telemetry.attempt WHERE key = $1
  RETURNING consecutive AS failures, locked_at IS NOT NULL AS "wasLocked"`

/** A partial index contains only the locked rows. */
const LOCKS = `
  SELECT split_part(key, ':', 1) AS policy, account, locked_at AS "lockedAt"
  FROM telemetry.attempt WHERE locked_at IS NOT NULL AND split_part(key, ':', 1) = ANY ($1::text[])
  ORDER BY locked_at, key`

/** A row that another statement is changing is not idle. */
const SWEEP = `
  DELETE FROM telemetry.attempt WHERE key IN (
    SELECT key FROM telemetry.attempt
    WHERE starts_with(key, $1) AND last_at < clock_timestamp() - make_interval(secs => $2)
    FOR UPDATE SKIP LOCKED
  )`

/** Every method may throw Rejection 503 ATTEMPTS_UNAVAILABLE: without a count, no secret may be checked. */
export class AttemptCounter {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /**
   * Counts one failure per try, in order, up to the first that its policy rejects; the rejected one is
   * not counted. Pass the address first: a blocked address then cannot lock an account, and attacks on
   * a locked account still count against the address. After a rejection, answer as for a wrong secret
   * and do the dummy work.
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

  /** Reserves all tries or none: if one is rejected, the tries before it are released. */
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

  /** Releases the reserved tries and resets the consecutive failures; earlier failures stay in their window. */
  async succeed(...tries: readonly CountedAttempt[]): Promise<void> {
    if (tries.length > 0) await this.#run(SUCCEED, [tries.map(({ policy, subject }) => keyOf(policy, subject))])
  }

  /** Releases reserved tries whose secret was not verified in the end, as if they had not been reserved. */
  async giveBack(...tries: readonly CountedAttempt[]): Promise<void> {
    if (tries.length > 0) await this.#run(GIVE_BACK, [tries.map(({ policy, subject }) => keyOf(policy, subject))])
  }

  /** Deletes the counter of one subject: after a password reset, or by an administrator. */
  async reset({ policy, subject }: CountedAttempt): Promise<ForgottenFailures> {
    const { rows } = await this.#run<ForgottenFailures>(RESET, [keyOf(policy, subject)])
    return rows[0] ?? { failures: 0, wasLocked: false }
  }

  /** For operators: the subjects of these policies that are locked now, the oldest lock first. */
  async locks(...policies: readonly AttemptPolicy[]): Promise<readonly AccountLock[]> {
    return (await this.#run<AccountLock>(LOCKS, [policies.map(({ name }) => name)])).rows
  }

  /**
   * Deletes the subjects of a policy without a try for `idleSeconds`. Not for policies with
   * `consecutiveMax`, because it would remove locks.
   * @returns the number of deleted subjects
   */
  async sweep(policy: AttemptPolicy, idleSeconds: number): Promise<number> {
    if (policy.consecutiveMax !== undefined) throw new Error(`The policy ${policy.name} has locks and cannot be swept`)
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
      return reject('unavailable', 'Signing in is temporarily not possible: try again', 'ATTEMPTS_UNAVAILABLE', {
        'Retry-After': '1',
      })
    }
  }
}

/** Hashed, so that the table contains no e-mails and addresses, and any text fits. */
function keyOf({ name }: AttemptPolicy, subject: string): string {
  return `${name}:${hash('sha256', subject, 'hex')}`
}

function boundsOf(policy: AttemptPolicy): readonly number[] {
  const { freeTries = UNLIMITED, delayMaxSeconds = UNLIMITED, consecutiveMax = UNLIMITED } = policy
  const { windowMax = UNLIMITED, windowSeconds = 0 } = policy
  return [windowSeconds, consecutiveMax, windowMax, freeTries, delayMaxSeconds]
}
