/** The change feed: which events a reader gets, and from which position. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { EventStore } from '#kernel/events/store-port'
import type { Caller } from '#kernel/http/route'
import { createChangeFeed } from '#kernel/resource/change-feed'
import { feedReaders } from '#panel/access/feed-viewer'
import { sections } from '#panel/index'
import { userEvents } from '#panel/users/events'
import { SYSTEM } from '#test/support/serve'
import { overrideStore } from '../../support/override-store.ts'
import { apiKeyFixture } from '../../support/panel/api-key-fixture.ts'
import { feedFixture } from '../../support/panel/feed-fixture.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { kindsIn } from '../../support/sse-client.ts'
import type { ListenOptions, SseClient } from '../../support/sse-client.ts'

const panel = await startPanel({ compareReadModels: false })
const floor = projectFixture(panel)
const keys = apiKeyFixture(panel)
const { open, opened, marked, heardAll, sseToken } = feedFixture(panel)

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
    const short = await floor.project(owner)
    ok(await floor.post(owner, `/${short}/members`, { userId: viewer.id, role: 'VIEWER' }), 201)
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
    expect((await floor.remove(owner, `/${short}`)).status).toBe(204)
    for (const environmentId of [live, testing]) {
      const variables = [{ name: 'A', value: environmentId }]
      ok(await floor.put(owner, `/${project}/shared-env?environmentId=${environmentId}`, { variables }))
    }
    ok(await panel.call('PATCH', `/api/admin/users/${mate.id}/profile`, { as, body: { name: 'Mate' } }))
    // Rights count at delivery: the mate has passed what happened so far before it enters the project with its team.
    const ear = all.find(([name]) => name === 'mate')![2]
    await expect.poll(() => ear.heard.map(({ data }) => data.kind)).toContain('user.renamed')
    ok(await floor.post(owner, `/${project}/teams`, { teamId, role: 'VIEWER' }), 201)
    ok(await panel.call('POST', `/api/teams/${teamId}/members`, { as: owner.as, body: { userId: mate.id } }), 201)
    ok(await panel.call('PATCH', `/api/projects/${project}/quota`, { as, body: { members: 7 } }))
    ok(await panel.call('PATCH', `/api/admin/quotas/users/${mate.id}`, { as, body: { projects: 7 } }))
    ok(await panel.call('PATCH', '/api/admin/settings/platformName', { as, body: { value: 'Ours' } }))
    ok(await panel.call('POST', '/api/admin/roles', { as, body: { name: 'Some', permissions: [] } }), 201)
    await keys.minted(mate)
    await panel.login(mate.email)
    await panel.login(mate.email, 'a wrong passphrase 42')
    await panel.licensed({ 'projects.max': -1, 'users.max': -1 })

    /** For each reader, the kinds without those of the other readers' markers. */
    const told: Record<string, string[]> = {}
    for (const [name, who, own] of all) {
      const before = await panel.panel.store.head()
      await heardAll(own, who)
      told[name] = own.heard.filter(({ id }) => id <= before).flatMap(({ data }) => data.kind ?? [])
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
        'project.deleted',
        'setting.changed',
        'admin_role.created',
        'user.renamed',
        'api_key.minted',
      ],
      owner: [...inProject, 'project.team_added', 'project.exited', ...onTeam],
      viewer: [...inProject, 'project.exited'],
      restricted: inProject,
      // A VIEWER of the project through the team. The project itself has not changed since.
      mate: [...onTeam, 'team.entered', 'user.renamed', 'api_key.minted', 'user_session.started', 'user.login_failed'],
      outsider: [],
      usersView: [...onTeam, 'user.renamed', 'api_key.minted'],
      projectsView: [...inProject, 'project.deleted'],
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

const STREAM = '/api/events/stream'
const positionsIn = ({ heard }: SseClient): number[] => heard.map(({ id }) => id)

/** Appends events that no reader may see, as many as wanted. */
async function appendUnheard(number: number): Promise<void> {
  const userId = randomUUID()
  const data = { userId, reason: 'WRONG_CODE' }
  const metadata = { at: new Date().toISOString(), actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }
  for (let left = number; left > 0; left -= 1_000) {
    const events = Array.from({ length: Math.min(left, 1_000) }, () => ({
      id: randomUUID(),
      type: 'UserLoginFailed',
      schemaVersion: 1,
      data,
      metadata,
    }))
    await panel.panel.store.append({ parts: [{ stream: `userLogins-${userId}`, expected: 'any', events }] })
  }
  await panel.panel.projector.catchUp()
}

test('administrators are told what accounts are, and not how somebody signs in', async () => {
  const [admin, { id: userId }] = [await panel.somebody('ADMIN', ['users:view']), await panel.account('USER')]
  const ear = await opened(admin)
  await panel.run(async (unit) => {
    unit.appendEvent(userEvents, userId, userEvents.UserTotpUsed({ userId, step: 1, userSessionId: unit.newId() }))
    unit.appendEvent(userEvents, userId, userEvents.UserStatusChanged({ userId, status: 'SUSPENDED' }))
  })
  await heardAll(ear, admin)
  expect(kindsIn(ear)).toEqual(['user.status_changed', 'user.renamed'])
})

describe('from where on', () => {
  test('without a position with what comes next, and a break at once loses nothing', async () => {
    const who = await panel.somebody()
    await marked(who)
    const ear = await opened(who)
    ear.close()
    const missed = await marked(who)
    const again = await opened(who, { from: ear.lastId() })
    await again.until(() => again.heard.length > 0)
    expect(positionsIn(again)).toEqual([missed])
  })

  test('behind Last-Event-ID, or behind lastEventId where there is no header', async () => {
    const who = await panel.somebody()
    const marks = [await marked(who), await marked(who), await marked(who)] as const
    const cases: [ListenOptions, number[]][] = [
      [{ from: marks[0] }, [marks[1], marks[2]]],
      [{ query: `?lastEventId=${marks[1]}` }, [marks[2]]],
      [{ from: marks[1], query: `?lastEventId=${marks[0]}` }, [marks[2]]],
      [{ from: marks[0], query: `?lastEventId=${marks[1]}` }, [marks[1], marks[2]]],
    ]
    for (const [ask, positions] of cases) {
      const ear = await opened(who, ask)
      await ear.until(() => ear.lastId() >= marks[2])
      expect(positionsIn(ear)).toEqual(positions)
    }
  })

  test('0 is the very beginning', async () => {
    const who = await panel.somebody()
    const ear = await opened(who, { from: 0 })
    await heardAll(ear, who)
    expect(kindsIn(ear)).toEqual(['user.added', 'user_session.started', 'user.renamed'])
  })

  test('what is no position is refused, in the header as in the query', async () => {
    const { as } = await panel.somebody()
    const garbage = ['', ' ', '-1', '1.5', '1e3', '0x10', '01', '١', '12a', '9007199254740993', '9'.repeat(20), 'NaN']
    for (const from of garbage) {
      const inQuery = await open({ as, query: `?lastEventId=${encodeURIComponent(from)}` })
      expect(inQuery.status, from).toBe(400)
      // A header cannot hold such digits, and of two values the first is no position either.
      if (from === '١') continue
      for (const header of [from, `7, ${from}`]) expect((await open({ as, from: header })).status, header).toBe(400)
    }
    expect((await panel.call('GET', `${STREAM}?lastEventId=x`, { as })).body).toEqual({
      statusCode: 400,
      message: 'lastEventId: must be a position',
    })
  })

  test('whoever is more than 10,000 events behind is told so once, and goes on from the present', async () => {
    const who = await panel.somebody()
    const start = await marked(who)
    await appendUnheard(9_999)
    const last = await marked(who)
    if (panel.keepsEvents) expect(last - start).toBe(10_000)
    const near = await opened(who, { from: start })
    await near.until(() => near.lastId() >= last)
    expect(near.heard.map(({ name, id }) => [name, id])).toEqual([['message', last]])
    const head = await marked(who)
    const far = await opened(who, { from: start })
    await heardAll(far, who)
    expect(far.heard[0]).toEqual({ id: head, name: 'reset', data: { position: head } })
    expect(far.heard.slice(1).map(({ name, data }) => [name, data.kind])).toEqual([['message', 'user.renamed']])
  }, 120_000)

  test('so is whoever was told of another log, such as the one before a backup was put back', async () => {
    const who = await panel.somebody()
    const head = await marked(who)
    const ear = await opened(who, { from: head + 1_000_000 })
    await heardAll(ear, who)
    expect(ear.heard[0]).toMatchObject({ id: head, name: 'reset' })
    expect(kindsIn(ear)).toEqual(['user.renamed'])
  })

  test('whoever hears nothing for long is told how far that was', async () => {
    const [who, other] = [await panel.somebody(), await panel.somebody()]
    const ear = await opened(who)
    const position = await marked(other)
    const passed = () => {
      panel.passTime(15_000)
      return ear.lastId()
    }
    await expect.poll(passed).toBeGreaterThanOrEqual(position)
    expect(ear.heard).toEqual([])
  })
})

describe('who comes in', () => {
  test('with a token in the query, once and within a minute; the stream ends with the session', async () => {
    const who = await panel.somebody()
    const token = await sseToken(who)
    const ear = await open({ query: `?sseToken=${token}` })
    expect(ear.status).toBe(200)
    await heardAll(ear, who)
    expect(kindsIn(ear)).toEqual(['user.renamed'])
    const before = await panel.history()
    expect((await open({ query: `?sseToken=${token}` })).status).toBe(401)
    const late = await sseToken(who)
    panel.passTime(60_000)
    expect((await open({ query: `?sseToken=${late}` })).status).toBe(401)
    expect((await open({ as: token })).status).toBe(401)
    const types = (await panel.history()).slice(before.length).map(({ type }) => type)
    expect(types).toEqual(['SseTokenMade'])
    expect((await panel.call('POST', '/api/auth/logout', { as: who.as, body: {} })).status).toBe(204)
    expect(await ear.over).toBe('ended')
  })

  test('a session in the header; listening writes down nothing', async () => {
    const who = await panel.somebody()
    const before = (await panel.history()).length
    const ear = await opened(who)
    expect(ear.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    expect((await panel.history()).length).toBe(before)
  })

  test('no key, not even one with every scope', async () => {
    const { secret } = await keys.minted(await panel.somebody('SUPERADMIN'))
    expect((await open({ as: secret })).status).toBe(403)
    expect((await open({})).status).toBe(401)
  })

  test('ten times at most, and again once one of these is closed', async () => {
    const [who, other] = [await panel.somebody(), await panel.somebody()]
    const ten = await Promise.all(Array.from({ length: 10 }, () => opened(who)))
    const refused = await panel.call('GET', STREAM, { as: who.as })
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({
      statusCode: 429,
      message: 'You have 10 event streams open already: close one and try again',
    })
    expect([refused.headers.get('error-code'), refused.headers.get('retry-after')]).toEqual(['TOO_MANY_STREAMS', '5'])
    expect((await panel.call('HEAD', STREAM, { as: other.as })).status).toBe(200)
    for (let nth = 0; nth < 9; nth += 1) await opened(other)
    // The place of an ended stream is free a moment later.
    await expect.poll(async () => (await open({ as: other.as })).status).toBe(200)
    ten[3]!.close()
    await expect.poll(async () => (await open({ as: who.as })).status).toBe(200)
    expect((await open({ as: who.as })).status).toBe(429)
  })

  test('120 times in a minute, however often each is closed at once', async () => {
    const who = await panel.somebody()
    const opening = async (as: string) => {
      const { status } = await fetch(panel.url + STREAM, { method: 'HEAD', headers: { authorization: `Bearer ${as}` } })
      return status
    }
    const statuses: number[] = []
    // Two places a second become free again: a slow machine opens some more until one is refused.
    while (statuses.at(-1) !== 429 && statuses.length < 1_000) statuses.push(await opening(who.as))
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.length).toBeGreaterThan(120)
    expect(await opening((await panel.somebody()).as)).toBe(200)
    panel.passTime(60_000)
    expect(await opening(who.as)).toBe(200)
  })
})

const NOBODY: Caller = { kind: 'user', actor: SYSTEM.actor, can: () => false, forbiddenMessage: '' }
const newFeed = (more: { readonly store?: EventStore; readonly streamsMax?: number }) =>
  createChangeFeed({ ...panel.panel, sections, ...feedReaders(panel.panel.read, sections), ...more })

test('the counts of openings are swept, although each opening is a request of its own', async () => {
  const [who, opening] = [await panel.somebody(), async (as: string) => (await open({ as })).close()]
  const paidUntil = new Date(panel.panel.clock.now().getTime() - 2 * 60 * 60_000)
  await panel.superuser.query(`INSERT INTO telemetry.rate (key, paid_until) VALUES ('paid long ago', $1)`, [paidUntil])
  const real = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => real() + 600_000)
  try {
    await opening(who.as)
  } finally {
    later.mockRestore()
  }
  const left = async () =>
    (await panel.superuser.query(`SELECT FROM telemetry.rate WHERE key = 'paid long ago'`)).rowCount
  await expect.poll(left).toBe(0)
})

test('however far behind who comes back is, few events are read to let him in', async () => {
  const who = await panel.somebody()
  const start = await marked(who)
  await appendUnheard(10_001)
  const read: number[] = []
  const { store } = panel.panel
  const counting = overrideStore(store, {
    async readAll(after, limit) {
      const events = await store.readAll(after, limit)
      read.push(events.length)
      return events
    },
    async *readBatches(after, options) {
      for await (const events of store.readBatches(after, options)) {
        read.push(events.length)
        yield events
      }
    },
  })
  const feed = newFeed({ store: counting })
  for (let nth = 0; nth < 1_000; nth += 1) {
    const leaving = new AbortController()
    const frames = feed.open({
      accountId: who.id,
      sid: randomUUID(),
      caller: NOBODY,
      from: start,
      ended: leaving.signal,
    })
    const told = frames[Symbol.asyncIterator]()
    expect((await told.next()).value).toContain('event: reset')
    leaving.abort()
    await told.return?.()
  }
  expect(read).toEqual([])
}, 60_000)

test('a process holds so many streams and no more', () => {
  const feed = newFeed({ streamsMax: 2 })
  const somebodys = () => {
    const leaving = new AbortController()
    const [accountId, sid] = [randomUUID(), randomUUID()]
    feed.open({ accountId, sid, caller: NOBODY, from: undefined, ended: leaving.signal })
    return leaving
  }
  const [one] = [somebodys(), somebodys()]
  expect(somebodys).toThrow(expect.objectContaining({ statusCode: 503, code: 'BUSY' }))
  one.abort()
  somebodys()
  expect(somebodys).toThrow('Too many event streams are open: try again later')
})

test('the document says what is streamed and how one comes in', async () => {
  const { body } = await panel.call('GET', '/api/openapi.json')
  const { get } = body.paths[STREAM]
  expect(Object.keys(get.responses[200].content)).toEqual(['text/event-stream'])
  expect(get.parameters.map(({ name }: { name: string }) => name)).toEqual(['sseToken', 'lastEventId'])
  expect(body.components.securitySchemes.user).toMatchObject({ type: 'http', scheme: 'bearer' })
})
