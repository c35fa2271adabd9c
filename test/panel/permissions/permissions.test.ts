/** The permissions that can be granted, and those that an account holds. */
import { expect, test } from 'vitest'
import { PLATFORM_PERMISSIONS } from '#panel/access/permissions'
import { routes } from '../../../src/composition/panel.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
const mine = async (as: string) => (await panel.call('GET', '/api/admin/permissions/me', { as })).body

test('a SUPERADMIN holds all permissions, an ADMIN those that he was granted, a USER none', async () => {
  expect(await mine((await panel.somebody('SUPERADMIN')).as)).toEqual({
    role: 'SUPERADMIN',
    permissions: [...PLATFORM_PERMISSIONS],
  })
  const { as } = await panel.somebody('ADMIN', ['users:manage', 'audit:view'])
  expect(await mine(as)).toEqual({ role: 'ADMIN', permissions: ['users:manage', 'audit:view'] })
  expect(await mine((await panel.somebody('USER')).as)).toEqual({ role: 'USER', permissions: [] })
})

test('the catalog holds what the registered routes ask for, and presets of nothing else', async () => {
  const { as } = await panel.somebody('ADMIN')
  const { body } = await panel.call('GET', '/api/admin/permissions/catalog', { as })
  const asked = new Set(routes.flatMap(({ access }) => access.permission ?? []))
  expect(body.permissions.toSorted()).toEqual([...asked].toSorted())
  expect(body.permissions).toContain('users:manage')
  expect(body.permissions).not.toContain('swarm:view')
  for (const { name, permissions } of body.presets) {
    expect(permissions.length, name).toBeGreaterThan(0)
    expect(permissions.filter((each: string) => !asked.has(each))).toEqual([])
  }
})
