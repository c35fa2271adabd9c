import type { JobContext } from '#kernel/jobs/job-context'
import { reaction } from '#kernel/jobs/reaction'
import { recurringJob } from '#kernel/jobs/recurring-job'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { overlapDaysOf, licensesOfSigningKey } from '#projections/licensing/licenses'
import { subscriptions } from '../subscriptions/decider.ts'
import { signingKeys } from './decider.ts'
import { SigningKeyCompromised } from './events.ts'
import { currentSigningKey, renewManifest } from './signing-key.ts'

const TEND_EVERY_MS = 10 * 60_000
/** Licenses signed in one append. */
const AT_ONCE = 100

/**
 * Signs every license of the key again, with the same content and another key. After a crash it
 * continues where it stopped.
 */
export const resignLicenses = reaction('resign-licenses', {
  on: [SigningKeyCompromised],
  run: ({ data: { kid } }, work) => resignAll(work, kid),
})

/**
 * Retires keys whose time has come and renews the manifest in time. Signs licenses again that were
 * issued with a compromised key while it was revoked.
 */
export const tendSigningKeys = recurringJob('tend-signing-keys', TEND_EVERY_MS, async (work) => {
  const overlapDays = await overlapDaysOf(work.read, work.now)
  const fallen = await work.run(async (unit) => {
    await unit.decide(signingKeys, undefined, 'RetireOverdueKeys', { overlapDays })
    await renewManifest(unit)
    return (await unit.load(signingKeys)).keys.filter(({ state }) => state === 'compromised')
  })
  for (const { kid } of fallen) await resignAll(work, kid)
})

async function resignAll(work: JobContext, kid: string): Promise<void> {
  for (let after: string | undefined; ;) {
    work.signal.throwIfAborted()
    const batch = await licensesSignedAfter(work.read, kid, after)
    if (batch.length === 0) return
    await work.run(async (unit) => {
      const reason = 'signing key compromised'
      const { kid: now } = await currentSigningKey(unit)
      for (const { id: licenseId, subscriptionId } of batch)
        await unit.decide(subscriptions, subscriptionId, 'ResignLicense', { licenseId, kid: now, reason })
    })
    after = batch.at(-1)!.id
  }
}

const licensesSignedAfter = (read: ReadDatabase, kid: string, after: string | undefined) =>
  licensesOfSigningKey(read, kid)
    .select(['id', 'subscriptionId'])
    .$if(after !== undefined, (rows) => rows.where('id', '>', after!))
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
