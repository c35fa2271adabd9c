/**
 * Tokens that open an event stream for clients that cannot send a header: valid once, for a minute, for one
 * session and one path.
 */
import { expect, test } from 'vitest'
import type { IncomingRequest } from '#kernel/http/incoming-request'
import { authenticate } from '#panel/access/authenticate'
import { sseAuthentication } from '#panel/access/sse-caller'
import { userEvents } from '#panel/users/events'
import { feedFixture } from '../../support/panel/feed-fixture.ts'
import { typesOf } from '../../support/panel/people.ts'
import { startPanel } from '../../support/panel/service.ts'

const STREAM = '/api/events/stream'
const panel = await startPanel()
const { open } = feedFixture(panel)
const { commands, read, vault, clock } = panel.panel
const bearer = authenticate({ read, vault, baseUrl: panel.settings.baseUrl })
const way = sseAuthentication({ commands, read, bearer })

const make = async (as: string, body: Record<string, unknown> = {}) =>
  panel.call('POST', '/api/auth/sse-token', { as, body })

/** The caller of a request for this path, as the gate determines it. @returns undefined for no caller */
async function comes(target: string, authorization: string[] = []) {
  const request = { method: 'GET', target } as IncomingRequest
  const now = new Date(clock.now().getTime())
  return way.authenticate({ authorization, ip: undefined, now, request })
}

const with_ = (token: string, path = STREAM) => `${path}?sseToken=${token}`
const REFUSED = { statusCode: 401, message: 'Invalid or expired session' }

test('a token lets its owner in, once', async () => {
  const { id, as } = await panel.somebody()
  const { status, body } = await make(as)
  expect(status).toBe(201)
  expect(body.sseToken).toMatch(/^dbs_[0-9A-Za-z]{46}$/)
  expect(Date.parse(body.expiresAt) - clock.now().getTime()).toBeLessThanOrEqual(60_000)
  expect(await comes(with_(body.sseToken))).toMatchObject({ kind: 'user', userId: id })
  await expect(comes(with_(body.sseToken))).rejects.toMatchObject(REFUSED)
})

test('of 50 who bring it at once, one is let in', async () => {
  const { as } = await panel.somebody()
  const { sseToken } = (await make(as)).body
  const all = await Promise.allSettled(Array.from({ length: 50 }, () => comes(with_(sseToken))))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { sseTokenId } = (await panel.history()).findLast(({ type }) => type === 'SseTokenMade')!.data as any
  expect(await typesOf(panel, `sseToken-${sseTokenId}`)).toEqual(['SseTokenMade', 'SseTokenUsed'])
})

test('it is bound to its path, and used up by no other', async () => {
  const { as } = await panel.somebody()
  const { sseToken } = (await make(as)).body
  for (const path of ['/api/other/stream', '/API/events/stream', `${STREAM}/`])
    await expect(comes(with_(sseToken, path))).rejects.toMatchObject(REFUSED)
  expect(await comes(with_(sseToken))).toBeDefined()
  const other = (await make(as, { path: '/api/logs/stream' })).body.sseToken
  await expect(comes(with_(other))).rejects.toMatchObject(REFUSED)
  expect(await comes(with_(other, '/api/logs/stream'))).toBeDefined()
})

test('after a minute it is nothing', async () => {
  const { as } = await panel.somebody()
  const { sseToken } = (await make(as)).body
  panel.passTime(60_000)
  await expect(comes(with_(sseToken))).rejects.toMatchObject(REFUSED)
})

test('it ends with its session and with its account', async () => {
  const one = await panel.somebody()
  const first = (await make(one.as)).body.sseToken
  expect((await panel.call('POST', '/api/auth/logout', { as: one.as, body: {} })).status).toBe(204)
  await expect(comes(with_(first))).rejects.toMatchObject(REFUSED)
  const two = await panel.somebody()
  const second = (await make(two.as)).body.sseToken
  const suspended = userEvents.UserStatusChanged({ userId: two.id, status: 'SUSPENDED' })
  await panel.run(async (unit) => unit.appendEvent(userEvents, two.id, suspended))
  await panel.panel.projector.catchUp()
  await expect(comes(with_(second))).rejects.toMatchObject(REFUSED)
})

test('it opens nothing else: not as a bearer, not in the query of another route', async () => {
  const { as } = await panel.somebody()
  const { sseToken } = (await make(as, { path: '/api/auth/me' })).body
  expect((await panel.call('GET', '/api/auth/me', { as: sseToken })).status).toBe(401)
  expect((await panel.call('GET', `/api/auth/me?sseToken=${sseToken}`)).status).toBe(401)
  await expect(comes(STREAM, [`Bearer ${sseToken}`])).rejects.toMatchObject(REFUSED)
})

test('a session in the header is a way in as well; beside a token in the query it is not looked at', async () => {
  const { id, as } = await panel.somebody()
  expect(await comes(STREAM, [`Bearer ${as}`])).toMatchObject({ userId: id })
  expect(await comes(STREAM)).toBeUndefined()
  await expect(comes(with_('garbage'), [`Bearer ${as}`])).rejects.toMatchObject(REFUSED)
  const { sseToken } = (await make(as)).body
  await expect(comes(`${with_(sseToken)}&sseToken=${sseToken}`)).rejects.toMatchObject(REFUSED)
})

test('it is stored and logged nowhere in clear', async () => {
  const { as } = await panel.somebody()
  const { sseToken } = (await make(as)).body
  const ear = await open({ query: `?sseToken=${sseToken}` })
  expect(ear.status).toBe(200)
  expect((await panel.call('GET', with_(sseToken))).status).toBe(401)
  ear.close()
  await ear.over
  expect(`${await panel.dump()}\n${panel.logs()}`).not.toContain(sseToken)
})

test('a path is one of the panel’s', async () => {
  const { as } = await panel.somebody()
  for (const path of [
    '',
    '/',
    'http://evil.test/api/x',
    '/api/../x',
    '/api/x?y',
    '/api/%2e',
    `/api/${'x'.repeat(200)}`,
  ])
    expect((await make(as, { path })).status).toBe(400)
})
