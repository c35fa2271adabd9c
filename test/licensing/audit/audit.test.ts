import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { makeCheckpoint } from '#kernel/history/verify-history'
import { servicePool } from '#kernel/store/connection'
import { sections } from '#licensing/index'
import { startService } from '../../support/licensing/service.ts'

const service = await startService()
const as = await service.staff()
const get = (path: string) => service.call('GET', path, { as })

interface Entry {
  position: number
  at: string
  actor: { type: string; id: string; label: string | null; ip: string | null }
  action: string
  subject: { type: string; id: string }
  requestId: string
  sentence: string
  meta: Record<string, unknown>
  checkpoint: { position: number; at: string } | null
}
const search = async (query: string): Promise<Entry[]> =>
  (await get(`/api/admin/audit?pageSize=100&${query}`)).body.items

async function aPlan(name = 'Team') {
  const made = await service.call('POST', '/api/admin/plans', { as, body: { slug: `p-${randomUUID()}`, name } })
  expect(made.status, made.text).toBe(201)
  return made
}

test('an entry says who did what to what, when, from where, in which request', async () => {
  const made = await aPlan()
  const [entry] = await search(`subject=${made.body.id}`)
  const { id, email } = await service.somebody('SUPERADMIN')
  expect(entry).toEqual({
    position: Number(made.headers.get('event-position')),
    at: made.body.createdAt,
    actor: { type: 'STAFF', id, label: email, ip: '127.0.0.1' },
    action: 'plan.created',
    subject: { type: 'plan', id: made.body.id },
    requestId: made.headers.get('x-request-id'),
    sentence: `created plan ${made.body.id} (${made.body.slug})`,
    meta: expect.objectContaining({ planId: made.body.id, slug: made.body.slug, name: 'Team' }),
    checkpoint: null,
  })
})

test('a token is named as it was minted', async () => {
  const token = await service.token(['plans:manage'], { name: 'robot' })
  const body = { slug: `p-${randomUUID()}`, name: 'By a robot' }
  const made = await service.call('POST', '/api/admin/plans', { as: token, body })
  const [entry] = await search(`subject=${made.body.id}`)
  expect(entry!.actor).toMatchObject({ type: 'TOKEN', label: 'robot' })
  expect((await search(`actor=${entry!.actor.id}`)).map(({ action }) => action)).toEqual(['plan.created'])
  expect((await search('actor=TOKEN')).every(({ actor }) => actor.type === 'TOKEN')).toBe(true)
})

describe('filters', () => {
  test('action, subject, from and to', async () => {
    const before = await aPlan()
    const { body: plan } = await aPlan()
    await service.call('PATCH', `/api/admin/plans/${plan.id}`, { as, body: { name: 'Teams' } })
    expect((await search(`subject=${plan.id}`)).map(({ action }) => action)).toEqual(['plan.changed', 'plan.created'])
    expect(await search(`subject=${plan.id}&action=plan.changed`)).toHaveLength(1)
    const since = await search(`from=${plan.createdAt}&action=plan.created`)
    expect(since.map(({ subject }) => subject.id)).toContain(plan.id)
    expect(since.map(({ subject }) => subject.id)).not.toContain(before.body.id)
    const until = await search(`to=${plan.createdAt}&action=plan.created`)
    expect(until.map(({ subject }) => subject.id)).not.toContain(plan.id)
  })

  test('requestId finds all of one request and nothing else, also in an export', async () => {
    const { body: plan } = await aPlan()
    const body = { email: `${plan.slug}@audit.test`, planSlug: plan.slug }
    const made = await service.call('POST', '/api/admin/provisioning', { as, body })
    const requestId = made.headers.get('x-request-id')!
    await aPlan()
    const all = await search(`requestId=${requestId}`)
    expect(new Set(all.map((entry) => entry.requestId))).toEqual(new Set([requestId]))
    const { customer, subscription, license } = made.body
    const kept = (await service.history()).filter(({ metadata }) => metadata['requestId'] === requestId)
    expect(all.map(({ position }) => position)).toEqual(kept.map(({ position }) => position).toReversed())
    expect(all.map(({ subject }) => subject.id)).toEqual(
      expect.arrayContaining([customer.id, subscription.id, license.id]),
    )
    expect(await search(`requestId=${requestId.toUpperCase()}`)).toEqual(all)
    expect(await search('requestId=another')).toEqual([])
    const exported = (await get(`/api/admin/audit/export?requestId=${requestId}`)).text.trimEnd().split('\n')
    expect(exported.map((line) => JSON.parse(line) as Entry)).toEqual(all.toReversed())
  })

  test.each(['from=yesterday', 'to=2026-01-01', 'unknown=1', 'sort=at'])('400 for ?%s', async (query) => {
    expect((await get(`/api/admin/audit?${query}`)).status).toBe(400)
  })

  test('what is looked for is never SQL', async () => {
    expect(await search(`subject=${encodeURIComponent("x') OR 1=1 --")}`)).toEqual([])
    expect(await search(`actor=${encodeURIComponent("' OR ''='")}`)).toEqual([])
  })
})

test('actions lists every event that is declared', async () => {
  const { actions } = (await get('/api/admin/audit/actions')).body
  const declared = sections.flatMap(({ streams }) => streams.flatMap(({ types }) => types.map(({ action }) => action)))
  expect(actions.map(({ action }: Entry) => action)).toEqual([...new Set(declared)].toSorted())
})

describe('export', () => {
  test('NDJSON holds every entry once, oldest first, over many pages', async () => {
    for (let made = 0; made < 120; made += 1) await aPlan()
    const exported = await get('/api/admin/audit/export')
    expect(exported.status, exported.text).toBe(200)
    expect(exported.headers.get('content-type')).toMatch(/^application\/x-ndjson/)
    expect(exported.headers.get('content-disposition')).toBe('attachment; filename="audit.ndjson"')
    const lines = exported.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Entry)
    expect(lines.map(({ position }) => position)).toEqual((await service.history()).map(({ position }) => position))
    const [newest] = await search('')
    expect(lines.at(-1)).toEqual(newest)
  })

  test('CSV can be read by a library, and no cell is a formula', async () => {
    await aPlan('=HYPERLINK("http://evil.test","x"); "quoted", too')
    const token = await service.token(['plans:manage'], { name: '=1+1' })
    const body = { slug: `p-${randomUUID()}`, name: 'By a formula' }
    expect((await service.call('POST', '/api/admin/plans', { as: token, body })).status).toBe(201)
    const exported = await get('/api/admin/audit/export?format=csv&action=plan.created')
    expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const rows = parse<Record<string, string>>(exported.text, { columns: true })
    expect(rows.map(({ action }) => action)).toEqual(rows.map(() => 'plan.created'))
    expect(rows.at(-1)!['actorLabel']).toBe("'=1+1")
    expect(JSON.parse(rows.at(-2)!['meta']!)).toMatchObject({
      name: '=HYPERLINK("http://evil.test","x"); "quoted", too',
    })
    expect(rows.flatMap((row) => Object.values(row)).filter((cell) => /^[=+@-]/.test(cell))).toEqual([])
  })

  test('is an entry itself, before its first line and among its lines, with who took it', async () => {
    const exported = await get('/api/admin/audit/export?action=export.made')
    const [entry] = await search('action=export.made')
    expect(entry).toMatchObject({
      actor: { type: 'STAFF' },
      sentence: 'exported audit entries as ndjson',
      meta: { resource: 'audit entries', format: 'ndjson' },
      requestId: exported.headers.get('x-request-id'),
    })
    expect(JSON.parse(exported.text.trimEnd().split('\n').at(-1)!)).toEqual(entry)
  })

  test('400 for an unknown format', async () => {
    expect((await get('/api/admin/audit/export?format=xml')).status).toBe(400)
  })
})

// The hash chain exists in Postgres only.
describe.runIf(service.keepsEvents)('verify', () => {
  const verify = () => get('/api/admin/audit/verify')

  test('the history that was written is the history that stands there', async () => {
    const made = await aPlan()
    const { status, body } = await verify()
    const head = Number(made.headers.get('event-position'))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      valid: true,
      events: head,
      head,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      after: 0,
    })
  })

  async function sign() {
    const pool = servicePool(service.database.url, { role: 'daybook_service' })
    const checkpoint = await makeCheckpoint(pool, service.licensing.vault)
    await pool.end()
    return checkpoint!
  }

  test('an entry tells the first checkpoint that covers it, and only one that this installation has signed', async () => {
    const [first, last] = [await aPlan(), await aPlan()]
    const { position, at } = await sign()
    await aPlan()
    await sign()
    const uncovered = await aPlan()
    const checkpointOf = async ({ body }: typeof first) => (await search(`subject=${body.id}`))[0]!.checkpoint
    expect(await checkpointOf(first)).toEqual({ position, at })
    expect(await checkpointOf(last)).toEqual({ position, at })
    expect(position).toBe(Number(last.headers.get('event-position')))
    expect(await checkpointOf(uncovered)).toBeNull()
    const { rows } = await service.superuser.query('SELECT jws FROM store.checkpoint WHERE position = $1', [position])
    const replace = (jws: string) =>
      service.superuser.query(`
        ALTER TABLE store.checkpoint DISABLE TRIGGER append_only;
        UPDATE store.checkpoint SET jws = '${jws}' WHERE position = ${position};
        ALTER TABLE store.checkpoint ENABLE ALWAYS TRIGGER append_only`)
    const [head, payload, signature] = rows[0].jws.split('.')
    await replace([head, payload, signature.split('').toReversed().join('')].join('.'))
    expect(await checkpointOf(first), 'the signature is another').toBeNull()
    await replace(rows[0].jws)
    expect(await checkpointOf(first)).toEqual({ position, at })
  })

  test('many who ask at once are given one answer, and none of it shows a secret', async () => {
    await sign()
    const holding = await service.superuser.connect()
    const waiting = async (): Promise<number> => {
      const { rows } = await holding.query(
        `SELECT count(*)::int AS number FROM pg_locks WHERE relation = 'store.checkpoint'::regclass AND NOT granted`,
      )
      return rows[0].number
    }
    await holding.query('BEGIN; LOCK TABLE store.checkpoint')
    const asking = Promise.all(Array.from({ length: 20 }, verify))
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
    await pause(200)
    expect(await waiting(), 'each would take two connections of the service').toBe(1)
    await holding.query('COMMIT')
    holding.release()
    const asked = await asking
    expect(new Set(asked.map(({ text }) => text)).size).toBe(1)
    expect(asked[0]!.body.checkpoint).toMatchObject({ position: asked[0]!.body.head, hash: asked[0]!.body.hash })
  })

  test('the first event that is not what was appended is named, whoever changed it', async () => {
    const made = await aPlan()
    const position = Number(made.headers.get('event-position'))
    const change = (data: string) =>
      service.superuser.query(`
        ALTER TABLE store.event DISABLE TRIGGER append_only;
        UPDATE store.event SET data = ${data} WHERE pos = ${position};
        ALTER TABLE store.event ENABLE ALWAYS TRIGGER append_only`)
    const { rows } = await service.superuser.query('SELECT data::text FROM store.event WHERE pos = $1', [position])
    await change(`'{"planId":"another"}'`)
    const { body } = await verify()
    expect(body).toMatchObject({
      valid: false,
      head: position,
      firstBad: { position, through: position, problem: 'altered', suspect: position },
    })
    expect(body.firstBad.sentence).toBe(`Event ${position} is not what was appended`)
    await change(`'${rows[0].data}'`)
    expect((await verify()).body).toMatchObject({ valid: true })
  })
})
