/** How long answers take that must not reveal by their duration whether an account exists (A4). */
import { expect, test, vi } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { newStaff, signIn } from '#test/support/licensing/people'
import { startService } from '#test/support/licensing/service'
import { shopFixture } from '#test/support/licensing/shop-fixture'
import { newShopper, SHOP_URL } from '#test/support/licensing/shoppers'

vi.unmock('#kernel/credentials/answer-time')

/** Such an answer takes at least 250 ms; timers may fire a little early. */
const ANSWERED_AFTER_MS = 240
const password = 'not the password at all'
const service = await startService({ trustedProxies: parseTrustedProxies('127.0.0.1'), shopUrl: SHOP_URL })
const floor = await shopFixture(service)

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

test(
  'a wrong password and an unknown address take equally long: the fastest of 21 pairs within 2 ms',
  { retry: 2 },
  async () => {
    const person = await newStaff(service)
    const measured = { known: [] as number[], unknown: [] as number[] }
    for (let n = 0; n < 21; n++) {
      await service.superuser.query('DELETE FROM telemetry.attempt')
      const [known, unknown] = await Promise.all(
        [person.email, `nobody${n}@staff.test`].map((email) => msOf(() => signIn(service, { email, password }))),
      )
      measured.known.push(known!)
      measured.unknown.push(unknown!)
    }
    // The fastest of each, because other work on the machine can only add time.
    const fastest = (all: number[]) => Math.min(...all)
    expect(Math.abs(fastest(measured.known) - fastest(measured.unknown))).toBeLessThan(2)
    // On a fast machine the two differ by less than can be measured. The minimum time of a refusal can always
    // be measured.
    expect(Math.min(...measured.known, ...measured.unknown)).toBeGreaterThan(ANSWERED_AFTER_MS)
  },
)

test('a link of the shop is asked for in the same time, whether the address has an account, a password or neither', async () => {
  const { email: known } = await newShopper(service)
  const { slug: planSlug } = await floor.plan()
  const sold = 'sold@customer.test'
  await floor.provision({ email: sold, planSlug, reference: 'an order' })
  for (const email of [known, sold, 'nobody@customer.test'])
    expect(
      await msOf(() => service.call('POST', '/api/shop/auth/forgot-password', { body: { email } })),
    ).toBeGreaterThan(ANSWERED_AFTER_MS)
})
