/** Signing in at a GitLab or Gitea of one's own by OAuth: over HTTP, with a browser that has cookies. */
import { afterAll, describe, expect, test } from 'vitest'
import { gitProviders } from '#panel/git-providers/decider'
import { FORGE_TOKEN, ForgeAnswer } from '../../support/panel/forges/forge-server.ts'
import { OAUTH_CLIENT, oauthDouble } from '../../support/panel/forges/oauth.ts'
import { REPOSITORY } from '../../support/panel/forges/repository.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'

const FORGES = [
  { kind: 'GITLAB', name: 'GitLab', forge: await oauthDouble('GITLAB') },
  { kind: 'GITEA', name: 'Gitea', forge: await oauthDouble('GITEA') },
] as const
afterAll(() => Promise.all(FORGES.map(({ forge }) => forge.close())))
const [{ forge: gitLab }] = FORGES
const panel = await startPanel({ gitAllow: ['127.0.0.1'] })
await panel.licensed()
const floor = projectFixture(panel)

type Who = { readonly as: string }
const FLOW = '/api/git-providers/oauth/selfhosted-git'
const CONNECTED = 'http://panel.test/git-providers?sign-in=connected'
const OTHER_ACCOUNT = 'http://panel.test/git-providers?sign-in=other-account'
const FAILED = 'http://panel.test/git-providers?sign-in=failed'
const client = (more: object = {}) => ({ kind: 'GITLAB', baseUrl: gitLab.url, ...OAUTH_CLIENT, ...more })
const start = ({ as }: Who, more: object = {}) => panel.call('POST', `${FLOW}/start`, { as, body: client(more) })
const cookieIn = ({ headers }: { headers: Headers }) => headers.get('set-cookie')!.split(';')[0]!
const status = ({ as }: Who, flowId: string) => panel.call('GET', `${FLOW}/status?flowId=${flowId}`, { as })
const stateOf = async (who: Who, flowId: string) => ok(await status(who, flowId)).state
const listed = async ({ as }: Who) => ok(await panel.call('GET', '/api/git-providers', { as }))

async function begun(who: Who, more: object = {}) {
  const reply = await start(who, more)
  const { flowId, authorizationUrl } = ok(reply)
  return { flowId, authorizationUrl, cookie: cookieIn(reply) }
}

const comeBack = (query: URLSearchParams | string, cookie?: string) =>
  panel.call('GET', `${FLOW}/callback?${query.toString()}`, cookie === undefined ? {} : { headers: { cookie } })

async function endsAt(query: URLSearchParams | string, cookie?: string): Promise<string | null> {
  const { status: code, headers, text } = await comeBack(query, cookie)
  expect([code, text]).toEqual([303, ''])
  return headers.get('location')
}

describe.each(FORGES)('$name', ({ kind, name, forge }) => {
  test('is connected by a browser that went there and came back', async () => {
    const ada = await panel.somebody()
    const kinds = ok(await panel.call('GET', '/api/git/providers', { as: ada.as }))
    expect(kinds.find((each: { kind: string }) => each.kind === kind).ways).toEqual(['TOKEN', 'OAUTH'])
    const { flowId, authorizationUrl, cookie } = await begun(ada, { kind, baseUrl: `${forge.url}/` })
    expect(new URL(authorizationUrl).searchParams.get('redirect_uri')).toBe(`http://panel.test${FLOW}/callback`)
    expect(ok(await status(ada, flowId))).toEqual({ state: 'PENDING', gitProviderId: null })
    expect(await endsAt(forge.allow(authorizationUrl), cookie)).toBe(CONNECTED)
    const [provider] = await listed(ada)
    expect(provider).toMatchObject({ kind, name, baseUrl: forge.url, account: 'ada', status: 'CHECKED' })
    expect(ok(await status(ada, flowId))).toEqual({ state: 'AUTHORIZED', gitProviderId: provider.id })
    const repos = await panel.call('GET', `/api/git-providers/${provider.id}/repos?search=shop`, { as: ada.as })
    expect(ok(repos).items).toMatchObject([{ name: REPOSITORY }])
  })
})

test('nothing that opens something is stored or logged in the clear', async () => {
  const ada = await panel.somebody()
  const { authorizationUrl, cookie } = await begun(ada)
  const back = gitLab.allow(authorizationUrl)
  expect(await endsAt(back, cookie)).toBe(CONNECTED)
  const kept = (await panel.dump()) + panel.logs()
  const secrets = [
    back.get('state')!,
    back.get('code')!,
    cookie.split('=')[1]!,
    gitLab.asked.at(-1)!.get('code_verifier')!,
  ]
  for (const secret of [...secrets, OAUTH_CLIENT.clientSecret, 'canary-access', 'canary-refresh', FORGE_TOKEN])
    expect(kept).not.toContain(secret)
})

test('the cookie is of the callback alone, no script reads it, and it is taken away', async () => {
  const ada = await panel.somebody()
  const begin = await start(ada)
  expect(begin.headers.get('set-cookie')).toMatch(
    /^daybook_panel_git=[\w-]{43}; Path=\/api\/git-providers\/oauth\/selfhosted-git\/callback; Max-Age=600; HttpOnly; SameSite=Lax$/,
  )
  const back = await comeBack(gitLab.allow(ok(begin).authorizationUrl), cookieIn(begin))
  expect(back.headers.get('set-cookie')).toContain('daybook_panel_git=; Path=/api/git-providers')
  expect(back.headers.get('set-cookie')).toContain('Max-Age=0')
})

test('a state is used once, and two that come back at once connect one provider', async () => {
  const ada = await panel.somebody()
  const { flowId, authorizationUrl, cookie } = await begun(ada)
  const [back, asked] = [gitLab.allow(authorizationUrl), gitLab.asked.length]
  const ends = await Promise.all([endsAt(back, cookie), endsAt(back, cookie), endsAt(back, cookie)])
  expect(ends.toSorted()).toEqual([CONNECTED, FAILED, FAILED])
  expect(await endsAt(back, cookie), 'later').toBe(FAILED)
  const another = gitLab.allow(authorizationUrl)
  expect(await endsAt(another, cookie), 'with another code').toBe(FAILED)
  expect(gitLab.asked).toHaveLength(asked + 1)
  expect(await listed(ada)).toHaveLength(1)
  expect(await stateOf(ada, flowId)).toBe('AUTHORIZED')
})

test('another browser cannot end a flow, and does not use it up', async () => {
  const [ada, mallory] = [await panel.somebody(), await panel.somebody()]
  const [own, foreign] = [await begun(ada), await begun(mallory)]
  const asked = gitLab.asked.length
  const back = gitLab.allow(own.authorizationUrl)
  // Mallory sends Ada's browser to what belongs to Mallory, and the other way round.
  for (const cookie of [
    undefined,
    foreign.cookie,
    `${own.cookie}x`,
    own.cookie.replace('daybook', 'x'),
    'daybook_panel_git=',
  ])
    expect(await endsAt(back, cookie), String(cookie)).toBe(FAILED)
  expect(await endsAt(gitLab.allow(foreign.authorizationUrl), own.cookie)).toBe(FAILED)
  expect(gitLab.asked).toHaveLength(asked)
  expect([await listed(ada), await listed(mallory)]).toEqual([[], []])
  expect(await endsAt(back, own.cookie)).toBe(CONNECTED)
})

test('every failure leads to one word, whatever it was', async () => {
  const ada = await panel.somebody()
  const { authorizationUrl, cookie } = await begun(ada)
  const state = new URL(authorizationUrl).searchParams.get('state')!
  const words = new Set<string>()
  for (const query of [
    '',
    'code=x',
    `state=${state}`,
    'code=x&state=x',
    'state=%F0%9F%A6%8A&code=x',
    'error=access_denied',
  ])
    for (const sent of [undefined, cookie]) {
      // The state alone is the flow's own failure, which ends it.
      const { status: code, headers, text } = await comeBack(query, query.includes(state) ? undefined : sent)
      words.add(JSON.stringify([code, text, headers.get('location'), headers.get('set-cookie')]))
    }
  expect([...words]).toHaveLength(1)
  expect([...words][0]).toContain(FAILED)
})

test.each([
  ['an error of the provider', { error: 'server_error', error_description: 'a text of the provider' }, 'FAILED'],
  ['a person who says no', { error: 'access_denied' }, 'DENIED'],
  ['another issuer', { iss: 'https://forge.example' }, 'FAILED'],
  ['a code that is unknown', { code: 'unknown' }, 'FAILED'],
  ['no code', { code: undefined }, 'FAILED'],
] as const)('%s ends the flow without a provider', async (_what, change, state) => {
  const ada = await panel.somebody()
  const { flowId, authorizationUrl, cookie } = await begun(ada)
  const back = gitLab.allow(authorizationUrl)
  const right = new URLSearchParams(back)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) back.delete(name)
    else back.set(name, value)
  }
  expect(await endsAt(back, cookie)).toBe(FAILED)
  expect(await stateOf(ada, flowId)).toBe(state)
  expect(await endsAt(right, cookie), 'the state is used up').toBe(FAILED)
  expect(await listed(ada)).toEqual([])
})

test('the issuer that was asked may say so', async () => {
  const ada = await panel.somebody()
  const { authorizationUrl, cookie } = await begun(ada)
  const back = gitLab.allow(authorizationUrl)
  back.set('iss', `${gitLab.url}/`)
  expect(await endsAt(back, cookie)).toBe(CONNECTED)
})

test.each([
  ['another secret', { clientSecret: 'wrong' }, undefined],
  ['a server error', {}, new ForgeAnswer(500, {})],
  ['no JSON', {}, new ForgeAnswer(200, Buffer.from('<html>'))],
  ['a token of another type', {}, new ForgeAnswer(200, { access_token: 'a', token_type: 'mac' })],
  ['a token with a line break', {}, new ForgeAnswer(200, { access_token: 'a\nb', token_type: 'bearer' })],
  ['a redirect', {}, new ForgeAnswer(302, {})],
  ['a token that its API refuses', {}, new ForgeAnswer(200, { access_token: 'unknown', token_type: 'bearer' })],
] as const)('a provider that answers the exchange with %s connects nothing', async (_what, more, answer) => {
  const ada = await panel.somebody()
  const { flowId, authorizationUrl, cookie } = await begun(ada, more)
  gitLab.answer(answer)
  expect(await endsAt(gitLab.allow(authorizationUrl), cookie)).toBe(FAILED)
  gitLab.answer(undefined)
  expect(await stateOf(ada, flowId)).toBe('FAILED')
  expect(await listed(ada)).toEqual([])
})

test('a flow ends after ten minutes', async () => {
  const ada = await panel.somebody()
  const { flowId, authorizationUrl, cookie } = await begun(ada)
  panel.passTime(600_000)
  expect(await stateOf(ada, flowId)).toBe('EXPIRED')
  expect(await endsAt(gitLab.allow(authorizationUrl), cookie)).toBe(FAILED)
  expect(await listed(ada)).toEqual([])
})

test('a flow ends with the session that began it, and with the account', async () => {
  const root = await panel.somebody('SUPERADMIN')
  for (const leave of [
    async ({ email }: TestUser) =>
      panel.call('DELETE', '/api/auth/sessions', { as: ok(await panel.login(email)).accessToken }),
    ({ id }: TestUser) =>
      panel.call('PATCH', `/api/admin/users/${id}/status`, { as: root.as, body: { status: 'SUSPENDED' } }),
  ]) {
    const ada = await panel.somebody()
    const { authorizationUrl, cookie } = await begun(ada)
    expect((await leave(ada)).status).toBeLessThan(300)
    expect(await endsAt(gitLab.allow(authorizationUrl), cookie)).toBe(FAILED)
  }
})

test('only the account that began a flow sees how it stands', async () => {
  const [ada, bob] = [await panel.somebody(), await panel.somebody('SUPERADMIN')]
  const { flowId } = await begun(ada)
  const unknown = await status(bob, '01890000-0000-7000-8000-00000000dead')
  expect((await status(bob, flowId)).text).toBe(unknown.text)
  const poll = await panel.call('POST', '/api/git-providers/oauth/hosted-git/device/poll', {
    as: ada.as,
    body: { flowId },
  })
  expect(poll.status).toBe(404)
})

test('a provider is shared while its owner may share it', async () => {
  const [owner, stranger] = [await panel.somebody(), await panel.somebody()]
  const projectId = await floor.project(owner)
  const sharing = { projectId, repositories: [REPOSITORY] }
  expect((await start(stranger, sharing)).status).toBe(404)
  expect((await start(owner, { projectId })).status).toBe(400)
  const member = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  const [kept, lost] = [await begun(owner, sharing), await begun(member, sharing)]
  expect(await endsAt(gitLab.allow(kept.authorizationUrl), kept.cookie)).toBe(CONNECTED)
  ok(await floor.remove(owner, `/${projectId}/members/${member.memberId}`), 204)
  expect(await endsAt(gitLab.allow(lost.authorizationUrl), lost.cookie)).toBe(FAILED)
  const shared = ok(await panel.call('GET', `/api/git-providers?projectId=${projectId}`, { as: owner.as }))
  expect(shared).toMatchObject([sharing])
})

test('one is connected again without apps:create, and by the same account there alone', async () => {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const member = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  const first = await begun(member, { projectId, repositories: [REPOSITORY] })
  expect(await endsAt(gitLab.allow(first.authorizationUrl), first.cookie)).toBe(CONNECTED)
  const { gitProviderId } = ok(await status(member, first.flowId))
  ok(await floor.remove(owner, `/${projectId}/members/${member.memberId}`), 204)
  const again = await begun(member, { gitProviderId })
  expect(await endsAt(gitLab.allow(again.authorizationUrl), again.cookie)).toBe(CONNECTED)

  const otherId = await panel.run(async (unit) => {
    const { id: _id, grant, ...known } = (await unit.load(gitProviders, gitProviderId))!
    const { kind, baseUrl, name, username, token, repositories, ownerId } = known
    const provider = { kind, baseUrl, name, username, token, repositories, ownerId, projectId }
    const id = unit.newId()
    await unit.decide(gitProviders, id, 'Connect', { ...provider, gitProviderId: id, account: 'grace' })
    await unit.decide(gitProviders, id, 'Grant', grant!)
    return id
  })
  const other = await begun(member, { gitProviderId: otherId })
  expect(await endsAt(gitLab.allow(other.authorizationUrl), other.cookie)).toBe(OTHER_ACCOUNT)
  expect(await stateOf(member, other.flowId)).toBe('OTHER_ACCOUNT')
})

test('a body with a bad field, and an address that may not be called, begin nothing', async () => {
  const ada = await panel.somebody()
  const before = await panel.panel.store.head()
  for (const baseUrl of ['https://10.1.2.3', 'https://169.254.169.254', 'https://[::ffff:10.0.0.1]'])
    expect(refusalIn(await start(ada, { baseUrl })), baseUrl).toEqual([400, 'ADDRESS_REFUSED'])
  for (const more of [
    { kind: 'GITHUB' },
    { baseUrl: 'http://forge.example' },
    { baseUrl: 'https://forge.example/?a=b' },
    { baseUrl: 'https://ada:secret@forge.example' },
    { clientId: 'two words' },
    { clientSecret: '' },
    { redirectUri: 'https://forge.example' },
    { gitProviderId: '01890000-0000-7000-8000-00000000dead', name: 'Mine' },
  ])
    expect((await start(ada, more)).status, JSON.stringify(more)).toBe(400)
  expect(await panel.history(before)).toEqual([])
})
