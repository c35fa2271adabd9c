/** The rules of API keys without a service: first single decisions, then a model of any number of keys. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { ACTIVE_KEYS_MAX, apiKeys } from '#panel/api-keys/decider'
import { apiKeyEvents } from '#panel/api-keys/events'
import { AT, given } from '#test/support/decider-spec'

const DAY_MS = 86_400_000
const OWNER = '01890000-0000-7000-8000-0000000000aa'
const KNOWN = ['platform:projects:manage', 'platform:projects:view']
const SUPERADMIN = { id: OWNER, role: 'SUPERADMIN' } as const
const USER = { id: OWNER, role: 'USER' } as const
const iso = (ms: number) => new Date(AT.getTime() + ms).toISOString()
const idOf = (n: number) => `01890000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`

const about = (n: number, ownerId: string | null = OWNER) => ({ apiKeyId: idOf(n), ownerId, prefix: 'dbk_abcdefgh' })
const terms = (n = 1, more: object = {}) => ({
  ...about(n),
  name: 'CI',
  hash: `hash ${n}`,
  scopes: ['platform:projects:view'],
  projectIds: null,
  allowedIps: [],
  expiresAt: null as string | null,
  ...more,
})
const ask = (n = 1, more: object = {}) => ({ ...terms(n), by: USER, known: KNOWN, isForOther: false, ...more })
const minted = (n = 1, more: object = {}) => apiKeyEvents.ApiKeyMinted(terms(n, more))
const many = (count: number, more: object = {}) => Array.from({ length: count }, (_, n) => minted(n + 1, more))
const mint = (more: object = {}, events: ReturnType<typeof many> = []) =>
  given(apiKeys, events).when('MintKey', ask(99, more))

describe('mint', () => {
  test('records what was asked', () => mint().then([minted(99)]))

  test('keeps the scopes that there are, each once and in one order, and drops the others', () => {
    const scopes = ['nonsense', 'platform:projects:view', '__proto__', KNOWN[0]!, 'platform:projects:view', '*']
    mint({ scopes }).then([minted(99, { scopes: KNOWN })])
  })

  test.each([[[]], [['*', 'projects:view', 'PLATFORM:PROJECTS:VIEW', 'platform:projects:*', '']]])(
    'refuses %j: nothing valid is left',
    (scopes) => mint({ scopes }).refused(400, 'No valid scope is given: send at least one'),
  )

  test.each([
    [-1, 'expiresAt must be in the future'],
    [0, 'expiresAt must be in the future'],
    [1, undefined],
    [365 * DAY_MS - 1, undefined],
    [365 * DAY_MS, 'expiresAt must be less than 365 days ahead'],
  ])('an expiry %d ms ahead: %s', (ms, message) => {
    const asked = mint({ expiresAt: iso(ms) })
    if (message === undefined) asked.then([minted(99, { expiresAt: iso(ms) })])
    else asked.refused(400, message)
  })

  test.each([
    ['a MACHINE key', { ownerId: null, isForOther: true }],
    ['a key of another', { isForOther: true }],
  ])('%s is minted by a SUPERADMIN alone', (_what, more) => {
    for (const role of ['USER', 'ADMIN'])
      mint({ ...more, by: { id: OWNER, role } }).refused(
        403,
        'Only a SUPERADMIN can create MACHINE keys and keys of other accounts',
      )
    expect(mint({ ...more, by: SUPERADMIN }).events()).toHaveLength(1)
  })

  test('the 51st active one is refused, whoever it belongs to', () => {
    expect(mint({}, many(49)).events()).toHaveLength(1)
    mint({}, many(50)).refused(409, 'An account holds at most 50 active API keys')
    mint({ ownerId: null }, many(50, { ownerId: null })).refused(
      409,
      'The installation holds at most 50 active MACHINE keys',
    )
  })

  test('revoked, deleted and expired ones do not count', () => {
    const full = many(49)
    const gone = [apiKeyEvents.ApiKeyRevoked(about(50)), apiKeyEvents.ApiKeyDeleted(about(50))]
    for (const event of gone)
      expect(
        given(apiKeys, [...full, minted(50), event])
          .when('MintKey', ask(99))
          .events(),
      ).toHaveLength(1)
    const mortal = [...full, minted(50, { expiresAt: iso(1_000) })]
    const later = (ms: number) => given(apiKeys, mortal).when('MintKey', ask(99), { at: new Date(AT.getTime() + ms) })
    later(999).refused(409, 'An account holds at most 50 active API keys')
    expect(later(1_000).events()).toHaveLength(1)
  })
})

test('a key is idle once for each time that it is not used for 90 days, and only while it is good', () => {
  const idle = (day: number) => apiKeyEvents.ApiKeyIdleNoted({ ...about(1), idleSince: iso(day * DAY_MS) })
  const noted = (day: number): [ReturnType<typeof idle>, Date] => [
    idle(day - 90),
    new Date(AT.getTime() + day * DAY_MS),
  ]
  const note = (events: Parameters<typeof given<typeof apiKeys>>[1], since: number, day: number) =>
    given(apiKeys, events).when(
      'NoteIdle',
      { apiKeyId: idOf(1), idleSince: iso(since * DAY_MS) },
      { at: new Date(AT.getTime() + day * DAY_MS) },
    )
  note([minted()], 0, 90).then([idle(0)])
  note([minted()], 0, 89.9).then([])
  note([minted(), noted(90)], 0, 91).then([])
  note([minted(), noted(90)], 100, 190).then([idle(100)])
  note([minted(), apiKeyEvents.ApiKeyRevoked(about(1))], 0, 90).then([])
  note([minted(1, { expiresAt: iso(90 * DAY_MS) })], 0, 90).then([])
  note([], 0, 90).then([])
})

describe('revoke and delete', () => {
  test('name the key and its owner', () => {
    given(apiKeys, [minted()])
      .when('RevokeKey', { apiKeyId: idOf(1) })
      .then([apiKeyEvents.ApiKeyRevoked(about(1))])
    given(apiKeys, [minted()])
      .when('DeleteKey', { apiKeyId: idOf(1) })
      .then([apiKeyEvents.ApiKeyDeleted(about(1))])
    expect(apiKeyEvents.ApiKeyRevoked.sentence(about(1))).toBe(`revoked API key ${idOf(1)} (dbk_abcdefgh) of ${OWNER}`)
    expect(apiKeyEvents.ApiKeyDeleted.sentence(about(1, null))).toBe(`deleted MACHINE key ${idOf(1)} (dbk_abcdefgh)`)
  })

  test('are answered when they hold', () => {
    for (const { options } of [apiKeyEvents.ApiKeyRevoked, apiKeyEvents.ApiKeyDeleted])
      expect(options.strict).toBe(true)
  })

  test('a second revocation is recorded and changes nothing', () => {
    const events = [minted(), apiKeyEvents.ApiKeyRevoked(about(1))]
    given(apiKeys, events)
      .when('RevokeKey', { apiKeyId: idOf(1) })
      .then([apiKeyEvents.ApiKeyRevokeRepeated(about(1))])
  })

  test('what is deleted or never was is not found', () => {
    for (const events of [[], [minted(), apiKeyEvents.ApiKeyDeleted(about(1))]])
      for (const command of ['RevokeKey', 'DeleteKey'] as const)
        given(apiKeys, events)
          .when(command, { apiKeyId: idOf(1) })
          .refused(404, 'Not found')
  })

  test('all at once: those that are not revoked', () => {
    const events = [
      minted(1),
      minted(2),
      minted(3),
      apiKeyEvents.ApiKeyRevoked(about(1)),
      apiKeyEvents.ApiKeyDeleted(about(2)),
    ]
    given(apiKeys, events)
      .when('RevokeAll', {})
      .then([apiKeyEvents.ApiKeyRevoked(about(3))])
  })
})

/** One step in the life of an owner's keys, some time after the previous one. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('mint' as const), forMs: fc.option(fc.integer({ min: 1, max: 90 })) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('revoke' as const, 'delete' as const), nth: fc.nat(80) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

test('a mint is refused exactly when 50 are active, whatever happened before', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.nat(2)), { minLength: 80, maxLength: 200 }), (steps) => {
      let state = apiKeys.initial
      let nowMs = AT.getTime()
      const model: { id: string; endsMs: number }[] = []
      const decide = (one: Step, n: number) => {
        const at = new Date(nowMs)
        const deciding = { at, actor: { type: 'USER', id: OWNER } }
        if (one.kind === 'mint') {
          const expiresAt = one.forMs === null ? null : new Date(nowMs + one.forMs).toISOString()
          return apiKeys.commands.MintKey(state, ask(n, { expiresAt }), deciding)
        }
        const apiKeyId = idOf(one.nth)
        return apiKeys.commands[one.kind === 'revoke' ? 'RevokeKey' : 'DeleteKey'](state, { apiKeyId })
      }
      steps.forEach(([one, afterMs], n) => {
        nowMs += afterMs
        const active = model.filter(({ endsMs }) => endsMs > nowMs).length
        const events = refusedOr(() => decide(one, n))
        if (one.kind === 'mint') expect(events === undefined).toBe(active >= ACTIVE_KEYS_MAX)
        for (const event of events ?? []) state = apiKeys.evolve(state, event, new Date(nowMs))
        if (one.kind === 'mint' && events)
          model.push({ id: idOf(n), endsMs: one.forMs === null ? Infinity : nowMs + one.forMs })
        if (one.kind !== 'mint') for (const each of model) if (each.id === idOf(one.nth)) each.endsMs = 0
      })
    }),
    { numRuns: 200 },
  )
})

function refusedOr<Result>(decide: () => Result): Result | undefined {
  try {
    return decide()
  } catch (error) {
    if (error instanceof Rejection) return undefined
    throw error
  }
}
