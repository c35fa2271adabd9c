/** The cost of a password hash, in its own file so that other tests can replace it with a cheaper one. */

export interface Argon2Cost {
  readonly memoryKiB: number
  readonly passes: number
  readonly lanes: number
}

/** OWASP's minimum for argon2id. */
export const LIVE_COST: Argon2Cost = { memoryKiB: 19_456, passes: 2, lanes: 1 }
