/** The change feed while rights change: an event is sent only if the reader may see it at that moment. */
import { describe, expect, test } from 'vitest'
import type { EventStore } from '#kernel/events/store-port'
import { projectEvents } from '#panel/projects/events'
import { overrideStore } from '#test/support/override-store'
import { feedFixture } from '../../support/panel/feed-fixture.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'
import type { SseClient } from '../../support/sse-client.ts'

/** Only the feed reads so few events at once, so this number identifies its reads. */
const FEED_EVENTS = 200
let readUpTo = 0
let isDeaf = false

const watched = (store: EventStore): EventStore =>
  overrideStore(store, {
    async readAll(after, limit) {
      const events = await store.readAll(after, limit)
      if (limit === FEED_EVENTS) readUpTo = Math.max(readUpTo, events.at(-1)?.position ?? 0)
      return events
    },
    onAppended: (listener) => store.onAppended(() => (isDeaf ? undefined : listener())),
  })

const panel = await startPanel({ wrapStore: watched, compareReadModels: false })
const floor = projectFixture(panel)
const { opened, heardAll } = feedFixture(panel)
await panel.licensed()
const boss = await panel.somebody('SUPERADMIN')

/** The events about the project itself. Joining and leaving are events of the account. */
const aboutProject = ({ heard }: SseClient, id: string): string[] =>
  heard.flatMap(({ data: { kind, ids } }) =>
    ids?.['projectId'] === id && !/^project\.(entered|exited)$/.test(kind!) ? kind! : [],
  )

const rename = async (owner: TestUser, id: string) => ok(await floor.patch(owner, `/${id}`, { name: 'Another' }))
const gone = async (reply: ReturnType<typeof panel.call>) => expect((await reply).status).toBe(204)

describe('what was given and is taken again', () => {
  interface Way {
    /** Gives a right to a new account. @returns a function that takes it away */
    give(owner: TestUser, id: string, who: TestUser): Promise<() => Promise<unknown>>
    readonly isAdmin?: true
  }

  const team = async (owner: TestUser, id: string, who: TestUser) => {
    const teamId: string = ok(await panel.call('POST', '/api/teams', { as: owner.as, body: { name: 'Team' } }), 201).id
    const added = await panel.call('POST', `/api/teams/${teamId}/members`, { as: owner.as, body: { userId: who.id } })
    ok(added, 201)
    ok(await floor.post(owner, `/${id}/teams`, { teamId, role: 'VIEWER' }), 201)
    return teamId
  }
  const added = async (owner: TestUser, id: string, { id: userId }: TestUser): Promise<string> =>
    ok(await floor.post(owner, `/${id}/members`, { userId, role: 'VIEWER' }), 201).id

  const ways: Record<string, Way> = {
    'a membership, by whoever manages members': {
      async give(owner, id, who) {
        const memberId = await added(owner, id, who)
        return () => gone(floor.remove(owner, `/${id}/members/${memberId}`))
      },
    },
    'a membership, by himself': {
      async give(owner, id, who) {
        await added(owner, id, who)
        return () => gone(floor.remove(who, `/${id}/members/me`))
      },
    },
    'a team that is taken off the project': {
      async give(owner, id, who) {
        const teamId = await team(owner, id, who)
        return () => gone(floor.remove(owner, `/${id}/teams/${teamId}`))
      },
    },
    'a team that he is taken out of': {
      async give(owner, id, who) {
        const teamId = await team(owner, id, who)
        return () => gone(panel.call('DELETE', `/api/teams/${teamId}/members/${who.id}`, { as: owner.as }))
      },
    },
    'a team that is deleted': {
      async give(owner, id, who) {
        const teamId = await team(owner, id, who)
        return () => gone(panel.call('DELETE', `/api/teams/${teamId}`, { as: owner.as }))
      },
    },
    'a permission of the platform': {
      isAdmin: true,
      async give(_owner, _id, who) {
        const granting = async (permissions: string[]) => {
          const path = `/api/admin/users/${who.id}/admin-permissions`
          ok(await panel.call('PATCH', path, { as: boss.as, body: { permissions } }))
        }
        await granting(['projects:view'])
        return () => granting([])
      },
    },
  }

  test.each(Object.entries(ways))('%s', async (_name, { give, isAdmin }) => {
    const [owner, who] = [await panel.somebody(), await panel.somebody(isAdmin ? 'ADMIN' : 'USER')]
    const id = await floor.project(owner)
    const ear = await opened(who)
    await rename(owner, id)
    await heardAll(ear, who)
    expect(aboutProject(ear, id)).toEqual([])
    const take = await give(owner, id, who)
    await rename(owner, id)
    await heardAll(ear, who)
    expect(aboutProject(ear, id)).toContain('project.changed')
    const before = aboutProject(ear, id)
    await take()
    await rename(owner, id)
    await heardAll(ear, who)
    expect(aboutProject(ear, id)).toEqual(before)
    await give(owner, id, who)
    await rename(owner, id)
    await heardAll(ear, who)
    expect(aboutProject(ear, id).slice(before.length)).toContain('project.changed')
  })

  test('a whole project, but for one environment', async () => {
    const owner = await panel.somebody()
    const id = await floor.project(owner)
    const [one, other] = [await floor.environment(owner, id, 'one'), await floor.environment(owner, id, 'other')]
    const member = await floor.member(owner, id, { role: 'DEVELOPER' })
    const ear = await opened(member)
    const renameBoth = async (name: string) => {
      for (const each of [one, other])
        ok(await floor.patch(owner, `/${id}/environments/${each}`, { name: `${name}-${each.slice(-4)}` }))
      await heardAll(ear, member)
    }
    await renameBoth('a')
    ok(await floor.patch(owner, `/${id}/members/${member.memberId}`, { role: 'DEVELOPER', environmentIds: [one] }))
    await renameBoth('b')
    expect(ear.heard.flatMap(({ data }) => data.ids?.['environmentId'] ?? [])).toEqual([one, other, one])
  })
})

/** The read models show nothing that is appended during the work. */
async function whileReadModelsStand(work: () => Promise<unknown>): Promise<void> {
  await panel.panel.projector.catchUp()
  const client = await panel.superuser.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT FROM read.projection FOR UPDATE')
    await work()
  } finally {
    await client.query('COMMIT')
    client.release()
  }
}

test('a membership takes along what was appended before its end and was not told yet', async () => {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const { memberId, ...member } = await floor.member(owner, projectId)
  const [his, owners] = [await opened(member), await opened(owner)]
  const change = projectEvents.ProjectChanged({ projectId, name: 'Another', description: null })
  await whileReadModelsStand(async () => {
    await panel.run(async (unit) => {
      unit.appendEvent(projectEvents, projectId, change)
      unit.appendEvent(
        projectEvents,
        projectId,
        projectEvents.ProjectMemberRemoved({ projectId, memberId, userId: member.id }),
      )
    })
    const held = await panel.panel.store.head()
    await panel.run(async (unit) => unit.appendEvent(projectEvents, projectId, change))
    await expect.poll(() => readUpTo).toBeGreaterThanOrEqual(held)
    // Long enough for a feed that does not wait to read outdated rights.
    for (let nth = 0; nth < 20; nth += 1) ok(await panel.call('GET', '/api/auth/me', { as: owner.as }))
  })
  await heardAll(his, member)
  await heardAll(owners, owner)
  expect(aboutProject(his, projectId)).toEqual([])
  expect(aboutProject(owners, projectId)).toEqual(['project.changed', 'project.member_removed', 'project.changed'])
})

describe('a stream is over with its session', () => {
  const patch = async ({ id }: TestUser, what: string, body: object) =>
    ok(await panel.call('PATCH', `/api/admin/users/${id}/${what}`, { as: boss.as, body }))

  const ways: Record<string, (who: TestUser) => Promise<unknown>> = {
    'when he signs out': ({ as }) => gone(panel.call('POST', '/api/auth/logout', { as, body: {} })),
    'when he ends all others': async ({ email }) =>
      gone(panel.call('DELETE', '/api/auth/sessions', { as: await panel.signIn(email) })),
    'when he is suspended': (who) => patch(who, 'status', { status: 'SUSPENDED' }),
    'when he is banned': (who) => patch(who, 'status', { status: 'BANNED' }),
    'when his role changes': (who) => patch(who, 'role', { role: 'ADMIN' }),
    'when he is erased': ({ id }) => gone(panel.call('DELETE', `/api/admin/users/${id}`, { as: boss.as })),
  }

  test.each(Object.entries(ways))('%s', async (_name, end) => {
    const [who, other] = [await panel.somebody(), await panel.somebody()]
    const [his, others] = [await opened(who), await opened(other)]
    await end(who)
    expect(await his.over).toBe('ended')
    await heardAll(others, other)
    // No event that was appended after the end.
    expect(his.heard.flatMap(({ data }) => data.kind ?? [])).not.toContain('user_session.ended')
  })
})

test('calls to wake up that are lost lose nothing: neither what is told nor what is not any more', async () => {
  const owner = await panel.somebody()
  const id = await floor.project(owner)
  const member = await floor.member(owner, id)
  const ear = await opened(member)
  isDeaf = true
  try {
    await rename(owner, id)
    await heardAll(ear, member)
    expect(aboutProject(ear, id)).toEqual(['project.changed'])
    await gone(floor.remove(owner, `/${id}/members/${member.memberId}`))
    await rename(owner, id)
    await heardAll(ear, member)
    expect(aboutProject(ear, id)).toEqual(['project.changed'])
    await gone(panel.call('POST', '/api/auth/logout', { as: member.as, body: {} }))
    expect(await ear.over).toBe('ended')
  } finally {
    isDeaf = false
  }
})

test('it is over when the time of the session is, of which there is no event', async () => {
  const ear = await opened(await panel.somebody())
  const before = (await panel.history()).length
  panel.passTime(8 * 24 * 60 * 60_000)
  expect(await ear.over).toBe('ended')
  expect((await panel.history()).length).toBe(before)
})
