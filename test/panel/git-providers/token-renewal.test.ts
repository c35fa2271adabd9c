/** Tokens of OAuth are renewed before they end: once at a time, and what a provider has replaced is not lost. */
import { afterAll, afterEach, expect, test } from 'vitest'
import { gitProviders } from '#panel/git-providers/decider'
import { renewToken } from '#panel/git-providers/renewal'
import type { Renewing } from '#panel/git-providers/renewal'
import { ForgeAnswer } from '../../support/panel/forges/forge-server.ts'
import { OAUTH_CLIENT, oauthDouble } from '../../support/panel/forges/oauth.ts'
import type { OAuthForge } from '../../support/panel/forges/oauth.ts'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'

const forges = { GITLAB: await oauthDouble('GITLAB'), GITEA: await oauthDouble('GITEA') }
afterAll(() => Promise.all(Object.values(forges).map((forge) => forge.close())))
const panel = await startPanel({ gitAllow: ['127.0.0.1'] })
await panel.licensed()

type Who = Pick<TestUser, 'as' | 'email'>
const made: string[] = []
/** What is left of a test would be renewed in the next. */
afterEach(async () => {
  for (const id of made.splice(0))
    await panel.run(async (unit) => {
      if (await unit.load(gitProviders, id)) await unit.decide(gitProviders, id, 'Remove', {})
    })
})

const FLOW = '/api/git-providers/oauth/selfhosted-git'
const MINUTE_MS = 60_000

const begin = ({ as }: Pick<Who, 'as'>, kind: OAuthForge, more: object = {}) =>
  panel.call('POST', `${FLOW}/start`, { as, body: { kind, baseUrl: forges[kind].url, ...OAUTH_CLIENT, ...more } })

async function connected(who: Who, kind: OAuthForge, more: object = {}): Promise<string> {
  const [{ as }, forge] = [who, forges[kind]]
  const begun = await begin(who, kind, more)
  const { flowId, authorizationUrl } = ok(begun)
  const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
  await panel.call('GET', `${FLOW}/callback?${forge.allow(authorizationUrl).toString()}`, { headers: { cookie } })
  const { gitProviderId } = ok(await panel.call('GET', `${FLOW}/status?flowId=${flowId}`, { as }))
  made.push(gitProviderId)
  return gitProviderId
}

/** Sessions end sooner than tokens. */
const later = async ({ email }: Who): Promise<string> => ok(await panel.login(email)).accessToken

const tokenOf = async (id: string) => (await panel.run((unit) => unit.load(gitProviders, id)))!.token
const repos = async (who: Who, id: string) =>
  panel.call('GET', `/api/git-providers/${id}/repos`, { as: await later(who) })
const listed = async (who: Who) => ok(await panel.call('GET', '/api/git-providers', { as: await later(who) }))
const renewals = async (id: string) =>
  (await panel.history()).filter(({ type, data }) => type === 'GitProviderTokenRenewed' && data['gitProviderId'] === id)
/** A minute passes for the limits, which have the time of the database. */
const nextMinute = () => panel.superuser.query(`DELETE FROM telemetry.attempt WHERE key LIKE 'git-token-%'`)
const asks = (kind: OAuthForge) =>
  forges[kind].asked.filter((form) => form.get('grant_type') === 'refresh_token').length
/** As another process of the installation. */
const elsewhere = (more: Partial<Renewing> = {}): Renewing => ({
  run: panel.run,
  service: panel.panel.services,
  telemetry: panel.panel.pool,
  ...more,
})

test.each(['GITLAB', 'GITEA'] as const)(
  'the token of a %s is renewed before it ends, again and again',
  async (kind) => {
    const ada = await panel.somebody()
    const id = await connected(ada, kind)
    const first = await tokenOf(id)
    await panel.settle()
    expect(await tokenOf(id), 'it is not due yet').toBe(first)
    for (let times = 1; times <= 2; times += 1) {
      const before = await tokenOf(id)
      panel.passTime((kind === 'GITLAB' ? 106 : 46) * MINUTE_MS)
      await nextMinute()
      await panel.settle()
      expect(await tokenOf(id)).not.toBe(before)
      expect(await renewals(id)).toHaveLength(times)
      expect((await repos(ada, id)).status).toBe(200)
    }
    expect(await panel.dump()).not.toMatch(/canary-(access|refresh)/)
  },
)

test('many who find it due at the same time renew it once', async () => {
  const id = await connected(await panel.somebody(), 'GITEA')
  panel.passTime(46 * MINUTE_MS)
  const before = asks('GITEA')
  await Promise.all([...Array.from({ length: 8 }, () => renewToken(elsewhere(), id)), panel.settle()])
  expect(asks('GITEA')).toBe(before + 1)
  expect(await renewals(id)).toHaveLength(1)
})

test('what the provider has answered is stored although the store is away for a moment', async () => {
  const ada = await panel.somebody()
  const id = await connected(ada, 'GITEA')
  panel.passTime(46 * MINUTE_MS)
  const [before, asked] = [await tokenOf(id), asks('GITEA')]
  let failures = 2
  const run: Renewing['run'] = async (work) => {
    if (asks('GITEA') > asked && failures > 0) {
      failures -= 1
      throw new Error('the store is away')
    }
    return panel.run(work)
  }
  await renewToken(elsewhere({ run }), id)
  expect([failures, asks('GITEA')]).toEqual([0, asked + 1])
  expect(await tokenOf(id)).not.toBe(before)
})

test('after a process that died with the answer, GitLab is asked with the refresh token before', async () => {
  const ada = await panel.somebody()
  const id = await connected(ada, 'GITLAB')
  panel.passTime(106 * MINUTE_MS)
  const { grant } = (await panel.run((unit) => unit.load(gitProviders, id)))!
  const form = { grant_type: 'refresh_token', refresh_token: grant!.refreshToken!, client_id: OAUTH_CLIENT.clientId }
  const lost = await fetch(`${forges.GITLAB.url}/oauth/token`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...form, client_secret: OAUTH_CLIENT.clientSecret }).toString(),
  })
  expect(lost.status).toBe(200)
  await nextMinute()
  await panel.settle()
  expect(await renewals(id)).toHaveLength(1)
  expect((await repos(ada, id)).status).toBe(200)
})

test('what passes changes nothing, and is tried again', async () => {
  const ada = await panel.somebody()
  const id = await connected(ada, 'GITEA')
  panel.passTime(46 * MINUTE_MS)
  for (const answer of [
    new ForgeAnswer(500, {}),
    new ForgeAnswer(429, {}),
    new ForgeAnswer(400, Buffer.from('<html>of a proxy')),
    new ForgeAnswer(400, { error: 'temporarily_unavailable' }),
    new ForgeAnswer(200, { access_token: 'a', token_type: 'mac' }),
  ]) {
    forges.GITEA.answer(answer)
    const before = asks('GITEA')
    await nextMinute()
    await panel.settle()
    await renewToken(elsewhere(), id)
    expect(asks('GITEA'), 'not twice in a minute').toBe(before + 1)
  }
  forges.GITEA.answer(undefined)
  expect(await renewals(id)).toEqual([])
  expect(await listed(ada)).toMatchObject([{ status: 'CHECKED' }])
  await nextMinute()
  await panel.settle()
  expect(await renewals(id)).toHaveLength(1)
})

test('a provider that refuses is REFUSED, which its owner is told once, and is not asked again', async () => {
  const ada = await panel.somebody()
  const id = await connected(ada, 'GITLAB')
  forges.GITLAB.revoke()
  panel.passTime(106 * MINUTE_MS)
  await nextMinute()
  await panel.settle()
  expect(await listed(ada)).toMatchObject([{ id, status: 'REFUSED' }])
  const notices = async () =>
    ok(await panel.call('GET', '/api/notifications', { as: await later(ada) })).filter(
      ({ kind }: { kind: string }) => kind === 'GIT_PROVIDER',
    )
  const told = { title: expect.stringContaining('connect it again') }
  expect(await notices()).toMatchObject([told])
  const before = asks('GITLAB')
  panel.passTime(60 * MINUTE_MS)
  await nextMinute()
  await panel.settle()
  expect(refusalIn(await repos(ada, id))).toEqual([409, 'PROVIDER_REFUSED'])
  expect(asks('GITLAB')).toBe(before)
  expect(await notices()).toHaveLength(1)

  const again = { gitProviderId: id }
  const stranger = { as: await later(await panel.somebody()) }
  expect((await begin(stranger, 'GITLAB', again)).status).toBe(404)
  expect(refusalIn(await begin({ as: await later(ada) }, 'GITEA', again))).toEqual([409, 'NOT_BY_SIGN_IN'])
  expect(await connected({ ...ada, as: await later(ada) }, 'GITLAB', again)).toBe(id)
  expect(await listed(ada)).toMatchObject([{ id, status: 'CHECKED', name: 'GitLab' }])
  expect((await repos(ada, id)).status).toBe(200)
  panel.passTime(106 * MINUTE_MS)
  await nextMinute()
  await panel.settle()
  expect(asks('GITLAB'), 'its token is renewed as before').toBe(before + 1)
  const { grant, token } = (await panel.run((unit) => unit.load(gitProviders, id)))!
  const other = panel.run((unit) =>
    unit.decide(gitProviders, id, 'GrantAgain', { ...grant!, token, account: 'somebody else' }),
  )
  await expect(other).rejects.toMatchObject({ code: 'OTHER_ACCOUNT' })
})

test('a token that is removed meanwhile is not renewed, and a late answer changes nothing', async () => {
  const id = await connected(await panel.somebody(), 'GITEA')
  panel.passTime(46 * MINUTE_MS)
  const asked = asks('GITEA')
  const run: Renewing['run'] = async (work) => {
    if (asks('GITEA') > asked) await panel.run((unit) => unit.decide(gitProviders, id, 'Remove', {}))
    return panel.run(work)
  }
  await renewToken(elsewhere({ run }), id)
  expect(asks('GITEA')).toBe(asked + 1)
  expect(await renewals(id)).toEqual([])
  await nextMinute()
  await panel.settle()
  expect(asks('GITEA')).toBe(asked + 1)
})
