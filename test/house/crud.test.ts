/** What every resource of the kit does over HTTP. A resource that is registered without an entry here fails the first test. */
import { describe, expect, test } from 'vitest'
import { sections as licensingSections } from '#licensing/index'
import { sections as panelSections } from '#panel/index'
import { startService } from '#test/support/licensing/service'
import { startPanel } from '#test/support/panel/service'

const licensing = await startService()
const panel = await startPanel()
const licensingStaff = await licensing.staff()
const { as: superadmin } = await panel.somebody('SUPERADMIN')
const { as: user } = await panel.somebody()
const auditor = await licensing.staff('AUDITOR')
const UNKNOWN = '01890000-0000-7000-8000-00000000dead'

const announcement = {
  title: 'News',
  body: 'Of note',
  level: 'INFO',
  visibleFrom: '2030-01-01T00:00:00.000Z',
  visibleUntil: '2030-02-01T00:00:00.000Z',
}

/** By stream: the path, whether one item can be read, who may manage it and who may not, values, and other values. */
const RESOURCES = {
  adminRoles: {
    service: panel,
    path: '/api/admin/roles',
    isRead: false,
    as: superadmin,
    other: user,
    values: { name: 'Auditors', permissions: ['audit:view'] },
    changes: { name: 'Viewers', permissions: [] },
    moments: [],
  },
  announcements: {
    service: licensing,
    path: '/api/admin/announcements',
    isRead: true,
    as: licensingStaff,
    other: auditor,
    values: announcement,
    changes: {
      title: 'Other news',
      body: 'Of no note',
      level: 'CRITICAL',
      visibleFrom: '2030-01-02T00:00:00.000Z',
      visibleUntil: '2030-01-03T00:00:00.000Z',
    },
    moments: ['visibleFrom', 'visibleUntil'],
  },
} as const

test('every resource of both services is held to the contract', () => {
  const resources = [...licensingSections, ...panelSections]
    .flatMap(({ deciders }) => deciders)
    .filter((decider) => 'Created' in decider)
  expect(
    resources.map(({ stream }) => stream.name).toSorted(),
    'each resource has an entry in RESOURCES of this file, under the name of its stream',
  ).toEqual(Object.keys(RESOURCES).toSorted())
})

describe.each(Object.entries(RESOURCES))(
  '%s',
  (_name, { service, path, isRead, as, other, values, changes, moments }) => {
    const call = (method: string, id: string, body?: unknown, by: string | undefined = as) =>
      service.call(method, `${path}${id}`, { as: by, ...(body === undefined ? {} : { body }) })
    const listed = async (): Promise<{ id: string }[]> => (await call('GET', '?page=1&pageSize=100')).body.items
    const eventCount = async (): Promise<number> =>
      (await service.superuser.query('SELECT count(*)::int AS number FROM store.event')).rows[0].number

    test('an item is created, listed, read, changed and deleted', async () => {
      const created = await call('POST', '', values)
      expect(created.status, created.text).toBe(201)
      expect(created.body).toEqual({ ...values, id: expect.any(String), createdAt: expect.any(String) })
      const id = `/${created.body.id}`
      let item = created.body
      expect(await listed()).toContainEqual(item)
      for (const [field, value] of Object.entries(changes)) {
        item = { ...item, [field]: value }
        expect((await call('PATCH', id.toUpperCase(), { [field]: value })).body, field).toEqual(item)
      }
      if (isRead) expect((await call('GET', id)).body).toEqual(item)
      expect(await listed()).toContainEqual(item)
      const before = await eventCount()
      expect((await call('PATCH', id, changes)).body).toEqual(item)
      expect(await eventCount()).toBe(before)
      expect((await call('DELETE', id)).status).toBe(204)
      expect(await listed()).not.toContainEqual(item)
      expect((await call('DELETE', id)).status).toBe(404)
      expect((await call('PATCH', id, values)).status).toBe(404)
    })

    test('nothing to change, unknown fields, a field less and moments that no column holds are refused', async () => {
      const [first = ''] = Object.keys(values)
      const { [first]: _none, ...less } = values as Record<string, unknown>
      expect((await call('PATCH', `/${UNKNOWN}`, {})).status).toBe(400)
      expect((await call('PATCH', `/${UNKNOWN}`, { ...values, id: UNKNOWN })).status).toBe(400)
      expect((await call('POST', '', { ...values, createdAt: '2026-01-01T00:00:00Z' })).status).toBe(400)
      expect((await call('POST', '', less)).status).toBe(400)
      for (const moment of moments)
        for (const text of ['0001-01-01T00:00:00+15:59', '9999-12-31T23:59:59-15:59', '2026-13-01T00:00:00Z']) {
          const refused = await call('POST', '', { ...values, [moment]: text })
          expect([refused.status, refused.headers.get('error-code')], `${moment} ${text}`).toEqual([
            400,
            'INVALID_INPUT',
          ])
        }
    })

    test('only callers who may manage it do', async () => {
      for (const [method, id, body] of [
        ['POST', '', values],
        ['PATCH', `/${UNKNOWN}`, changes],
        ['DELETE', `/${UNKNOWN}`],
      ] as const) {
        expect((await call(method, id, body, other)).status, method).toBe(403)
        expect((await service.call(method, `${path}${id}`, { body })).status, method).toBe(401)
      }
    })
  },
)
