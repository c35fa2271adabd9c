/** When a token is renewed: before it ends, while there is time for another try. */
import type { Grant } from './decider.ts'

const EARLY_MS_MAX = 15 * 60_000
/** Of the life of a short one. */
const EARLY_PART = 3

interface GivenTokens {
  readonly refreshToken: string | null
  readonly expiresInSeconds: number | null
}

/** @param at when they were given */
export function grantOf(
  { refreshToken, expiresInSeconds }: GivenTokens,
  at: Date,
): Omit<Grant, 'clientId' | 'clientSecret'> {
  if (expiresInSeconds === null) return { refreshToken, expiresAt: null, renewAt: null }
  const lifeMs = expiresInSeconds * 1_000
  // What cannot be renewed ends at its time.
  const earlyMs = refreshToken === null ? 0 : Math.min(EARLY_MS_MAX, lifeMs / EARLY_PART)
  const after = (ms: number) => new Date(at.getTime() + ms).toISOString()
  return { refreshToken, expiresAt: after(lifeMs), renewAt: after(lifeMs - earlyMs) }
}

export const isDue = ({ renewAt }: Pick<Grant, 'renewAt'>, at: Date): boolean =>
  renewAt !== null && Date.parse(renewAt) <= at.getTime()

export const isEnded = ({ expiresAt }: Pick<Grant, 'expiresAt'>, at: Date): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= at.getTime()
