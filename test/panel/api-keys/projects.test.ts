/** A key may do what its owner may do now, within its scopes and its projects. A MACHINE key has no owner. */
import { expect, test } from 'vitest'
import { apiKeyFixture, MANAGE, stableReply, UNKNOWN_ID, VIEW } from '../../support/panel/api-key-fixture.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const floor = projectFixture(panel)
const { minted } = apiKeyFixture(panel)

const keyOf = async (...mint: Parameters<typeof minted>) => ({ as: (await minted(...mint)).secret })
const idsOf = (reply: { body: { id: string }[] }) => reply.body.map(({ id }) => id)

test('a key lists what its owner is a member of, and of that what it is restricted to', async () => {
  const [owner, stranger] = [await panel.somebody(), await panel.somebody()]
  const [one, two] = [await floor.project(owner, 'one'), await floor.project(owner, 'two')]
  const foreign = await floor.project(stranger, 'foreign')
  const [free, bound] = [await keyOf(owner), await keyOf(owner, { projectIds: [one] })]
  expect(idsOf(await floor.get(free, ''))).toEqual([two, one])
  expect(idsOf(await floor.get(bound, ''))).toEqual([one])
  for (const [key, id] of [
    [free, foreign],
    [bound, two],
  ] as const)
    expect(stableReply(await floor.get(key, `/${id}`))).toEqual(stableReply(await floor.get(key, `/${UNKNOWN_ID}`)))
})

test('what is taken from the owner is taken from his keys, and what he is given they have', async () => {
  const [owner, user] = [await panel.somebody(), await panel.somebody()]
  const id = await floor.project(owner)
  const key = await keyOf(user)
  expect((await floor.get(key, `/${id}`)).status).toBe(404)
  const { id: memberId } = ok(await floor.post(owner, `/${id}/members`, { userId: user.id, role: 'VIEWER' }), 201)
  ok(await floor.get(key, `/${id}`))
  expect(refusalIn(await floor.patch(key, `/${id}`, { name: 'x' }))).toEqual([403, 'PERMISSION_MISSING'])
  ok(await floor.patch(owner, `/${id}/members/${memberId}`, { role: 'ADMIN' }))
  ok(await floor.patch(key, `/${id}`, { name: 'x' }))
  expect((await floor.remove(owner, `/${id}/members/${memberId}`)).status).toBe(204)
  expect((await floor.get(key, `/${id}`)).status).toBe(404)
})

test('scopes are no permissions: a USER’s key sees no project of others, an ADMIN’s as many as he', async () => {
  const [owner, user, admin] = [
    await panel.somebody(),
    await panel.somebody(),
    await panel.somebody('ADMIN', ['projects:view']),
  ]
  const id = await floor.project(owner)
  const [users, admins] = [await keyOf(user), await keyOf(admin)]
  expect(refusalIn(await floor.get(users, '?scope=all'))).toEqual([403, 'PERMISSION_MISSING'])
  expect((await floor.get(users, `/${id}`)).status).toBe(404)
  expect(idsOf(await floor.get(admins, '?scope=all'))).toContain(id)
  ok(await floor.get(admins, `/${id}`))
  expect(refusalIn(await floor.patch(admins, `/${id}`, { name: 'x' }))).toEqual([403, 'PERMISSION_MISSING'])
})

test('with a key a project is made for its owner, in the key’s name; not with one that is restricted', async () => {
  const owner = await panel.somebody()
  const { id: keyId, secret } = await minted(owner, { scopes: [MANAGE] })
  const { id, ownerId } = ok(await floor.post({ as: secret }, '', { name: 'By CI' }), 201)
  expect(ownerId).toBe(owner.id)
  expect(idsOf(await floor.get(owner, ''))).toEqual([id])
  const { rows } = await panel.superuser.query(
    `SELECT DISTINCT actor_type, actor_id FROM read.audit_trail WHERE $1 = ANY (ids)`,
    [id],
  )
  expect(rows).toEqual([{ actor_type: 'API_KEY', actor_id: keyId }])
  const bound = await keyOf(owner, { projectIds: [id] })
  expect(refusalIn(await floor.post(bound, '', { name: 'Another' }))).toEqual([403, 'KEY_RESTRICTED'])
})

test('a MACHINE key is in every project, as far as its scopes and projects go, whatever becomes of its minter', async () => {
  const [root, owner] = [await panel.somebody('SUPERADMIN'), await panel.somebody()]
  const [one, two] = [await floor.project(owner, 'one'), await floor.project(owner, 'two')]
  const [all, viewing, bound] = [
    await keyOf(root, { kind: 'MACHINE' }),
    await keyOf(root, { kind: 'MACHINE', scopes: [VIEW] }),
    await keyOf(root, { kind: 'MACHINE', projectIds: [one] }),
  ]
  const second = await panel.somebody('SUPERADMIN')
  ok(await panel.call('PATCH', `/api/users/${root.id}`, { as: second.as, body: { status: 'BANNED' } }))
  ok(await floor.patch(all, `/${two}`, { name: 'by a machine' }))
  expect(idsOf(await floor.get(viewing, ''))).toEqual(expect.arrayContaining([one, two]))
  expect(refusalIn(await floor.patch(viewing, `/${one}`, { name: 'x' }))).toEqual([403, 'SCOPE_MISSING'])
  expect(idsOf(await floor.get(bound, ''))).toEqual([one])
  expect((await floor.get(bound, `/${two}`)).status).toBe(404)
})

test('a project that a MACHINE key makes is nobody’s until it is claimed', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const key = await keyOf(root, { kind: 'MACHINE' })
  const { id, ownerId } = ok(await floor.post(key, '', { name: 'Born of a machine' }), 201)
  expect(ownerId).toBeNull()
  expect(ok(await floor.post(root, `/${id}/claim-ownership`)).ownerId).toBe(root.id)
  ok(await floor.get(key, `/${id}`))
})
