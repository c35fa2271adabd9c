/** Reports the deleted failures of an account to the user of the command. */
import type { LiftedLocks } from '../kernel/auth/verify-credentials.ts'
import type { ForgottenFailures } from '../kernel/credentials/attempt-counter.ts'

export const hasLiftedLocks = ({ password, secondFactor }: LiftedLocks): boolean =>
  password.failures + secondFactor.failures > 0

export function liftedLocksText({ password, secondFactor }: LiftedLocks): string {
  const lifted = [...lines(password, 'password'), ...lines(secondFactor, 'code')]
  return lifted.length > 0 ? lifted.join('\n') : 'The account was neither locked nor delayed.'
}

function lines({ failures, wasLocked }: ForgottenFailures, what: 'password' | 'code'): string[] {
  if (failures === 0) return []
  const wrong = `${failures} wrong ${what}${failures === 1 ? '' : 's'} in a row`
  return [
    wasLocked
      ? `The account is unlocked: ${wrong} had locked it.`
      : `The account is no longer delayed: ${wrong} ${failures === 1 ? 'was' : 'were'} counted.`,
  ]
}
