/** Concurrent requests about projects. */
import { expect, test } from 'vitest'
import { projects } from '#panel/projects/decider'
import { leaveProjects } from '#panel/workflows/project-memberships'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
const { get, post, remove, project, member } = projectFixture(panel)
const AT_ONCE = 100

const many = <Result>(number: number, work: (nth: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: number }, (_, nth) => work(nth)))
const statuses = (replies: readonly { readonly status: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('a hundred projects at once end exactly at what the license allows, and one that goes makes room', async () => {
  const people = [await panel.somebody(), await panel.somebody(), await panel.somebody('SUPERADMIN')]
  const ask = (nth: number) => post(people[nth % people.length]!, '', { name: `Project ${nth}` })
  const free = await many(AT_ONCE, ask)
  expect(statuses(free)).toEqual({ 201: 3, 402: AT_ONCE - 3 })
  const refusal = free.find(({ status }) => status === 402)!
  expect([refusal.body.message, refusal.headers.get('error-code')]).toEqual([
    'The plan free allows 3 projects: upgrade it or delete a project',
    'LIMIT_REACHED',
  ])
  await panel.licensed({ 'projects.max': 10 })
  expect(statuses(await many(AT_ONCE, ask))).toEqual({ 201: 7, 402: AT_ONCE - 7 })
  const [mine] = ok(await get(people[0]!, ''))
  expect((await remove(people[0]!, `/${mine.id}`)).status).toBe(204)
  expect(statuses(await many(5, ask))).toEqual({ 201: 1, 402: 4 })
  await panel.licensed()
})

test('somebody who is added twenty times at once is a member once', async () => {
  await panel.licensed()
  const [owner, { id: userId, email }] = [await panel.somebody(), await panel.account('USER')]
  const id = await project(owner)
  const replies = await many(20, (nth) => post(owner, `/${id}/members`, nth % 2 === 0 ? { userId } : { email }))
  expect(statuses(replies)).toEqual({ 201: 1, 409: 19 })
})

test('of many claims of one project one is heard', async () => {
  await panel.licensed()
  const owner = await panel.somebody()
  const id = await project(owner)
  await panel.run((unit) => leaveProjects(unit, owner.id))
  const roots = await many(4, () => panel.somebody('SUPERADMIN'))
  expect(statuses(await many(8, (nth) => post(roots[nth % 4]!, `/${id}/claim-ownership`)))).toEqual({ 200: 1, 409: 7 })
})

test('an owner who hands over to several at once has one successor', async () => {
  await panel.licensed()
  const owner = await panel.somebody()
  const id = await project(owner)
  const members = [await member(owner, id), await member(owner, id), await member(owner, id)]
  const hand = ({ memberId }: { memberId: string }) => post(owner, `/${id}/transfer-ownership`, { memberId })
  const replies = await Promise.all(members.map(hand))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  const { members: all } = (await panel.run((unit) => unit.look(projects, id)))!
  expect(Object.values(all).filter(({ role }) => role === 'OWNER')).toHaveLength(1)
})
