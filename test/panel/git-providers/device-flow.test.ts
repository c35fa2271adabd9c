/** Signing in at GitHub by its device flow. */
import { afterAll, expect, test } from 'vitest'
import { provide } from '#kernel/lib/services'
import { gitHubHost } from '#panel/git-providers/forges'
import { openPanel } from '../../../src/composition/panel.ts'
import { FORGE_TOKEN } from '../../support/panel/forges/forge-server.ts'
import { gitHubDouble, GITHUB_BASE } from '../../support/panel/forges/github-like.ts'
import { CLIENT_ID, gitHubSignIn } from '../../support/panel/forges/github-sign-in.ts'
import { REPOSITORY } from '../../support/panel/forges/repository.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const [api, signIn] = [await gitHubDouble(), await gitHubSignIn()]
afterAll(() => Promise.all([api.close(), signIn.close()]))
const there = provide(gitHubHost, { web: signIn.url, api: `${api.url}${GITHUB_BASE}` })
const panel = await startPanel({
  gitAllow: ['127.0.0.1'],
  open: (settings, log, wraps) => openPanel(settings, log, wraps, [there]),
})
await panel.licensed()
const floor = projectFixture(panel)
const root = await panel.somebody('SUPERADMIN')

type Who = { readonly as: string }
const FLOW = '/api/git-providers/oauth/hosted-git'
const configure = async (value: string) =>
  ok(await panel.call('PATCH', '/api/admin/settings/gitHubClientId', { as: root.as, body: { value } }))
const start = ({ as }: Who, body: object = {}) => panel.call('POST', `${FLOW}/device/start`, { as, body })
const poll = ({ as }: Who, flowId: string) => panel.call('POST', `${FLOW}/device/poll`, { as, body: { flowId } })
const status = async ({ as }: Who) => ok(await panel.call('GET', `${FLOW}/status`, { as }))
const providers = async ({ as }: Who, query = '') => ok(await panel.call('GET', `/api/git-providers${query}`, { as }))

test('without a client id no flow begins, and a wrong one is named', async () => {
  const ada = await panel.somebody()
  expect(await status(ada)).toEqual({ configured: false, connected: false })
  const gitHub = async () => ok(await panel.call('GET', '/api/git/providers', { as: ada.as }))[0]
  expect(await gitHub()).toMatchObject({ kind: 'GITHUB', ways: ['TOKEN', 'DEVICE'], configured: false })
  expect(refusalIn(await start(ada))).toEqual([409, 'NOT_CONFIGURED'])
  await configure('another')
  expect(refusalIn(await start(ada))).toEqual([409, 'PROVIDER_REFUSED'])
  await configure(CLIENT_ID)
  expect(await status(ada)).toEqual({ configured: true, connected: false })
  expect(await gitHub()).toMatchObject({ configured: true })
})

test('a flow connects a provider once, and only for the account that began it', async () => {
  const [ada, bob] = [await panel.somebody(), await panel.somebody('SUPERADMIN')]
  const { flowId, ...shown } = ok(await start(ada, { name: 'Mine' }))
  expect(shown).toEqual({
    userCode: 'WDJB-MJHT',
    verificationUri: 'https://github.com/login/device',
    intervalSeconds: 5,
  })
  const pending = { state: 'PENDING', intervalSeconds: 5, gitProviderId: null }
  signIn.is('authorization_pending')
  expect(ok(await poll(ada, flowId))).toEqual(pending)
  signIn.is('slow_down')
  expect(ok(await poll(ada, flowId))).toEqual({ ...pending, intervalSeconds: 10 })
  signIn.is('entered')
  expect((await poll(bob, flowId)).status).toBe(404)
  expect(await providers(ada)).toEqual([])

  const end = ok(await poll(ada, flowId))
  expect(end).toEqual({ state: 'AUTHORIZED', intervalSeconds: null, gitProviderId: expect.any(String) })
  expect(ok(await poll(ada, flowId))).toEqual(end)
  expect(await providers(ada)).toMatchObject([
    { id: end.gitProviderId, kind: 'GITHUB', name: 'Mine', account: 'ada', baseUrl: 'https://github.com' },
  ])
  expect(await status(ada)).toEqual({ configured: true, connected: true })
  expect(await status(bob)).toEqual({ configured: true, connected: false })
  const path = `/api/git-providers/${end.gitProviderId}/repos?search=shop`
  expect(ok(await panel.call('GET', path, { as: ada.as })).items).toMatchObject([{ name: REPOSITORY }])
  const dump = await panel.dump()
  for (const secret of [FORGE_TOKEN, 'canary-device-code']) expect(dump).not.toContain(secret)
})

test('a flow that was denied or has expired connects nothing, whatever is entered later', async () => {
  const ada = await panel.somebody()
  for (const [said, state] of [
    ['access_denied', 'DENIED'],
    ['expired_token', 'EXPIRED'],
  ] as const) {
    const { flowId } = ok(await start(ada))
    signIn.is(said)
    const end = { state, intervalSeconds: null, gitProviderId: null }
    expect(ok(await poll(ada, flowId))).toEqual(end)
    signIn.is('entered')
    expect(ok(await poll(ada, flowId))).toEqual(end)
  }
  expect(await providers(ada)).toEqual([])
})

test('a flow shares its provider with a project while its owner may do so', async () => {
  const [owner, stranger] = [await panel.somebody(), await panel.somebody()]
  const projectId = await floor.project(owner)
  const sharing = { projectId, repositories: [REPOSITORY] }
  expect((await start(stranger, sharing)).status).toBe(404)
  expect((await start(owner, { projectId })).status).toBe(400)
  const member = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  signIn.is('entered')
  const [kept, lost] = [ok(await start(owner, sharing)), ok(await start(member, sharing))]
  expect(ok(await poll(owner, kept.flowId)).state).toBe('AUTHORIZED')
  ok(await floor.remove(owner, `/${projectId}/members/${member.memberId}`), 204)
  expect((await poll(member, lost.flowId)).status).toBe(404)
  expect(await providers(owner, `?projectId=${projectId}`)).toMatchObject([sharing])
})
