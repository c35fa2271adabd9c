/** Which accounts only a new password, a backup code or an operator lets in again. Callers are never told; operators are. */
import type { Pool } from 'pg'
import { AttemptCounter, PASSWORD_ATTEMPTS, SECOND_FACTOR_ATTEMPTS } from '../credentials/attempt-counter.ts'
import type { AccountLock } from '../credentials/attempt-counter.ts'
import type { Section } from '../resource/section.ts'

const LOCKING_POLICIES = [PASSWORD_ATTEMPTS, SECOND_FACTOR_ATTEMPTS]

/** The longest locked first. */
export const lockedAccounts = (telemetry: Pool): Promise<readonly AccountLock[]> =>
  new AttemptCounter(telemetry).locks(...LOCKING_POLICIES)

export const lockMetrics: NonNullable<Section['metrics']> = [
  {
    name: 'sign_in_locked_accounts',
    help: 'Accounts that only a new password, a backup code or an operator lets in again, by what was guessed at',
    label: 'guessed',
    async ask({ telemetry }) {
      const locks = await lockedAccounts(telemetry)
      const numberOf = (policy: string) => locks.filter((lock) => lock.policy === policy).length
      return Object.fromEntries(LOCKING_POLICIES.map(({ name }) => [name, numberOf(name)]))
    },
  },
]
