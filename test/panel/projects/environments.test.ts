/** Environments and shared variables, over HTTP. */
import { expect, test, vi } from 'vitest'
import { ERASED } from '#kernel/vault/vault'
import { MASK } from '#panel/projects/environments/decider'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { get, post, patch, put, remove, project, member, role, environment } = projectFixture(panel)
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

const variables = (values: Record<string, string>) => ({
  variables: Object.entries(values).map(([name, value]) => ({ name, value })),
})
const valuesOf = (rows: { name: string; value: string }[]) =>
  Object.fromEntries(rows.map(({ name, value }) => [name, value]))

test('environments are added, listed, renamed and deleted; a name is there once', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const production = await environment(owner, id, 'production')
  expect(refusalIn(await post(owner, `/${id}/environments`, { name: 'production' }))).toEqual([409, 'NAME_TAKEN'])
  for (const name of ['Production', '-a', 'a-', '', 'ä'])
    expect((await post(owner, `/${id}/environments`, { name })).status, name).toBe(400)
  expect(ok(await patch(owner, `/${id}/environments/${production}`, { name: 'live' })).name).toBe('live')
  expect(ok(await get(owner, `/${id}/environments`))).toMatchObject([{ id: production, name: 'live' }])
  expect((await remove(owner, `/${id}/environments/${production}`)).status).toBe(204)
  expect(ok(await get(owner, `/${id}/environments`))).toEqual([])
  expect((await patch(owner, `/${id}/environments/${production}`, { name: 'x' })).status).toBe(404)
})

test('what variables that are written again and again leave behind is not folded anew, and goes with the project', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const names = Array.from({ length: 250 }, (_each, nth) => `V${nth}`)
  const written = (value: string) => variables(Object.fromEntries(names.map((name) => [name, value])))
  for (const value of ['canary one', 'canary two', 'canary three'])
    ok(await put(owner, `/${id}/shared-env`, written(value)))
  const kept = async () => {
    const { rows } = await panel.superuser.query<{ revision: number; state: string }>(
      'SELECT revision::int, state FROM read.snapshot WHERE stream = $1',
      [`projectEnvironments-${id}`],
    )
    return rows
  }
  await vi.waitFor(async () => expect((await kept())[0]?.revision).toBeGreaterThanOrEqual(500), 30_000)
  expect(new Set(Object.values(valuesOf(ok(await get(owner, `/${id}/shared-env`)))))).toEqual(new Set(['canary three']))
  expect((await remove(owner, `/${id}`)).status).toBe(204)
  await panel.settle()
  const { vault } = panel.panel
  for (const { state } of await kept())
    expect(await vault.open(state, { subject: `project/${id}`, field: 'any' })).toBe(ERASED)
})

test('environments are for whoever manages them', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const live = await environment(owner, id, 'live')
  const developer = await member(owner, id, { role: 'DEVELOPER' })
  const asked = [
    post(developer, `/${id}/environments`, { name: 'mine' }),
    patch(developer, `/${id}/environments/${live}`, { name: 'mine' }),
    remove(developer, `/${id}/environments/${live}`),
  ]
  for (const reply of await Promise.all(asked)) expect(refusalIn(reply)).toEqual([403, 'PERMISSION_MISSING'])
  const manager = await member(owner, id, { roleId: await role(owner, id, ['environments:manage']) })
  await environment(manager, id, 'mine')
})

test('shared variables are set whole, for all environments or for one, and keep their ids', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const live = await environment(owner, id, 'live')
  const path = `/${id}/shared-env`
  const first = ok(await put(owner, path, variables({ A: '1', B: '2' })))
  const second = ok(await put(owner, path, variables({ B: '3', C: '' })))
  expect(valuesOf(second)).toEqual({ B: '3', C: '' })
  const named = (rows: any[], name: string) => rows.find((row) => row.name === name)
  expect(named(second, 'B').id).toBe(named(first, 'B').id)
  ok(await put(owner, `${path}?environmentId=${live}`, variables({ A: 'of live' })))
  expect(valuesOf(ok(await get(owner, path)))).toEqual({ B: '3', C: '' })
  expect(ok(await get(owner, `${path}?environmentId=${live}`))).toMatchObject([
    { name: 'A', value: 'of live', environmentId: live, masked: false },
  ])
  expect((await remove(owner, `${path}/${named(second, 'C').id}`)).status).toBe(204)
  expect(valuesOf(ok(await get(owner, path)))).toEqual({ B: '3' })
  expect((await remove(owner, `${path}/${UNKNOWN_ID}`)).status).toBe(404)
})

test('an environment that has shared variables is not empty', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const live = await environment(owner, id, 'live')
  const [{ id: rowId }] = ok(await put(owner, `/${id}/shared-env?environmentId=${live}`, variables({ A: '1' })))
  expect(refusalIn(await remove(owner, `/${id}/environments/${live}`))).toEqual([409, 'ENVIRONMENT_NOT_EMPTY'])
  expect((await remove(owner, `/${id}/shared-env/${rowId}`)).status).toBe(204)
  expect((await remove(owner, `/${id}/environments/${live}`)).status).toBe(204)
})

test('values are masked for whoever lacks apps:env there, and a mask sent back changes nothing', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const path = `/${id}/shared-env`
  ok(await put(owner, path, variables({ A: 'a secret' })))
  const viewer = await member(owner, id)
  const seen = ok(await get(viewer, path))
  expect(seen).toMatchObject([{ name: 'A', value: MASK, masked: true }])
  expect(refusalIn(await put(viewer, path, variables({})))).toEqual([403, 'PERMISSION_MISSING'])
  expect(refusalIn(await remove(viewer, `${path}/${seen[0].id}`))).toEqual([403, 'PERMISSION_MISSING'])
  expect(valuesOf(ok(await put(owner, path, variables({ A: MASK, B: '2' }))))).toEqual({ A: 'a secret', B: '2' })
  expect(refusalIn(await put(owner, path, variables({ A: MASK, C: MASK })))).toEqual([400, 'MASKED'])
})

test('whoever may read the values of one environment reads no others', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const [live, staging] = [await environment(owner, id, 'live'), await environment(owner, id, 'staging')]
  const path = `/${id}/shared-env`
  const [ofAll] = ok(await put(owner, path, variables({ A: 'of all' })))
  const [ofLive] = ok(await put(owner, `${path}?environmentId=${live}`, variables({ A: 'of live' })))
  const developer = await member(owner, id, { role: 'DEVELOPER', environmentIds: [staging] })
  ok(await put(developer, `${path}?environmentId=${staging}`, variables({ B: 'mine' })))
  expect(valuesOf(ok(await get(developer, path)))).toEqual({ A: MASK })
  expect((await get(developer, `${path}?environmentId=${live}`)).status).toBe(404)
  expect((await put(developer, `${path}?environmentId=${live}`, variables({}))).status).toBe(404)
  expect((await remove(developer, `${path}/${ofLive.id}`)).status).toBe(404)
  expect(refusalIn(await remove(developer, `${path}/${ofAll.id}`))).toEqual([403, 'PERMISSION_MISSING'])
  expect(refusalIn(await put(developer, path, variables({})))).toEqual([403, 'PERMISSION_MISSING'])
})

test('names of variables are names, each once, and their values are never stored in clear', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const path = `/${id}/shared-env`
  for (const name of ['', '1A', 'A-B', 'A B'])
    expect((await put(owner, path, { variables: [{ name, value: '' }] })).status, name).toBe(400)
  const twice = [1, 2].map((value) => ({ name: 'A', value: String(value) }))
  expect(refusalIn(await put(owner, path, { variables: twice }))).toEqual([400, 'NAME_TWICE'])
  ok(await put(owner, path, variables({ A: 'canary value 8' })))
  expect(await panel.dump()).not.toContain('canary value 8')
  expect(panel.logs()).not.toContain('canary value 8')
})
