/** Which accounts only a new password, a backup code or an operator lets in again. Callers are never told; operators are. */
import type { Pool } from 'pg'
import { Attempts, PASSWORD_ATTEMPTS, SECOND_FACTOR_ATTEMPTS } from '../credentials/attempt-counter.ts'
import type { Lock } from '../credentials/attempt-counter.ts'
import type { Section } from '../resource/section.ts'

const LOCKING = [PASSWORD_ATTEMPTS, SECOND_FACTOR_ATTEMPTS]

/** The longest locked first. */
export const lockedAccounts = (telemetry: Pool): Promise<readonly Lock[]> => new Attempts(telemetry).locks(...LOCKING)

export const lockFigures: NonNullable<Section['figures']> = [
  {
    name: 'sign_in_locked_accounts',
    help: 'Accounts that only a new password, a backup code or an operator lets in again, by what was guessed at',
    label: 'guessed',
    async ask({ telemetry }) {
      const locks = await lockedAccounts(telemetry)
      const numberOf = (policy: string) => locks.filter((lock) => lock.policy === policy).length
      return Object.fromEntries(LOCKING.map(({ name }) => [name, numberOf(name)]))
    },
  },
]
