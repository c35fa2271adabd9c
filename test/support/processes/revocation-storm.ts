/** A right is taken away at one process while a thousand concurrent requests use it at another. */
import { expect } from 'vitest'
import { statusesOf } from '../storm.ts'

const LANES = 1_000

interface Answer {
  readonly status: number
}

export interface Revocation {
  /** A request at another process than that of `revoke`: 200 while the right holds. */
  readonly use: () => Promise<Answer>
  /** Resolves when it is answered. */
  readonly revoke: () => Promise<void>
  /** The status of a request without the right. */
  readonly refused: number
}

/** Every request that is sent after the answer is refused, and every one that was sent before it is answered too. */
export async function expectRevocationHolds({ use, revoke, refused }: Revocation): Promise<void> {
  const [accepted, during, after]: [Answer[], Answer[], Answer[]] = [[], [], []]
  const everyLaneWasAnswered = Promise.withResolvers<void>()
  let [isAsked, isRevoked] = [false, false]

  /** Sends one request after another, the last of them after the revocation was answered. */
  async function lane(): Promise<void> {
    for (let isLast = false; !isLast;) {
      isLast = isRevoked
      const answer = await use()
      if (isLast) after.push(answer)
      else (isAsked ? during : accepted).push(answer)
      if (accepted.length === LANES) everyLaneWasAnswered.resolve()
    }
  }

  async function revokeAmongThem(): Promise<void> {
    await everyLaneWasAnswered.promise
    isAsked = true
    await revoke().finally(() => (isRevoked = true))
  }

  await Promise.all([revokeAmongThem(), ...Array.from({ length: LANES }, lane)])
  expect(statusesOf(accepted)).toEqual({ 200: accepted.length })
  expect(statusesOf(after)).toEqual({ [refused]: LANES })
  const { 200: still = 0, [refused]: denied = 0 } = statusesOf(during)
  expect(still + denied, JSON.stringify(statusesOf(during))).toBe(during.length)
  expect(during.length).toBeGreaterThanOrEqual(LANES)
}
