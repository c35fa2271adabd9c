/** The change feed: who hears of what, and from where on. */
import { describe, expect, test } from 'vitest'
import { audiences } from '#panel/audiences'
import { sections } from '#panel/index'
import { feedFloor } from './feed-floor.ts'
import { keyRing } from './key-ring.ts'
import { ok, projectFloor } from './project-floor.ts'
import { startPanel } from './service.ts'

const panel = await startPanel()
const floor = projectFloor(panel)
const keys = keyRing(panel)
const { opened, heardAll } = feedFloor(panel)

describe('what is told', () => {
  test('is the position, the kind and the ids, and never a value', async () => {
    await panel.licensed()
    const owner = await panel.somebody()
    const ear = await opened(owner)
    const id = await floor.project(owner, 'canary project')
    const environmentId = await floor.environment(owner, id, 'canary-environment')
    const variables = [{ name: 'CANARY_NAME', value: 'canary value' }]
    ok(await floor.put(owner, `/${id}/shared-env`, { variables }))
    ok(await panel.call('PATCH', '/api/auth/profile', { as: owner.as, body: { name: 'Canary Person' } }))
    ok(await floor.post(owner, `/${id}/members`, { email: 'canary@invited.test' }), 201)
    await keys.minted(owner, { name: 'canary key' })
    await heardAll(ear, owner)
    expect(ear.text()).not.toMatch(/canary|@/i)
    const added = ear.heard.find(({ data }) => data.kind === 'project.environment_added')!
    expect(added).toEqual({
      id: added.data.position,
      name: 'message',
      data: { position: added.id, kind: 'project.environment_added', ids: { projectId: id, environmentId } },
    })
    for (const { data } of ear.heard) expect(Object.keys(data)).toEqual(['position', 'kind', 'ids'])
    const events = await panel.history()
    for (const { id: at, data } of ear.heard) {
      const { data: whole } = events.find(({ position }) => position === at)!
      expect(whole).toMatchObject(data.ids!)
    }
  })

  test('every stream of the panel says who hears of it', () => {
    const streams = sections.flatMap((section) => section.streams.map(({ name }) => name))
    expect([...audiences.keys()].map(({ name }) => name).toSorted()).toEqual(streams.toSorted())
  })

  test('is what whoever listens could read himself', async () => {
    await panel.licensed()
    const boss = await panel.somebody('SUPERADMIN')
    const owner = await panel.somebody()
    const project = await floor.project(owner)
    const [live, testing] = [
      await floor.environment(owner, project, 'live'),
      await floor.environment(owner, project, 'test'),
    ]
    const viewer = await floor.member(owner, project)
    const restricted = await floor.member(owner, project, { role: 'DEVELOPER', environmentIds: [live] })
    const teamId = ok(await panel.call('POST', '/api/teams', { as: owner.as, body: { name: 'Team' } }), 201).id
    const mate = await panel.somebody()
    const people = {
      boss,
      owner,
      viewer,
      restricted,
      mate,
      outsider: await panel.somebody(),
      usersView: await panel.somebody('ADMIN', ['users:view']),
      projectsView: await panel.somebody('ADMIN', ['projects:view']),
      settingsView: await panel.somebody('ADMIN', ['settings:view']),
      quotasView: await panel.somebody('ADMIN', ['quotas:view']),
      licenseView: await panel.somebody('ADMIN', ['license:view']),
      auditView: await panel.somebody('ADMIN', ['audit:view']),
    }
    const listening = Object.entries(people).map(async ([name, who]) => [name, who, await opened(who)] as const)
    const all = await Promise.all(listening)
    const as = boss.as

    ok(await floor.patch(owner, `/${project}`, { name: 'Other' }))
    for (const environmentId of [live, testing]) {
      const variables = [{ name: 'A', value: environmentId }]
      ok(await floor.put(owner, `/${project}/shared-env?environmentId=${environmentId}`, { variables }))
    }
    ok(await floor.post(owner, `/${project}/teams`, { teamId, role: 'VIEWER' }), 201)
    ok(await panel.call('POST', `/api/teams/${teamId}/members`, { as: owner.as, body: { userId: mate.id } }), 201)
    ok(await panel.call('PATCH', `/api/projects/${project}/quota`, { as, body: { members: 7 } }))
    ok(await panel.call('PATCH', `/api/admin/quotas/users/${mate.id}`, { as, body: { projects: 7 } }))
    ok(await panel.call('PATCH', '/api/admin/settings/platformName', { as, body: { value: 'Ours' } }))
    ok(await panel.call('POST', '/api/admin/roles', { as, body: { name: 'Some', permissions: [] } }), 201)
    ok(await panel.call('PATCH', `/api/admin/users/${mate.id}/profile`, { as, body: { name: 'Mate' } }))
    await keys.minted(mate)
    await panel.login(mate.email)
    await panel.login(mate.email, 'a wrong passphrase 42')
    await panel.licensed({ 'projects.max': -1, 'users.max': -1 })

    /** Of each, what the others' marks did not add. */
    const told: Record<string, string[]> = {}
    for (const [name, who, ear] of all) {
      const before = await panel.panel.store.head()
      await heardAll(ear, who)
      told[name] = ear.heard.filter(({ id }) => id <= before).flatMap(({ data }) => data.kind ?? [])
      told[name] = told[name].filter((kind, nth, kinds) => kinds.indexOf(kind) === nth).toSorted()
    }

    const inProject = ['project.changed', 'project.variable_set', 'project.shared_env_written']
    const onTeam = ['team.member_added']
    const ofLicense = ['license.key_set', 'license.state_changed']
    const ofQuotas = ['project.quota_changed', 'user.quota_changed']
    const expected: Record<string, string[]> = {
      boss: [
        ...inProject,
        ...onTeam,
        ...ofLicense,
        ...ofQuotas,
        'project.team_added',
        'setting.changed',
        'admin_role.created',
        'user.renamed',
        'api_key.minted',
      ],
      owner: [...inProject, 'project.team_added', ...onTeam],
      viewer: inProject,
      restricted: inProject,
      // By the team he is a VIEWER of the project, which nothing was done to since.
      mate: [...onTeam, 'team.entered', 'user.renamed', 'api_key.minted', 'user_session.started', 'user.login_failed'],
      outsider: [],
      usersView: [...onTeam, 'user.renamed', 'api_key.minted'],
      projectsView: inProject,
      settingsView: ['setting.changed'],
      quotasView: ofQuotas,
      licenseView: ofLicense,
      auditView: [],
    }
    expect(told).toEqual(Object.fromEntries(Object.entries(expected).map(([name, kinds]) => [name, kinds.toSorted()])))
    const environmentsOf = (name: string) =>
      all.find(([known]) => known === name)![2].heard.flatMap(({ data }) => data.ids?.['environmentId'] ?? [])
    expect(new Set(environmentsOf('viewer'))).toEqual(new Set([live, testing]))
    expect(new Set(environmentsOf('restricted'))).toEqual(new Set([live]))
  })
})
