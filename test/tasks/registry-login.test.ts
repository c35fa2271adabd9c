/** Logins at registries: what is sent where, and that only words of this project are told. */
import { afterAll, expect, test } from 'vitest'
import { checkRegistryLogin, registryUrl } from '../../src/tasks/registry-login.ts'
import { basic, byBasic, byToken, registryDouble } from '../support/registry-double.ts'

const registry = await registryDouble()
const tokens = await registryDouble()
afterAll(() => Promise.all([registry.close(), tokens.close()]))

const ADA = { username: 'ada', password: 'pä$$ word' }
const check = (more: object = {}, ms = 5_000) =>
  checkRegistryLogin({ address: registry.address, ...ADA, publicOnly: false, ...more }, AbortSignal.timeout(ms))
const PASSED = { ok: true, step: null, reason: null }
const failedAt = (step: string, reason: unknown = expect.any(String)) => ({ ok: false, step, reason })

test('a registry that asks for Basic gets the login only after it has asked', async () => {
  registry.answer(byBasic(ADA.username, ADA.password))
  registry.heard.length = 0
  expect(await check()).toEqual(PASSED)
  expect(registry.heard).toEqual([
    ['/v2/', undefined],
    ['/v2/', basic(ADA.username, ADA.password)],
  ])
  expect(await check({ password: 'wrong' })).toEqual(failedAt('LOGIN', 'it refuses the user name or the password'))
})

test('a token is fetched from the service that the registry names, and shown to the registry', async () => {
  registry.answer(byToken(`http://${tokens.address}/token?a=1`, 'a.token'))
  tokens.answer(({ headers }, response) =>
    headers.authorization === basic(ADA.username, ADA.password)
      ? response.end(JSON.stringify({ access_token: 'a.token' }))
      : response.writeHead(401).end('the words of the other side'),
  )
  tokens.heard.length = 0
  expect(await check()).toEqual(PASSED)
  expect(tokens.heard).toEqual([['/token?a=1&service=the+registry&account=ada', basic(ADA.username, ADA.password)]])
  expect(await check({ password: 'wrong' })).toEqual(failedAt('LOGIN', 'it refuses the user name or the password'))
  for (const text of ['no JSON', '{}', '{"token":"a\\r\\nb"}', '{"token":7}']) {
    tokens.answer((_request, response) => response.end(text))
    expect(await check(), text).toEqual(failedAt('TOKEN', 'its token service gives no token'))
  }
})

test.each([
  ['a status of another service', { status: 500 }, 'PROTOCOL'],
  ['a redirect', { status: 302, headers: { Location: 'http://127.0.0.1:1/v2/' } }, 'PROTOCOL'],
  ['no challenge', { status: 401 }, 'PROTOCOL'],
  ['a scheme that no registry has', { status: 401, headers: { 'WWW-Authenticate': 'Digest realm="x"' } }, 'PROTOCOL'],
  ['no realm', { status: 401, headers: { 'WWW-Authenticate': 'Bearer service="x"' } }, 'PROTOCOL'],
  ['a realm that is no URL', { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="file:///x"' } }, 'PROTOCOL'],
  [
    'a realm without TLS',
    { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="http://a.example/"' } },
    'TOKEN',
  ],
])('%s ends the check, and nothing of it is told', async (_what, { status, headers = {} }: any, step) => {
  registry.answer((_request, response) => response.writeHead(status, headers).end('the words of the other side'))
  expect(await check()).toEqual(failedAt(step))
  expect(JSON.stringify(await check())).not.toContain('words of the other side')
})

test('what does not answer is told by the code of the connection, in time', async () => {
  expect(await check({ address: '127.0.0.1:1025' })).toEqual(failedAt('CONNECT', 'ECONNREFUSED'))
  registry.answer(() => {})
  expect(await check({}, 100)).toEqual(failedAt('CONNECT', 'no response in time'))
})

test('in a project, neither the registry nor its token service may be inside', async () => {
  registry.heard.length = 0
  expect(await check({ publicOnly: true })).toEqual(failedAt('CONNECT', 'the address is not public'))
  for (const address of ['10.0.0.1', '169.254.169.254', '[::1]:5000', '[::ffff:10.0.0.1]'])
    expect(await check({ address, publicOnly: true }), address).toEqual(
      failedAt('CONNECT', 'the address is not public'),
    )
  expect(registry.heard).toEqual([])
})

test.each([
  ['of a project', true],
  ['of the platform', false],
])('a token service inside is not called, although its registry %s is public', async (_whose, publicOnly) => {
  const realm = `http://127.0.0.2:${tokens.address.split(':')[1]}/token`
  registry.answer(byToken(realm, 'a.token'))
  tokens.heard.length = 0
  const login = { address: registry.address, ...ADA, publicOnly }
  const checked = await checkRegistryLogin(login, AbortSignal.timeout(5_000), { allow: ['127.0.0.1'] })
  expect(checked).toEqual(failedAt('TOKEN', 'its token service: the address is not public'))
  expect(tokens.heard).toEqual([])
})

test('engines speak plain HTTP to this host alone', () => {
  expect(registryUrl('localhost:5000')?.href).toBe('http://localhost:5000/v2/')
  expect(registryUrl('127.9.9.9:5000')?.protocol).toBe('http:')
  expect(registryUrl('127.0.0.1.example.com')?.protocol).toBe('https:')
  expect(registryUrl('docker.io')?.href).toBe('https://registry-1.docker.io/v2/')
  for (const address of ['', 'a b', 'host/path', 'user@host', 'host?x', 'host#x', 'host:22', 'host:99999'])
    expect(registryUrl(address), address).toBeUndefined()
})
