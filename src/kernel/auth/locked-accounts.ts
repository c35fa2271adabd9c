/**
 * The accounts that are locked until a new password, a backup code or an operator unlocks them.
 * Operators see them, callers do not.
 */
import type { Pool } from 'pg'
import { AttemptCounter, PASSWORD_ATTEMPTS, SECOND_FACTOR_ATTEMPTS } from '../credentials/attempt-counter.ts'
import type { AccountLock } from '../credentials/attempt-counter.ts'
import type { Section } from '../resource/section.ts'

const LOCKING_POLICIES = [PASSWORD_ATTEMPTS, SECOND_FACTOR_ATTEMPTS]

/** The oldest lock first. */
export const lockedAccounts = (telemetry: Pool): Promise<readonly AccountLock[]> =>
  new AttemptCounter(telemetry).locks(...LOCKING_POLICIES)

export const lockMetrics: NonNullable<Section['metrics']> = [
  {
    name: 'sign_in_locked_accounts',
    help: 'Accounts that are locked until a new password, a backup code or an operator unlocks them, by what was guessed',
    label: 'guessed',
    async ask({ telemetry }) {
      const locks = await lockedAccounts(telemetry)
      const numberOf = (policy: string) => locks.filter((lock) => lock.policy === policy).length
      return Object.fromEntries(LOCKING_POLICIES.map(({ name }) => [name, numberOf(name)]))
    },
  },
]
