/** The rules of a server and of the number of servers, without a service. */
import { describe, expect, test } from 'vitest'
import { servers } from '#panel/servers/decider'
import { serverEvents } from '#panel/servers/events'
import { serverRoster } from '#panel/servers/roster/decider'
import { serverRosterEvents } from '#panel/servers/roster/events'
import { AT, given } from '#test/support/decider-spec'
import { FACTS, SERVER_VALUES } from '#test/support/panel/server-examples'

const idOf = (nth: number) => `01890000-0000-7000-8000-${String(nth).padStart(12, '0')}`
const [serverId, installTokenId, registrationId] = [idOf(1), idOf(2), idOf(3)] as [string, string, string]
const DAY_MS = 86_400_000
const after = (ms: number) => new Date(AT.getTime() + ms)
const expiresAt = after(DAY_MS).toISOString()

const added = serverEvents.ServerAdded({ serverId, kind: 'REMOTE', ...SERVER_VALUES })
const issued = serverEvents.ServerInstallTokenIssued({
  serverId,
  installTokenId,
  hash: 'install 1',
  formerHash: null,
  expiresAt,
})
const agent = { registrationId, publicKey: 'key 1', tokenHash: 'agent 1', engineId: 'engine 1', facts: FACTS }
const registered = serverEvents.ServerRegistered({ serverId, installTokenId, ...agent, formerEngineId: null })
const pending = [added, issued]
const running = [...pending, registered]
const offline = serverEvents.ServerWentOffline({ serverId, lastContactAt: AT.toISOString() })
const conflicted = serverEvents.ServerAgentConflicted({ serverId, run: idOf(8), otherRun: idOf(9) })
const reset = serverEvents.ServerReset({ serverId, formerEngineId: 'engine 1' })
const NO_TOKEN = 'Invalid or expired install token'
const TOKEN_OVER = /was used or has expired/

describe('what managers set', () => {
  test('a change keeps what it does not name, releases the former name, and one that changes nothing is none', () => {
    const changed = { ...SERVER_VALUES, name: 'West', cordoned: true }
    given(servers, [added])
      .when('ChangeServer', { changes: { name: 'West', cordoned: true } })
      .then([serverEvents.ServerChanged({ serverId, ...changed, formerName: 'East' })])
    given(servers, [added])
      .when('ChangeServer', { changes: { name: 'East', labels: [] } })
      .then([])
    given(servers)
      .when('ChangeServer', { changes: { name: 'West' } })
      .refused(404, 'Not found')
  })

  test('two spellings of a name are one name', () => {
    const claimsOf = (name: string) =>
      serverEvents.ServerAdded.options.takes!({ serverId, kind: 'REMOTE', ...SERVER_VALUES, name })
    expect(claimsOf('EAST')).toEqual(claimsOf('east'))
    expect(claimsOf('Ｅast')).toEqual(claimsOf('east'))
    expect(claimsOf('east')).toEqual([{ scope: 'serverName', key: 'east' }])
  })

  test('an installation has one local server', () => {
    const takes = serverEvents.ServerAdded.options.takes!({ serverId, kind: 'LOCAL', ...SERVER_VALUES })
    expect(takes).toContainEqual({ scope: 'serverKind', key: 'LOCAL' })
  })
})

describe('install tokens', () => {
  const ask = { installTokenId: idOf(4), hash: 'install 2' }

  test('a token holds for a day, and replaces the one before', () => {
    const next = (formerHash: string | null) =>
      serverEvents.ServerInstallTokenIssued({ serverId, ...ask, formerHash, expiresAt })
    given(servers, [added])
      .when('IssueInstallToken', ask)
      .then([next(null)])
    given(servers, pending)
      .when('IssueInstallToken', ask)
      .then([next('install 1')])
    given(servers, running)
      .when('IssueInstallToken', ask)
      .then([next('install 1')])
    given(servers).when('IssueInstallToken', ask).refused(404, 'Not found')
  })

  test('the command is shown until the token is used or has expired, and each showing is recorded', () => {
    const shown = serverEvents.ServerInstallCommandShown({ serverId, installTokenId })
    given(servers, pending).when('ShowInstallCommand', {}).then([shown])
    given(servers, [...pending, shown])
      .when('ShowInstallCommand', {})
      .then([shown])
    given(servers, pending)
      .when('ShowInstallCommand', {}, { at: after(DAY_MS - 1) })
      .then([shown])
    given(servers, pending)
      .when('ShowInstallCommand', {}, { at: after(DAY_MS) })
      .refused(409, TOKEN_OVER)
    given(servers, running).when('ShowInstallCommand', {}).refused(409, TOKEN_OVER)
    given(servers, [added]).when('ShowInstallCommand', {}).refused(409, TOKEN_OVER)
  })
})

describe('registration', () => {
  const ask = { hash: 'install 1', ...agent }

  test('the token of the server opens it once', () => {
    given(servers, pending).when('Register', ask).then([registered])
    given(servers, pending)
      .when('Register', ask, { at: after(DAY_MS) })
      .refused(401, NO_TOKEN)
    given(servers, pending)
      .when('Register', { ...ask, hash: 'install 2' })
      .refused(401, NO_TOKEN)
    given(servers, [added]).when('Register', ask).refused(401, NO_TOKEN)
    given(servers).when('Register', ask).refused(401, NO_TOKEN)
  })

  test('the agent that used the token may repeat the call, even later, and no other agent may', () => {
    given(servers, running)
      .when('Register', { ...ask, registrationId: idOf(5) })
      .then([])
    given(servers, running)
      .when('Register', ask, { at: after(2 * DAY_MS) })
      .then([])
    given(servers, running)
      .when('Register', { ...ask, publicKey: 'key 2' })
      .refused(401, NO_TOKEN)
  })

  test('after a reset, the used token opens nothing, not even for the agent that used it', () => {
    given(servers, [...running, reset])
      .when('Register', ask)
      .refused(401, NO_TOKEN)
  })

  test('a new token lets another agent take the place of the present one, which runs on until then', () => {
    const next = serverEvents.ServerInstallTokenIssued({
      serverId,
      installTokenId: idOf(4),
      hash: 'install 2',
      formerHash: 'install 1',
      expiresAt,
    })
    const spec = given(servers, [...running, next, conflicted])
    expect(spec.state).toMatchObject({ agent: { tokenHash: 'agent 1' } })
    const other = { ...agent, registrationId: idOf(5), publicKey: 'key 2', tokenHash: 'agent 2', engineId: 'engine 2' }
    const replaced = serverEvents.ServerRegistered({
      serverId,
      installTokenId: idOf(4),
      ...other,
      formerEngineId: 'engine 1',
    })
    spec.when('Register', { hash: 'install 2', ...other }).then([replaced])
    expect(given(servers, [...running, next, conflicted, offline, replaced]).state).toMatchObject({
      agent: { tokenHash: 'agent 2', tokenNth: 0 },
      isConflicted: false,
      isOffline: false,
    })
  })
})

describe('the agent', () => {
  test('its token is replaced once for each successor', () => {
    const rotated = serverEvents.ServerTokenRotated({ serverId, tokenHash: 'agent 2', nth: 1 })
    given(servers, running).when('RotateToken', { tokenHash: 'agent 2' }).then([rotated])
    given(servers, [...running, rotated])
      .when('RotateToken', { tokenHash: 'agent 2' })
      .then([])
    given(servers, [...running, rotated])
      .when('RotateToken', { tokenHash: 'agent 3' })
      .then([serverEvents.ServerTokenRotated({ serverId, tokenHash: 'agent 3', nth: 2 })])
    for (const events of [[], pending, [...running, reset]])
      given(servers, events).when('RotateToken', { tokenHash: 'agent 2' }).refused(404, 'Not found')
  })

  test('what it tells is recorded when it is new, with the engine that it leaves', () => {
    const same = { engineId: 'engine 1', facts: { ...FACTS, kinds: { ...FACTS.kinds } } }
    given(servers, running).when('NoteFacts', same).then([])
    const facts = { ...FACTS, engine: null }
    given(servers, running)
      .when('NoteFacts', { engineId: null, facts })
      .then([serverEvents.ServerFactsChanged({ serverId, engineId: null, facts, formerEngineId: 'engine 1' })])
    given(servers, pending).when('NoteFacts', same).refused(404, 'Not found')
  })

  test('what it tells changes once a minute, and the first change after a registration at once', () => {
    const told = (version: string) => ({ engineId: 'engine 1', facts: { ...FACTS, version } })
    const changed = (version: string) =>
      serverEvents.ServerFactsChanged({ serverId, ...told(version), formerEngineId: 'engine 1' })
    const once = [...running, changed('2')]
    for (const ms of [0, 59_999])
      given(servers, once)
        .when('NoteFacts', told('3'), { at: after(ms) })
        .then([])
    given(servers, once)
      .when('NoteFacts', told('3'), { at: after(60_000) })
      .then([changed('3')])
    given(servers, once)
      .when('NoteFacts', told('3'), { at: after(-3_600_000) })
      .then([changed('3')])
    expect(given(servers, [...once, registered]).state).toMatchObject({ agent: { factsAt: null } })
  })

  test('its silence and its return are one event each, and a server without an agent cannot be silent', () => {
    const silence = { lastContactAt: AT.toISOString() }
    const back = serverEvents.ServerCameBack({ serverId })
    given(servers, running).when('GoOffline', silence).then([offline])
    given(servers, [...running, offline])
      .when('GoOffline', silence)
      .then([])
    for (const events of [[], pending]) given(servers, events).when('GoOffline', silence).then([])
    given(servers, [...running, offline])
      .when('ComeBack', {})
      .then([back])
    for (const events of [[], running, [...running, offline, back], [...running, offline, reset]])
      given(servers, events).when('ComeBack', {}).then([])
  })

  test('a second process with its token is recorded once, until an agent registers again', () => {
    const runs = { run: idOf(8), otherRun: idOf(9) }
    given(servers, running).when('NoteConflict', runs).then([conflicted])
    for (const events of [[], pending, [...running, conflicted]])
      given(servers, events).when('NoteConflict', runs).then([])
  })
})

describe('reset and removal', () => {
  test('a reset leads back from every state, and frees the engine', () => {
    for (const events of [running, [...running, offline], [...running, conflicted]]) {
      given(servers, events).when('Reset', {}).then([reset])
      expect(given(servers, [...events, reset]).state).toMatchObject({
        agent: null,
        isOffline: false,
        isConflicted: false,
      })
    }
    given(servers, pending)
      .when('Reset', {})
      .then([serverEvents.ServerReset({ serverId, formerEngineId: null })])
    given(servers).when('Reset', {}).refused(404, 'Not found')
  })

  test('a removal frees name, token and engine; the local server stays', () => {
    const freed = { formerHash: 'install 1', formerEngineId: 'engine 1' }
    const removed = serverEvents.ServerRemoved({ serverId, name: 'East', ...freed })
    given(servers, running).when('Remove', {}).then([removed])
    expect(serverEvents.ServerRemoved.options.releases!(removed.data)).toEqual([
      { scope: 'serverName', key: 'east' },
      { scope: 'installToken', key: 'install 1' },
      { scope: 'serverEngine', key: 'engine 1' },
    ])
    given(servers, [...running, removed])
      .when('Remove', {})
      .refused(404, 'Not found')
    const local = serverEvents.ServerAdded({ serverId, kind: 'LOCAL', ...SERVER_VALUES })
    given(servers, [local])
      .when('Remove', {})
      .refused(409, /^The local server/)
  })
})

describe('the number of servers', () => {
  const enrolled = serverRosterEvents.ServerEnrolled({ serverId })

  test('the license bounds it, a server counts once, and a struck one makes room', () => {
    const ask = { serverId, plan: 'free', serversMax: 1 }
    given(serverRoster).when('Enrol', ask).then([enrolled])
    given(serverRoster, [enrolled]).when('Enrol', ask).then([])
    given(serverRoster, [enrolled])
      .when('Enrol', { ...ask, serverId: idOf(2) })
      .refused(402, 'The plan free allows 1 server: upgrade it or delete a server')
    given(serverRoster, [enrolled])
      .when('Enrol', { serverId: idOf(2), plan: 'team' })
      .then([serverRosterEvents.ServerEnrolled({ serverId: idOf(2) })])
    const struck = serverRosterEvents.ServerStruck({ serverId })
    given(serverRoster, [enrolled]).when('Strike', { serverId }).then([struck])
    given(serverRoster).when('Strike', { serverId }).then([])
    given(serverRoster, [enrolled, struck])
      .when('Enrol', { ...ask, serverId: idOf(2) })
      .then([serverRosterEvents.ServerEnrolled({ serverId: idOf(2) })])
  })
})
