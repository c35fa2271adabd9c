/** What was counted against an account and is forgotten now, for who ran the command. */
import type { ForgottenFailures } from '../kernel/credentials/attempt-counter.ts'
import type { LiftedLocks } from '../kernel/auth/verify-credentials.ts'

export const hasLiftedLocks = ({ password, secondFactor }: LiftedLocks): boolean =>
  password.failures + secondFactor.failures > 0

export function liftedLocksText({ password, secondFactor }: LiftedLocks): string {
  const lifted = [...lines(password, 'password'), ...lines(secondFactor, 'code')]
  return lifted.length > 0 ? lifted.join('\n') : 'No failed sign-in had locked or delayed it.'
}

function lines({ failures, wasLocked }: ForgottenFailures, what: 'password' | 'code'): string[] {
  if (failures === 0) return []
  const wrong = `${failures} wrong ${what}${failures === 1 ? '' : 's'} in a row`
  return [wasLocked ? `Its lock is lifted: ${wrong} had locked it.` : `Its delay is lifted: ${wrong} had been counted.`]
}
