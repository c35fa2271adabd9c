/** When a token is renewed: before it ends, while there is time for another try. */
const EARLY_MS_MAX = 15 * 60_000
/** Of the life of a short one. */
const EARLY_PART = 3

/** What is known of the token of a grant. */
interface Renewal {
  readonly refreshToken: string | null
  /** Null: it does not end. */
  readonly expiresAt: string | null
  /** Null: it is not renewed. */
  readonly renewAt: string | null
}

interface GivenTokens {
  readonly refreshToken: string | null
  readonly expiresInSeconds: number | null
}

/** @param at when they were given */
export function grantOf({ refreshToken, expiresInSeconds }: GivenTokens, at: Date): Renewal {
  if (expiresInSeconds === null) return { refreshToken, expiresAt: null, renewAt: null }
  const lifeMs = expiresInSeconds * 1_000
  // What cannot be renewed ends at its time.
  const earlyMs = refreshToken === null ? 0 : Math.min(EARLY_MS_MAX, lifeMs / EARLY_PART)
  const after = (ms: number) => new Date(at.getTime() + ms).toISOString()
  return { refreshToken, expiresAt: after(lifeMs), renewAt: after(lifeMs - earlyMs) }
}

export const isDue = ({ renewAt }: Pick<Renewal, 'renewAt'>, at: Date): boolean =>
  renewAt !== null && Date.parse(renewAt) <= at.getTime()

export const isEnded = ({ expiresAt }: Pick<Renewal, 'expiresAt'>, at: Date): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= at.getTime()
