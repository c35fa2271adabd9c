/** Which panels count as silent, and the cost of finding them among many. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { staleInstances } from '#licensing/instances/reactions'
import { SCANNED_MAX, silentInstances } from '#projections/licensing/instances'
import { panel } from '../../support/licensing/client-panel.ts'
import { Panel } from '../../support/licensing/raw-panel.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const service = await startService({ compareReadModels: false })
const floor = await shopFixture(service)

async function sold(terms: object) {
  const { slug } = await floor.plan(terms)
  const { license, licenseKey } = (await floor.provision({ email: `${slug}@silence.test`, planSlug: slug })).body
  return { licenseId: license.id as string, licenseKey: licenseKey as string }
}

const shown = async (id: string) => (await floor.get(`/api/admin/instances/${id}`)).body
const noted = async (id: string) => (await floor.audit(id)).map(({ action }) => action)

describe('a panel without a network', () => {
  it('is not stale while its file lasts, nor does it lose its slot where the plan says so; and then it does', async () => {
    const { licenseId, licenseKey } = await sold({ maxActivations: 1, reclaimStaleAfterDays: 7 })
    const { client, memory } = await panel(service)
    const request = await client.offlineRequest(licenseKey)
    const file = await floor.post(`/api/admin/licenses/${licenseId}/offline-lease`, { request, days: 90 })
    await client.importFile(file.text)
    const id = memory().instanceId!
    const newcomer = async () => (await new Panel(service, licenseKey).activate()).status

    service.passTime(89 * DAY_MS)
    expect(await shown(id)).toMatchObject({ status: 'ACTIVE', lastHeartbeatAt: null })
    await service.settle()
    expect(await noted(id)).not.toContain('instance.marked_stale')
    expect(await newcomer()).toBe(409)

    service.passTime(DAY_MS + 13 * HOUR_MS)
    expect((await shown(id)).status).toBe('STALE')
    await service.settle()
    expect(await noted(id)).toContain('instance.marked_stale')
    expect(await newcomer()).toBe(409)
    service.passTime(7 * DAY_MS)
    expect(await newcomer()).toBe(201)
    await client.stop()
  })
})

describe('among many', () => {
  const READ = sql<{ read: number }>`SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read
    FROM pg_stat_xact_user_tables WHERE relname = 'instances'`

  async function look(after: string | undefined) {
    return service.licensing.read.transaction().execute(async (read) => {
      const until = service.licensing.clock.now()
      // As in a table that is so large that a sequential scan is never cheaper.
      await sql`SET LOCAL enable_seqscan = off`.execute(read)
      const [before] = (await READ.execute(read)).rows
      const found = await silentInstances(read, { until, limit: 1_000, after })
      const [now] = (await READ.execute(read)).rows
      return { ...found, read: now!.read - before!.read }
    })
  }

  it('each look reads no more than its stretch, and together they find everybody', async () => {
    const { licenseKey } = await sold({ maxActivations: 1 })
    const last = new Panel(service, licenseKey)
    await last.activate()
    await service.licensing.projector.catchUp()
    // As if two and a half batches of other panels came before it. The first of them is silent and not recorded
    // yet.
    await service.superuser.query(
      `INSERT INTO read.instances SELECT (jsonb_populate_record(i, jsonb_build_object(
         'id', '00000000-0000-7000-8000-' || lpad(to_hex(nth), 12, '0'), 'status', CASE nth WHEN 1 THEN 'ACTIVE' ELSE 'STALE' END))).*
       FROM read.instances AS i, generate_series(1, $2) AS nth WHERE i.id = $1`,
      [last.instanceId, 2.5 * SCANNED_MAX],
    )
    await service.superuser.query('ANALYZE read.instances')
    service.passTime(2 * DAY_MS)
    const everybody = expect.arrayContaining(['00000000-0000-7000-8000-000000000001', last.instanceId])

    const found: string[] = []
    let after: string | undefined
    let looks = 0
    do {
      const { silent, next, read } = await look(after)
      expect(read).toBeLessThanOrEqual(2 * SCANNED_MAX)
      found.push(...silent.map(({ id }) => id))
      after = next
      looks += 1
    } while (after !== undefined)
    expect(looks).toBe(3)
    expect(found).toEqual(everybody)

    const { read, clock } = service.licensing
    const due = new Set<string>()
    const asking = { read, telemetry: service.superuser, now: clock.now(), until: clock.now(), limit: 1_000 }
    for (let nth = 0; nth < 3; nth += 1)
      for (const { key } of await staleInstances.due(asking)) due.add(key.split('/')[1]!)
    expect([...due]).toEqual(everybody)
  })
})
