/** The words of the pages for names that the API uses. */

/** `currentPeriodEnd` becomes `Current period end`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[._-]+/g, ' ')
    .toLowerCase()
  const text = words.replace(
    /\b(api|id|ip|url|totp|tls|dns|os)(s?)\b/g,
    (_, short: string, s: string) => `${short.toUpperCase()}${s}`,
  )
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const FLAGS: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' }

/** `PAST_DUE` becomes `Past due`. */
export const wordOf = (state: string): string =>
  FLAGS[state] ?? (/^[A-Z0-9_]+$/.test(state) ? labelOf(state.toLowerCase()) : state)

export type Tone = 'good' | 'warn' | 'bad' | 'quiet'

/** The tone of a state; a state without an entry is quiet. */
const TONES: Readonly<Record<string, Tone>> = {
  ACTIVE: 'good',
  PAID: 'good',
  SUCCEEDED: 'good',
  DELIVERED: 'good',
  PUBLISHED: 'good',
  COMPLETED: 'good',
  ALIVE: 'good',
  ONLINE: 'good',
  OK: 'good',
  ACCEPTED: 'good',
  TRIALING: 'good',
  VALID: 'good',
  CURRENT: 'good',
  PENDING: 'warn',
  PENDING_INSTALL: 'warn',
  CANCELLING: 'warn',
  PAST_DUE: 'warn',
  GRACE: 'warn',
  STALE: 'warn',
  SUSPENDED: 'warn',
  PAUSED: 'warn',
  RETIRING: 'warn',
  DEGRADED: 'warn',
  INVITED: 'warn',
  UNPAID: 'warn',
  REVOKED: 'bad',
  FAILED: 'bad',
  EXPIRED: 'bad',
  CANCELLED: 'bad',
  COMPROMISED: 'bad',
  YANKED: 'bad',
  BLOCKED: 'bad',
  DISABLED: 'bad',
  LOST: 'bad',
  OFFLINE: 'bad',
}

export const toneOf = (state: string): Tone => TONES[state] ?? 'quiet'
export const markOf = (tone: Tone): string => ({ good: '●', warn: '◐', bad: '■', quiet: '○' })[tone]
