/**
 * A revocation that one process has answered holds at every other one, among a thousand concurrent requests: these share
 * the statements that look up their credential.
 */
import { afterAll, expect, test } from 'vitest'
import { openSite, signIn, statuses } from '../support/processes/site.ts'
import type { Reply } from '../support/processes/site.ts'

const ROUNDS = 3
const LANES = 1_000

const site = await openSite()
afterAll(() => site.close(), 60_000)
const [one, other] = await Promise.all([site.service(), site.service()])
const session = await signIn(one)
const plan = await one.call('POST', '/api/admin/plans', { as: session, body: { slug: 'storm', name: 'Storm' } })

async function minted(): Promise<{ id: string; secret: string }> {
  const body = { name: 'storm', permissions: ['plans:view'] }
  const { status, body: made } = await one.call('POST', '/api/admin/machine-tokens', { as: session, body })
  expect(status).toBe(201)
  return { id: made.token.id, secret: made.secret }
}

test.each(Array.from({ length: ROUNDS }, (_none, nth) => nth + 1))(
  'round %i: what is sent after the answer is refused, and what was sent before it is answered too',
  async () => {
    const { id, secret } = await minted()
    const [accepted, during, after]: [Reply[], Reply[], Reply[]] = [[], [], []]
    const everyLaneWasAnswered = Promise.withResolvers<void>()
    let [isAsked, isRevoked] = [false, false]

    /** Sends one request after another, the last of them after the revocation was answered. */
    async function lane(): Promise<void> {
      for (let isLast = false; !isLast;) {
        isLast = isRevoked
        const reply = await other.call('GET', `/api/admin/plans/${plan.body.id}`, { as: secret })
        if (isLast) after.push(reply)
        else (isAsked ? during : accepted).push(reply)
        if (accepted.length === LANES) everyLaneWasAnswered.resolve()
      }
    }

    async function revoke(): Promise<void> {
      await everyLaneWasAnswered.promise
      isAsked = true
      const { status } = await one.call('POST', `/api/admin/machine-tokens/${id}/revoke`, { as: session })
      isRevoked = true
      expect(status).toBe(200)
    }

    await Promise.all([revoke(), ...Array.from({ length: LANES }, lane)])
    expect(statuses(accepted)).toEqual({ 200: accepted.length })
    expect(statuses(after)).toEqual({ 401: LANES })
    const { 200: still = 0, 401: refused = 0 } = statuses(during)
    expect(still + refused, JSON.stringify(statuses(during))).toBe(during.length)
    expect(during.length).toBeGreaterThanOrEqual(LANES)
  },
  120_000,
)
