/** Updates of agents: who is sent one, in which order, and what a failure ends. */
import { describe, expect, test } from 'vitest'
import { chooseServers, SERVERS_MAX } from '#panel/agent/updates/candidates'
import { agentUpdates, SENT_AT_ONCE_MAX } from '#panel/agent/updates/decider'
import { agentUpdateEvents } from '#panel/agent/updates/events'
import type { ServerFacts } from '#panel/servers/events'
import type { AgentRelease } from '../../../src/tasks/agent-release.ts'
import { given } from '../../support/decider-spec.ts'
import { FACTS } from '../../support/panel/server-examples.ts'

const idOf = (nth: number) => `01890000-0000-7000-8000-${String(nth).padStart(12, '0')}`
const UPDATE = idOf(999_999)
const [task, server] = [(nth: number) => idOf(100_000 + nth), idOf]
const signed = { sha256: 'a'.repeat(64), signature: 'A'.repeat(86) }
const newTaskIds = Array.from({ length: SENT_AT_ONCE_MAX }, (_, nth) => task(50 + nth))
const { AgentUpdateAsked, AgentUpdateAdvanced, AgentUpdateHalted, AgentUpdateEnded } = agentUpdateEvents

const asked = (count: number) =>
  AgentUpdateAsked({
    agentUpdateId: UPDATE,
    version: '1.1.0',
    executables: { amd64: signed },
    first: { serverId: server(0), taskId: task(0) },
    servers: Array.from({ length: count }, (_, nth) => ({ serverId: server(nth), arch: 'amd64' as const })),
  })
const end = (taskId: string, code: string | null = null) => ({ taskId, code, newTaskIds })
const about = { agentUpdateId: UPDATE }
const sentTo = (from: number, count: number) =>
  Array.from({ length: count }, (_, nth) => ({ serverId: server(from + nth), taskId: newTaskIds[nth]! }))

const none: [] = []
const halted = (code: string) => AgentUpdateHalted({ ...about, serverId: server(0), code })

describe('an update', () => {
  test('of one server ends with it', () =>
    given(agentUpdates, [asked(1)])
      .when('NoteEnd', end(task(0)))
      .then([
        AgentUpdateAdvanced({ ...about, serverId: server(0), updated: 1, next: [] }),
        AgentUpdateEnded({ ...about, updated: 1 }),
      ]))

  test('is sent to ten more when the first agent has told the new version, and to none before', () =>
    given(agentUpdates, [asked(20)])
      .when('NoteEnd', end(task(0)))
      .then([AgentUpdateAdvanced({ ...about, serverId: server(0), updated: 1, next: sentTo(1, 10) })]))

  test('is sent to one more for each that has ended', () => {
    const ten = AgentUpdateAdvanced({ ...about, serverId: server(0), updated: 1, next: sentTo(1, 10) })
    const next = [{ serverId: server(11), taskId: task(90) }]
    given(agentUpdates, [asked(20), ten])
      .when('NoteEnd', { ...end(newTaskIds[4]!), newTaskIds: [task(90)] })
      .then([AgentUpdateAdvanced({ ...about, serverId: server(5), updated: 2, next })])
  })

  test.each(['TAKEN_BACK', 'EXPIRED'])('is halted by %s, and nothing follows', (code) => {
    given(agentUpdates, [asked(3)])
      .when('NoteEnd', end(task(0), code))
      .then([halted(code)])
    given(agentUpdates, [asked(3), halted(code)])
      .when('NoteEnd', end(task(0)))
      .then(none)
  })

  test('hears of each task once, and of no foreign one', () => {
    const advanced = AgentUpdateAdvanced({ ...about, serverId: server(0), updated: 1, next: sentTo(1, 2) })
    given(agentUpdates, [asked(3), advanced])
      .when('NoteEnd', end(task(0)))
      .then(none)
    given(agentUpdates, [asked(3)])
      .when('NoteEnd', end(task(7), 'FAILED'))
      .then(none)
  })

  test('whose agent is silent is halted, once', () => {
    given(agentUpdates, [asked(3)])
      .when('HaltSilent', {})
      .then([halted('NOT_REPORTED')])
    given(agentUpdates, [asked(3), halted('NOT_REPORTED')])
      .when('HaltSilent', {})
      .then(none)
  })
})

const release = {
  version: '1.1.0',
  executables: { amd64: { ...signed, file: 'a.gz', bytes: 1 } },
} satisfies AgentRelease
const kinds = { 'agent.update': 1 }
const candidate = (nth: number, facts: Partial<ServerFacts> | null = {}, more = {}) => ({
  id: server(nth),
  kind: 'REMOTE' as const,
  isConflicted: false,
  ...more,
  facts: facts && { ...FACTS, version: '1.0.0', kinds, ...facts },
})

test('an update is for agents that are online and older, and says why not for each other one', () => {
  const all = [
    candidate(0),
    candidate(1, {}, { kind: 'LOCAL' }),
    candidate(2, null),
    candidate(3, {}, { isConflicted: true }),
    candidate(4),
    candidate(5, { kinds: {} }),
    candidate(6, { kinds: { 'agent.update': 2 } }),
    candidate(7, { version: '1.1.0' }),
    candidate(8, { version: '1.2.0' }),
    candidate(9, { arch: 'arm64' }),
    candidate(10, { arch: 'riscv64' }),
    candidate(11, { version: '1.1.0-beta.1' }),
  ]
  const { servers, skipped } = chooseServers(all, { release, isReachable: (id) => id !== server(4) })
  expect(servers.map(({ serverId }) => serverId)).toEqual([server(0), server(11)])
  expect(skipped.map(({ reason }) => reason)).toEqual([
    'LOCAL',
    'NOT_INSTALLED',
    'CONFLICTED',
    'OFFLINE',
    'BY_HAND',
    'BY_HAND',
    'CURRENT',
    'CURRENT',
    'NOT_BUILT',
    'NOT_BUILT',
  ])
})

test('an update is for 1,000 servers at most', () => {
  const all = Array.from({ length: SERVERS_MAX + 2 }, (_, nth) => candidate(nth))
  const { servers, skipped } = chooseServers(all, { release, isReachable: () => true })
  expect([servers.length, skipped.map(({ reason }) => reason)]).toEqual([SERVERS_MAX, ['LATER', 'LATER']])
})
