/** What deliveries say of pull requests, and what becomes of previews in whichever order they come. Without a service. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { variablesIn } from '#panel/applications/env/effective'
import { isWide } from '#panel/applications/preview-domains/rules'
import { previewOf, previews } from '#panel/applications/previews/decider'
import { NO_PREVIEWS } from '#panel/applications/previews/events'
import { hintOf } from '#panel/applications/webhook/pushes'
import * as told from '../../support/panel/webhooks/pull-requests.ts'
import type { Happened, PullRequestSender, Told } from '../../support/panel/webhooks/pull-requests.ts'

const hint = (sender: PullRequestSender, what: Happened, more: Told = {}) => {
  const { headers, body } = told.deliveredBy(sender, 'secret', what, more)
  const event =
    headers['x-gitea-event'] ?? headers['x-github-event'] ?? headers['x-gitlab-event'] ?? headers['x-event-key']
  return hintOf(sender, event!, Buffer.from(body))
}
const OTHER = { kind: 'OTHER' }

test.each(told.PULL_REQUEST_SENDERS)('%s tells that one is open, has new commits, or is closed', (sender) => {
  const at = '2026-06-01T12:00:00.000Z'
  const of = { kind: 'PULL_REQUEST', number: 12, asOf: at, ref: told.REF_OF[sender](12), into: 'main' }
  for (const what of ['opened', 'pushed', 'reopened'] as const)
    expect(hint(sender, what, { number: 12 })).toEqual({ ...of, isOpen: true })
  expect(hint(sender, 'closed', { number: 12 })).toEqual({ ...of, isOpen: false })
  expect(hint(sender, 'opened', { into: 'stable' })).toMatchObject({ into: 'stable' })
})

test.each(told.PULL_REQUEST_SENDERS)('one of a fork, and what changes no commit, says nothing: %s', (sender) => {
  for (const what of ['opened', 'pushed', 'closed'] as const)
    expect(hint(sender, what, { isFork: true })).toEqual(OTHER)
  expect(hint(sender, 'labeled')).toEqual(OTHER)
})

test('one whose fork is gone, whose branch no git has, or whose shape is another says nothing', () => {
  const read = (sender: PullRequestSender, event: string, payload: object) =>
    hintOf(sender, event, Buffer.from(JSON.stringify(payload)))
  const { pull_request: of, ...rest } = told.gitHubPullRequest('opened')
  const gone = { ...rest, pull_request: { ...of, head: { ...of.head, repo: null } } }
  expect(read('GITHUB', 'pull_request', gone)).toEqual(OTHER)
  for (const branch of ['a..b', 'a b', 'x'.repeat(300), ''])
    expect(read('BITBUCKET', 'pullrequest:created', told.bitbucketPullRequest('opened', { branch }))).toEqual(OTHER)
  for (const number of [0, -1, 1.5, 2 ** 40])
    expect(read('GITHUB', 'pull_request', told.gitHubPullRequest('opened', { number }))).toEqual(OTHER)
  expect(read('GITLAB', 'Merge Request Hook', { object_attributes: null })).toEqual(OTHER)
  expect(read('GITLAB', 'Merge Request Hook', [])).toEqual(OTHER)
})

test('a time that is none is left out, and every form of one is understood', () => {
  const asOf = (at: string) => hint('GITLAB', 'opened', { at })
  expect(asOf('2017-09-15 16:54:55 UTC')).toMatchObject({ asOf: '2017-09-15T16:54:55.000Z' })
  expect(asOf('2018-02-05T22:08:31.123456+02:00')).toMatchObject({ asOf: '2018-02-05T20:08:31.123Z' })
  expect(asOf('yesterday')).toMatchObject({ asOf: null })
})

const idOf = (nth: number) => `01890000-0000-7000-8000-${String(nth).padStart(12, '0')}`
const about = { applicationId: idOf(1), projectId: idOf(2), environmentId: idOf(3), serverId: idOf(4) }
const NOW = new Date('2026-06-01T12:00:00.000Z')
type State = typeof previews.initial
const timeOf = (second: number) => new Date(NOW.getTime() - 1_000_000 + second * 1_000).toISOString()

let ids = 10
/** As the workflow follows a delivery. */
function follow(state: State, { pullRequest, isOpen, second, limit }: Delivered & { limit: number }, at = NOW): State {
  const asOf = timeOf(second)
  const known = previewOf(state, pullRequest)
  const { serverId: _s, ...of } = about
  const previewId = known?.id ?? idOf((ids += 1))
  const decided = !isOpen
    ? previews.commands.NoteClosed(state, { ...about, previewId, pullRequest, asOf })
    : known
      ? previews.commands.Update(state, { ...of, previewId, deploymentId: idOf(5), asOf })
      : previews.commands.Open(state, {
          ...about,
          previewId,
          pullRequest,
          ref: 'refs/pull/1/head',
          repository: 'https://x',
          asOf,
          limit,
        })
  return decided.reduce((now: State, event) => previews.evolve(now, event, at), state)
}
interface Delivered {
  readonly pullRequest: number
  readonly isOpen: boolean
  readonly second: number
}
const isOpenIn = (state: State, pullRequest: number) => previewOf(state, pullRequest) !== undefined

test('in whichever order deliveries come, and however often, the last that the provider told is right', () => {
  const history = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 })
  const delivered = history.chain((states) => {
    const all = states.map((isOpen, second) => ({ pullRequest: 7, isOpen, second }))
    const again = fc.subarray(all)
    return again.chain((more) =>
      fc
        .shuffledSubarray([...all, ...more], { minLength: all.length + more.length })
        .map((order) => ({ isOpen: states.at(-1)!, order })),
    )
  })
  fc.assert(
    fc.property(delivered, ({ isOpen, order }) => {
      const last = order.reduce((state, each) => follow(state, { ...each, limit: 5 }), previews.initial)
      expect(isOpenIn(last, 7)).toBe(isOpen)
    }),
  )
})

test('a preview that was removed comes back by what the provider tells later, and by nothing older', () => {
  const opened = follow(previews.initial, { pullRequest: 7, isOpen: true, second: 10, limit: 5 })
  const { id } = previewOf(opened, 7)!
  const removed = previews.commands
    .Close(opened, { about, previewId: id, why: 'REMOVED' })
    .reduce((now: State, event) => previews.evolve(now, event, NOW), opened)
  expect(isOpenIn(removed, 7)).toBe(false)
  expect(previews.commands.Close(removed, { about, previewId: id, why: 'IDLE' })).toEqual([])
  const later = (second: number) => follow(removed, { pullRequest: 7, isOpen: true, second, limit: 5 })
  expect([9, 10, 11].map((second) => isOpenIn(later(second), 7))).toEqual([false, false, true])
})

test('no more than the limit are open, whatever comes', () => {
  const one = fc.record({ pullRequest: fc.integer({ min: 1, max: 9 }), isOpen: fc.boolean() })
  const input = fc.record({ limit: fc.integer({ min: 1, max: 4 }), all: fc.array(one, { maxLength: 60 }) })
  let isRefused = false
  fc.assert(
    fc.property(input, ({ limit, all }) => {
      let state = previews.initial
      for (const [second, each] of all.entries()) {
        try {
          state = follow(state, { ...each, second, limit })
        } catch (error) {
          expect((error as Rejection).code).toBe('TOO_MANY')
          expect(Object.keys(state.open)).toHaveLength(limit)
          isRefused = true
        }
        expect(Object.keys(state.open).length).toBeLessThanOrEqual(limit)
      }
    }),
  )
  expect(isRefused).toBe(true)
})

test('what was closed is remembered for a month, so that the state does not grow for ever', () => {
  const DAY_MS = 86_400_000
  let state = previews.initial
  for (let nth = 1; nth <= 100; nth += 1) {
    const at = new Date(NOW.getTime() + nth * DAY_MS)
    state = follow(state, { pullRequest: nth, isOpen: false, second: nth, limit: 5 }, at)
  }
  expect(Object.keys(state.closed).length).toBeGreaterThan(25)
  expect(Object.keys(state.closed).length).toBeLessThan(35)
})

const variable = (name: string, value: string, secret = false) => ({ name, value, secret, when: 'RUN' as const })
const byName = (...all: ReturnType<typeof variable>[]) => Object.fromEntries(all.map((each) => [each.name, each]))
const [ACTIVE, NAMED] = [idOf(7), idOf(8)]
const env = {
  variables: byName(variable('COLOR', 'red'), variable('PASSWORD', 'p', true), variable('MODE', 'own')),
  sets: {
    [ACTIVE]: { id: ACTIVE, name: 'live', variables: byName(variable('MODE', 'live'), variable('KEY', 'k', true)) },
    [NAMED]: { id: NAMED, name: 'previews', variables: byName(variable('DATABASE', 'd', true)) },
  },
  activeSetId: ACTIVE,
}
const shared = { row: { id: 'row', name: 'SHARED', value: 's', environmentId: null } } as never

test.each([
  ['of an application are all of them', null, { SHARED: 's', COLOR: 'red', PASSWORD: 'p', MODE: 'live', KEY: 'k' }],
  ['of a preview are those that are no secrets', { setId: null }, { COLOR: 'red', MODE: 'live' }],
  ['of a preview are those of the set that is named', { setId: NAMED }, { DATABASE: 'd' }],
  ['of a preview are none if that set is gone', { setId: idOf(9) }, {}],
] as const)('the variables %s', (_what, of, expected) => {
  const application = { ...about, id: idOf(1) }
  const place = of === null ? application : { ...application, preview: {}, previews: { ...NO_PREVIEWS, ...of } }
  const all = variablesIn(place, shared, env).filter(({ inEffect }) => inEffect)
  expect(Object.fromEntries(all.map(({ name, value }) => [name, value]))).toEqual(expected)
})

test('a domain is wide that many register names under, or that the panel is at', () => {
  const wide = ['co.uk', 'example.com', 'panel.corp.example.com', 'corp.example.com']
  const narrow = [
    'p.example.com',
    'x.corp.example.com',
    'corp2.example.com',
    'l.corp.example.com',
    'x.panel.corp.example.com',
  ]
  const isWideHere = (domain: string) => isWide(domain, 'panel.corp.example.com')
  expect([...wide, ...narrow].filter(isWideHere)).toEqual(wide)
})
