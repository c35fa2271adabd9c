/** The change feed of staff: which events a reader gets, from which position, and when its stream ends. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { EventType, Stream } from '#kernel/events/event'
import type { EventToAppend } from '#kernel/events/store-port'
import { Rejection } from '#kernel/lib/rejection'
import { createChangeFeed } from '#kernel/resource/change-feed'
import { feedReaders } from '#licensing/access/audiences'
import type { Role } from '#licensing/access/permissions'
import { callerOfSession, findLiveSession } from '#licensing/access/staff-caller'
import { sections } from '#licensing/index'
import { settingEvents, SettingChanged } from '#licensing/settings/events'
import { StaffRemoved, staffEvents, StaffRolesChanged } from '#licensing/staff/events'
import { sessionIn } from '#test/support/session-thief'
import { streams } from '../../../src/composition/licensing.ts'
import { arbitraryFor } from '../../support/arbitrary-data.ts'
import { HOLDS } from '../../support/licensing/access-table.ts'
import { feedFixture, STREAM } from '../../support/licensing/feed-fixture.ts'
import type { FeedReader } from '../../support/licensing/feed-fixture.ts'
import { STAFF_PASSWORD, startService } from '../../support/licensing/service.ts'
import { kindsIn } from '../../support/sse-client.ts'
import type { ListenOptions, SseClient } from '../../support/sse-client.ts'

const service = await startService({ compareReadModels: false })
const { reader, open, opened, marked, heardAll } = feedFixture(service)
const ROLES = Object.keys(HOLDS) as Role[]

const call = async (method: string, path: string, as: string, body?: unknown) => {
  const reply = await service.call(method, `/api/admin/${path}`, { as, body })
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body
}

describe('what is told', () => {
  test('is the position, the kind and the ids, and never a value', async () => {
    const boss = await reader('SUPERADMIN')
    const ear = await opened(boss)
    await call('POST', 'plans', boss.as, { slug: 'canary-plan', name: 'Canary plan' })
    const body = { email: 'canary@customer.test', planSlug: 'canary-plan', reference: 'canary order' }
    const provisioned = await call('POST', 'provisioning', boss.as, body)
    const [customerId, licenseId] = [provisioned.customer.id, provisioned.license.id]
    await call('GET', `licenses/${licenseId}/key`, boss.as)
    await call('POST', `licenses/${licenseId}/suspend`, boss.as, { reason: 'canary reason' })
    await call('POST', 'staff', boss.as, { email: 'canary@staff.test', name: 'Canary', roles: ['SUPPORT'] })
    await heardAll(ear, boss)
    expect(ear.text()).not.toMatch(/canary|@/i)
    expect(ear.text()).not.toContain(provisioned.licenseKey)
    for (const { id, name, data } of ear.heard)
      expect({ id, name, keys: Object.keys(data) }).toEqual({
        id: data.position,
        name: 'message',
        keys: ['position', 'kind', 'ids'],
      })
    const told = Map.groupBy(ear.heard, ({ data }) => data.kind)
    expect(told.get('license.key_read')![0]!.data.ids).toMatchObject({ licenseId })
    expect(told.get('customer.registered')![0]!.data.ids).toEqual({ customerId })
    const events = new Map((await service.history()).map((event) => [event.position, event.data]))
    for (const { data } of ear.heard) expect(events.get(data.position)).toMatchObject(data.ids!)
  })

  test('is not told before the lists show it', async () => {
    const { read, clock, projector } = service.licensing
    const boss = await reader('SUPERADMIN')
    const sid = sessionIn(boss.as)
    const caller = callerOfSession((await findLiveSession(read, sid, clock.now()))!, clock.now())
    let show: (() => void) | undefined
    const shown = new Promise<void>((resolve) => (show = resolve))
    const lists: typeof projector.waitUntilCaughtUp = async (_change, _ms, whom) => {
      if (whom !== 'gate') await shown
      return true
    }
    const parts = { ...service.licensing, sections, ...feedReaders(read, sections) }
    const feed = createChangeFeed({ ...parts, projector: { waitUntilCaughtUp: lists } })
    const leaving = new AbortController()
    const frames = feed.open({ accountId: boss.id, sid, caller, from: undefined, ended: leaving.signal })
    const told = frames[Symbol.asyncIterator]()
    await told.next()
    const next = told.next()
    const position = await marked(boss)
    expect(await Promise.race([next, pause(300, 'nothing')])).toBe('nothing')
    show!()
    expect((await next).value).toContain(`id: ${position}`)
    leaving.abort()
    await told.return?.()
  })
})

test('the end of a bulk action is told to those who may read its progress', async () => {
  const [boss, biller, helper] = [await reader('SUPERADMIN'), await reader('BILLING'), await reader('SUPPORT')]
  const ears = await Promise.all([boss, biller, helper].map((who) => opened(who)))
  const body = { action: 'subscriptions.cancel', ids: [randomUUID()], reason: 'test' }
  await call('POST', 'bulk', boss.as, body)
  await service.settle()
  await Promise.all([boss, biller, helper].map((who, nth) => heardAll(ears[nth]!, who)))
  const told = ears.map((ear) => kindsIn(ear).filter((kind) => kind.startsWith('bulk.')))
  expect(told).toEqual([['bulk.requested', 'bulk.completed'], ['bulk.requested', 'bulk.completed'], []])
})

test('the own account and its sessions are told to their owner, whatever the role', async () => {
  const [releaser, other] = [await reader('RELEASE'), await reader('RELEASE')]
  const [own, others] = [await opened(releaser), await opened(other)]
  await service.call('POST', '/api/admin/auth/login', { body: { email: releaser.email, password: STAFF_PASSWORD } })
  await heardAll(own, releaser)
  await heardAll(others, other)
  expect(kindsIn(own)).toEqual(['staff_session.started', 'staff.renamed'])
  expect(kindsIn(others)).toEqual(['staff.renamed'])
})

describe('from where on', () => {
  test('behind Last-Event-ID, or behind lastEventId where there is no header', async () => {
    const who = await reader('RELEASE')
    const marks = [await marked(who), await marked(who), await marked(who)] as const
    const cases: [ListenOptions, number[]][] = [
      [{ from: marks[0] }, [marks[1], marks[2]]],
      [{ query: `?lastEventId=${marks[1]}` }, [marks[2]]],
      [{ from: marks[1], query: `?lastEventId=${marks[0]}` }, [marks[2]]],
    ]
    for (const [ask, positions] of cases) {
      const ear = await opened(who, ask)
      await ear.until(() => ear.lastId() >= marks[2])
      expect(ear.heard.map(({ id }) => id)).toEqual(positions)
    }
    expect((await open({ as: who.as, from: 'x' })).status).toBe(400)
  })

  test('a reader of another log gets one reset and goes on from the present', async () => {
    const who = await reader('RELEASE')
    const head = await marked(who)
    const ear = await opened(who, { from: head + 1_000_000 })
    await heardAll(ear, who)
    expect(ear.heard[0]).toMatchObject({ id: head, name: 'reset' })
    expect(kindsIn(ear)).toEqual(['staff.renamed'])
  })
})

describe('a stream ends', () => {
  const secondOwnSession = async ({ email }: FeedReader): Promise<string> =>
    (await service.call('POST', '/api/admin/auth/login', { body: { email, password: STAFF_PASSWORD } })).body
      .accessToken
  const appendStaff = async (staffId: string, event: ReturnType<typeof StaffRemoved | typeof StaffRolesChanged>) =>
    service.run(async (unit) => unit.appendEvent(staffEvents, staffId, event))

  const ways: Record<string, (who: FeedReader) => Promise<unknown>> = {
    'when the session is signed out': ({ as }) => service.call('POST', '/api/admin/auth/logout', { as, body: {} }),
    'when another session ends all others': async (who) => call('DELETE', 'auth/sessions', await secondOwnSession(who)),
    'when the roles change': ({ id: staffId }) =>
      appendStaff(staffId, StaffRolesChanged({ staffId, roles: ['BILLING'] })),
    'when the member of staff is removed': async ({ id }) => {
      const { as } = await reader('SUPERADMIN')
      return call('DELETE', `staff/${id}`, as)
    },
    'when a second factor becomes due': async () => {
      const set = (value: boolean) =>
        service.run(async (unit) =>
          unit.appendEvent(settingEvents, undefined, SettingChanged({ settingId: 'requireSecondFactor', value })),
        )
      await set(true)
      return () => set(false)
    },
  }

  test.each(Object.entries(ways))('%s', async (_name, end) => {
    const who = await reader('SUPPORT')
    const ear = await opened(who)
    const startedMs = performance.now()
    const restore = await end(who)
    expect(await ear.over).toBe('ended')
    // Well before the stream would look for itself.
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    expect(kindsIn(ear)).not.toContain('staff.roles_changed')
    if (typeof restore === 'function') await restore()
  })

  test('when its time has passed, of which there is no event', async () => {
    const ear = await opened(await reader('SUPPORT'))
    service.passTime(8 * 24 * 60 * 60_000)
    expect(await ear.over).toBe('ended')
  })
})

test('a role that was taken shows nothing more, and the new one from then on', async () => {
  const [who, boss] = [await reader('RELEASE'), await reader('SUPERADMIN')]
  const plan = async (slug: string) => call('POST', 'plans', boss.as, { slug, name: slug })
  const first = await opened(who)
  await service.run(async (unit) =>
    unit.appendEvent(staffEvents, who.id, StaffRolesChanged({ staffId: who.id, roles: ['AUDITOR'] })),
  )
  expect(await first.over).toBe('ended')
  const second: SseClient = await opened(who, { from: first.lastId() })
  await plan('seen-by-auditors')
  await heardAll(second, who)
  expect(kindsIn(second)).toEqual(['staff.roles_changed', 'plan.created', 'staff.renamed'])
})

describe('who comes in', () => {
  test('staff sessions alone', async () => {
    expect((await open({})).status).toBe(401)
    const token = await service.token(['plans:view'])
    expect((await open({ as: token })).status).toBe(403)
  })

  test('ten streams an account at most', async () => {
    const who = await reader('RELEASE')
    await Promise.all(Array.from({ length: 10 }, () => opened(who)))
    expect((await service.call('GET', STREAM, { as: who.as })).headers.get('error-code')).toBe('TOO_MANY_STREAMS')
  })
})

type Readers = readonly string[]

/** The permissions that read the events of each stream besides `audit:view`; each is enough. Written by hand. */
const READERS: Readonly<Record<string, Readers>> = {
  plan: ['plans:view'],
  features: ['features:view'],
  staff: ['staff:view'],
  staffRoster: ['staff:view'],
  staffSessions: [],
  staffLogins: [],
  machineTokens: ['settings:view'],
  customer: ['customers:view'],
  customerExports: ['customers:view'],
  subscription: ['subscriptions:view'],
  licenseReads: ['licenses:view'],
  payment: ['payments:view'],
  paymentNotices: ['payments:view'],
  credit: ['payments:view'],
  billing: ['subscriptions:view', 'payments:view'],
  invoices: ['payments:view'],
  invoice: ['payments:view'],
  provisioningReplays: ['subscriptions:view'],
  shopAccount: ['customers:view'],
  shopLogins: ['customers:view'],
  shopSession: [],
  signingKeys: ['settings:view'],
  version: ['versions:manage'],
  settings: ['settings:view'],
  announcements: ['settings:view'],
  export: [],
  licenseSlots: ['instances:view'],
  webhooks: ['settings:view'],
  webhookAsks: ['settings:view'],
}

/** Of single types, in place of those of their stream. */
const EXCEPTIONS: Readonly<Record<string, Readers>> = {
  ...Object.fromEntries(
    streams
      .find(({ name }) => name === 'subscription')!
      .types.filter(({ subjectType }) => subjectType === 'license')
      .map(({ type }) => [type, ['subscriptions:view', 'licenses:view']]),
  ),
  ProvisioningCompleted: ['customers:view', 'subscriptions:view'],
  LicenseLeasedOffline: ['licenses:view', 'instances:view'],
  SlotsReleased: ['instances:view', 'subscriptions:view'],
}

const BULK: Readonly<Record<string, string>> = {
  customers: 'customers:manage',
  licenses: 'licenses:manage',
  subscriptions: 'subscriptions:manage',
}

const readersOf = ({ name }: Stream, { type }: EventType, data: { action?: string }): Readers => [
  'audit:view',
  ...(EXCEPTIONS[type] ?? READERS[name] ?? [BULK[data.action!.split('.')[0]!]!]),
]

/** An event that takes rights from all readers would end the test. */
const isHarmless = (data: { settingId?: string }): boolean => data.settingId !== 'requireSecondFactor'

interface Appended {
  readonly position: number
  readonly readers: Readers
}

/** Appends one event of a type to a new stream. */
async function append(stream: Stream, type: EventType, data: object): Promise<number | undefined> {
  const { codec, store } = service.licensing
  const id = randomUUID()
  const metadata = await codec.metadata({ actor: { type: 'SYSTEM', id: 'test' }, requestId: id }, new Date())
  try {
    const event: EventToAppend = { id, ...(await codec.encode({ type: type.type, data })), metadata }
    await store.append({ parts: [{ stream: stream.nameFor(id), expected: 0, events: [event] }] })
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof Rejection) return undefined
    throw error
  }
  return (await store.readStream(stream.nameFor(id))).at(-1)!.position
}

async function appendAny(stream: Stream, type: EventType): Promise<Appended> {
  const candidates = arbitraryFor(type.schema, randomUUID())
  for (let tries = 0; tries < 200; tries += 1) {
    // One by one: most types take the first, and values of many texts are long in the making.
    const data = fc.sample(candidates, 1)[0]
    const position = isHarmless(data) ? await append(stream, type, data) : undefined
    if (position !== undefined) return { position, readers: readersOf(stream, type, data) }
  }
  throw new Error(`No data was found for ${type.type}`)
}

test('every role is told every kind of event of what it may read, and none else', async () => {
  const listening = ROLES.map(async (role) => {
    const who = await reader(role)
    return { role, who, ear: await opened(who) }
  })
  const all = await Promise.all(listening)
  const appended: (Appended & { readonly kind: string })[] = []
  for (const stream of streams)
    for (const type of stream.types)
      if (type.type !== 'BulkCompleted') appended.push({ ...(await appendAny(stream, type)), kind: type.action })
  const ours = new Set(appended.map(({ position }) => position))
  for (const { role, who, ear } of all) {
    await heardAll(ear, who)
    const expected = appended.filter(({ readers }) => readers.some((permission) => HOLDS[role]!(permission)))
    const told = ear.heard.filter(({ id }) => ours.has(id))
    expect(
      told.map(({ data }) => data.kind),
      role,
    ).toEqual(expected.map(({ kind }) => kind))
  }
  expect(appended.length).toBeGreaterThan(100)
}, 120_000)
