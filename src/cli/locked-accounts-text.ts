/** Lists locked accounts for doctor, by their ids, because users may share the output. */
import { SECOND_FACTOR_ATTEMPTS } from '../kernel/credentials/attempt-counter.ts'
import type { AccountLock } from '../kernel/credentials/attempt-counter.ts'

const NAMED_MAX = 10

/** @param unlocking how to unlock an account, as a sentence */
export function lockedAccountsText(locks: readonly AccountLock[], unlocking: string): string {
  if (locks.length === 0) return 'no account is locked'
  const named = locks.slice(0, NAMED_MAX).map(({ account, policy, lockedAt }) => {
    const guessed = policy === SECOND_FACTOR_ATTEMPTS.name ? 'codes' : 'passwords'
    return `${account ?? 'an account'}, by wrong ${guessed}, since ${lockedAt}`
  })
  const more = locks.length > named.length ? [`and ${locks.length - named.length} more`] : []
  const number = locks.length === 1 ? '1 account is locked' : `${locks.length} accounts are locked`
  return [`${number}: ${unlocking}`, ...named, ...more].join('\n')
}
