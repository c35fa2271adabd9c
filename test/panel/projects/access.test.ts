/**
 * The rights of a key in projects: those that its owner has now, in the key's projects. A MACHINE key has
 * those of its scopes.
 */
import { describe, expect, test } from 'vitest'
import { callerOfKey } from '#panel/access/key-caller'
import { rightsIn } from '#panel/access/project-access'
import { isProjectAdmin, isProjectOwner } from '#panel/access/rights'
import { UNKNOWN_ID } from '../../support/panel/api-key-fixture.ts'
import { projectFixture } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel({ compareReadModels: false })
await panel.licensed()
const floor = projectFixture(panel)

describe('a key', () => {
  const key = (ownerId: string | null, projectIds: string[] | null = null, permissions: string[] = []) =>
    callerOfKey({ id: UNKNOWN_ID, ownerId, projectIds, scopes: [], role: 'ADMIN', permissions, rolePermissions: null })
  const rights = (caller: ReturnType<typeof key>, id: string) => rightsIn(panel.panel.read, caller, id)

  test('may what its owner may now, in the projects that it knows', async () => {
    const owner = await panel.somebody()
    const [id, other] = [await floor.project(owner), await floor.project(owner)]
    expect(isProjectOwner(await rights(key(owner.id), id))).toBe(true)
    expect(isProjectOwner(await rights(key(owner.id, [id]), id))).toBe(true)
    expect(await rights(key(owner.id, [id]), other)).toEqual([])
    expect(await rights(key((await panel.somebody()).id), id)).toEqual([])
    expect(await rights(key(owner.id), UNKNOWN_ID)).toEqual([])
  })

  test('of whoever manages projects reaches all of them, as an ADMIN', async () => {
    const [id, { id: admin }] = [await floor.project(await panel.somebody()), await panel.account('ADMIN')]
    const held = await rights(key(admin, null, ['projects:manage']), id)
    expect([isProjectAdmin(held), isProjectOwner(held)]).toEqual([true, false])
    expect(await rights(key(admin, null, ['users:view']), id)).toEqual([])
  })

  test('of nobody reaches every project that there is, and owns none', async () => {
    const [id, other] = [await floor.project(await panel.somebody()), await floor.project(await panel.somebody())]
    const held = await rights(key(null), id)
    expect([isProjectAdmin(held), isProjectOwner(held)]).toEqual([true, false])
    expect(await rights(key(null, [other]), id)).toEqual([])
    expect(await rights(key(null), UNKNOWN_ID)).toEqual([])
  })
})
