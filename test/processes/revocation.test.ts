/**
 * What one process has answered to take away holds at every other one, among a thousand concurrent requests: these share
 * the statements that look up their credential.
 */
import { afterAll, expect, test } from 'vitest'
import { expectRevocationHolds } from '../support/processes/revocation-storm.ts'
import { openSite, signIn } from '../support/processes/site.ts'

const ROUNDS = 3

const site = await openSite()
afterAll(() => site.close(), 60_000)
const [one, other] = await Promise.all([site.service(), site.service()])
const session = await signIn(one)
const plan = await one.call('POST', '/api/admin/plans', { as: session, body: { slug: 'storm', name: 'Storm' } })

const readAs = (as: string) => other.call('GET', `/api/admin/plans/${plan.body.id}`, { as })

async function minted(): Promise<{ id: string; secret: string }> {
  const body = { name: 'storm', permissions: ['plans:view'] }
  const { status, body: made } = await one.call('POST', '/api/admin/machine-tokens', { as: session, body })
  expect(status).toBe(201)
  return { id: made.token.id, secret: made.secret }
}

test.each(Array.from({ length: ROUNDS }, (_none, nth) => nth + 1))(
  'a revoked machine token, round %i: what is sent after the answer is refused',
  async () => {
    const { id, secret } = await minted()
    await expectRevocationHolds({
      use: () => readAs(secret),
      async revoke() {
        const { status } = await one.call('POST', `/api/admin/machine-tokens/${id}/revoke`, { as: session })
        expect(status).toBe(200)
      },
      refused: 401,
    })
  },
  120_000,
)

test('a session that signs out: what is sent after the answer is refused', async () => {
  const leaving = await signIn(one)
  await expectRevocationHolds({
    use: () => readAs(leaving),
    async revoke() {
      expect((await one.call('POST', '/api/admin/auth/logout', { as: leaving, body: {} })).status).toBe(204)
    },
    refused: 401,
  })
}, 120_000)
