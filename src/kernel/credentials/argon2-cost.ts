/** What a password hash costs, in a file of its own: tests that are not about it put a cheaper cost in its place. */

export interface Argon2Cost {
  readonly memoryKiB: number
  readonly passes: number
  readonly lanes: number
}

/** OWASP's minimum for argon2id. */
export const LIVE_COST: Argon2Cost = { memoryKiB: 19_456, passes: 2, lanes: 1 }
