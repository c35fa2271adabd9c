/** The rules of machine tokens without a service: first single decisions, then a model of any number of tokens. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { LIVE_TOKENS_MAX, isLive, machineTokens } from '#licensing/machine-tokens/decider'
import { MachineTokenMinted, MachineTokenRevoked, MachineTokenRotated } from '#licensing/machine-tokens/events'
import { AT, given } from '#test/support/decider-spec'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const CAP_MESSAGE = 'An installation holds at most 50 live machine tokens'
const after = (ms: number, from = AT) => new Date(from.getTime() + ms)
const iso = (ms: number) => after(ms).toISOString()

const idOf = (n: number) => `01890000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
const ask = (n = 1, more: object = {}) => ({
  machineTokenId: idOf(n),
  name: 'CI',
  permissions: ['licenses:manage'],
  allowedIps: [],
  expiresAt: null as string | null,
  prefix: 'dbm_abcdefgh',
  hash: `hash ${n}`,
  ...more,
})
const minted = (n = 1, more: object = {}) => MachineTokenMinted({ ...ask(n), grants: ['licenses:manage'], ...more })
const many = (count: number, more: object = {}) => Array.from({ length: count }, (_, n) => minted(n + 1, more))
const rotation = (of: number, to: number, overlapMinutes = 0) => ({
  machineTokenId: idOf(of),
  successorId: idOf(to),
  prefix: 'dbm_newnewne',
  hash: `hash ${to}`,
  overlapMinutes,
})

describe('mint', () => {
  const mint = (more: object, events: ReturnType<typeof many> = []) =>
    given(machineTokens, events).when('MintToken', ask(99, more))
  const grantsOf = (permissions: string[]) => {
    const [event] = mint({ permissions }).events()
    return (event as ReturnType<typeof MachineTokenMinted>).data
  }

  test('records what was asked and the permissions behind it', () => {
    mint({}).then([minted(99)])
  })

  test.each(['staff:view', 'staff:manage', 'settings:view', 'settings:manage', 'payments:manage', 'audit:view'])(
    'drops %s beside another permission and refuses it alone',
    (banned) => {
      expect(grantsOf(['plans:view', banned])).toMatchObject({ permissions: ['plans:view'], grants: ['plans:view'] })
      mint({ permissions: [banned] }).refused(
        400,
        'No valid permission remains: request at least one that a token may hold',
      )
    },
  )

  test.each([[[]], [['nonsense', 'LICENSES:MANAGE', 'licenses:*', '*', 'payments:*', 'settings:*', '', '__proto__']]])(
    'refuses %j: nothing valid is left',
    (permissions) =>
      mint({ permissions }).refused(400, 'No valid permission remains: request at least one that a token may hold'),
  )

  test('keeps families as written and resolves them once', () => {
    expect(grantsOf(['plans:*', 'features:*', 'subscriptions:*', 'plans:*'])).toMatchObject({
      permissions: ['plans:*', 'features:*', 'subscriptions:*'],
      grants: [
        'plans:view',
        'plans:manage',
        'features:view',
        'features:manage',
        'subscriptions:view',
        'subscriptions:manage',
      ],
    })
  })

  test.each([
    [-1, 'expiresAt must be in the future'],
    [0, 'expiresAt must be in the future'],
    [365 * DAY_MS, 'expiresAt must be less than 365 days ahead'],
    [366 * DAY_MS, 'expiresAt must be less than 365 days ahead'],
  ])('refuses an expiry %i ms ahead', (ms, message) => mint({ expiresAt: iso(ms) }).refused(400, message))

  test.each([1, 365 * DAY_MS - 1])('takes an expiry %i ms ahead', (ms) => {
    mint({ expiresAt: iso(ms) }).then([minted(99, { expiresAt: iso(ms) })])
  })

  test.each([null, iso(90 * DAY_MS + 1)])('refuses versions:manage until %s', (expiresAt) =>
    mint({ permissions: ['plans:view', 'versions:manage'], expiresAt }).refused(
      400,
      'A token with versions:manage must expire within 90 days',
    ),
  )

  test('takes versions:manage for 90 days', () => {
    const expiresAt = iso(90 * DAY_MS)
    const versions = { permissions: ['versions:manage'], grants: ['versions:manage'], expiresAt }
    mint(versions).then([minted(99, versions)])
  })

  test('the 50th is minted, the 51st refused, whatever order they came in', () => {
    expect(mint({}, many(49)).events()).toHaveLength(1)
    mint({}, many(50)).refused(409, CAP_MESSAGE)
  })

  test('revoked and expired tokens do not count', () => {
    const revoked = MachineTokenRevoked({ machineTokenId: idOf(7) })
    expect(
      given(machineTokens, [...many(50), revoked])
        .when('MintToken', ask(99))
        .events(),
    ).toHaveLength(1)
    const mortal = [...many(49), minted(50, { expiresAt: iso(MINUTE_MS) })]
    given(machineTokens, mortal)
      .when('MintToken', ask(99), { at: after(MINUTE_MS - 1) })
      .refused(409, CAP_MESSAGE)
    expect(
      given(machineTokens, mortal)
        .when('MintToken', ask(99), { at: after(MINUTE_MS) })
        .events(),
    ).toHaveLength(1)
  })
})

describe('revoke', () => {
  const revoke = (n: number, at = AT) =>
    given(machineTokens, [minted(1), minted(2, { expiresAt: iso(MINUTE_MS) })]).when(
      'RevokeToken',
      { machineTokenId: idOf(n) },
      { at },
    )

  test('a live token', () => {
    revoke(1).then([MachineTokenRevoked({ machineTokenId: idOf(1) })])
    revoke(2).then([MachineTokenRevoked({ machineTokenId: idOf(2) })])
  })
  test('leaves alone what is unknown or expired', () => {
    revoke(3).then([])
    revoke(2, after(MINUTE_MS)).then([])
  })
  test('leaves alone what is revoked', () => {
    given(machineTokens, [minted(1), MachineTokenRevoked({ machineTokenId: idOf(1) })])
      .when('RevokeToken', { machineTokenId: idOf(1) })
      .then([])
  })
})

describe('rotate', () => {
  const rotate = (events: ReturnType<typeof many>, overlapMinutes = 0, at = AT) =>
    given(machineTokens, events).when('RotateToken', rotation(1, 99, overlapMinutes), { at })
  const successor = (more: object = {}) =>
    minted(99, { prefix: 'dbm_newnewne', hash: 'hash 99', rotatedFrom: idOf(1), ...more })

  test('without overlap: the old one is revoked, the new one is like it', () => {
    const same = { name: 'deploy', permissions: ['plans:*'], grants: ['plans:view'], allowedIps: ['10.0.0.0/8'] }
    rotate([minted(1, same)]).then([
      MachineTokenRevoked({ machineTokenId: idOf(1), successorId: idOf(99) }),
      successor(same),
    ])
  })

  test('with overlap: the old one ends by itself, never later than before', () => {
    const ends = (expiresAt: string) =>
      MachineTokenRotated({ machineTokenId: idOf(1), successorId: idOf(99), expiresAt })
    rotate([minted(1)], 60).then([ends(iso(60 * MINUTE_MS)), successor()])
    const mortal = { expiresAt: iso(30 * MINUTE_MS) }
    rotate([minted(1, mortal)], 60).then([ends(mortal.expiresAt), successor(mortal)])
  })

  test('the new one gets as long a life as the old one was given', () => {
    const [, event] = rotate([minted(1, { expiresAt: iso(DAY_MS) })], 0, after(DAY_MS / 2)).events()
    expect(event!.data).toMatchObject({ expiresAt: iso(DAY_MS * 1.5) })
  })

  test('never widens: what a family has gained since is not granted, what was banned since is dropped', () => {
    const past = { permissions: ['plans:*', 'staff:manage'], grants: ['plans:view', 'staff:manage'] }
    const [, event] = rotate([minted(1, past)]).events()
    expect(event!.data).toMatchObject({ permissions: ['plans:*'], grants: ['plans:view'] })
    rotate([minted(1, { permissions: ['settings:*'], grants: ['settings:manage'] })]).refused(
      400,
      /No valid permission/,
    )
  })

  test('the rules of expiry hold for the successor too', () => {
    const past = { permissions: ['versions:manage'], grants: ['versions:manage'], expiresAt: null }
    rotate([minted(1, past)]).refused(400, 'A token with versions:manage must expire within 90 days')
  })

  test('at the cap: works without overlap, 409 with one', () => {
    expect(rotate(many(50)).events()).toHaveLength(2)
    rotate(many(50), 1).refused(409, CAP_MESSAGE)
    expect(rotate(many(49), 1).events()).toHaveLength(2)
  })

  test('only once, and only a live token', () => {
    given(machineTokens, [minted(1), ...rotate([minted(1)], 60).events()])
      .when('RotateToken', rotation(1, 98))
      .refused(409, `This machine token was already rotated to ${idOf(99)}: rotate that one`)
    const dead = 'Only a live machine token can be rotated'
    rotate([minted(1, { expiresAt: iso(1) })], 0, after(1)).refused(409, dead)
    rotate([minted(2)]).refused(409, dead)
  })
})

test('only what is live is remembered', () => {
  const events = Array.from({ length: 500 }, (_, n) => {
    const at = after(n * 2 * MINUTE_MS)
    return [minted(n + 1, { expiresAt: after(MINUTE_MS, at).toISOString() }), at] as [ReturnType<typeof minted>, Date]
  })
  expect(given(machineTokens, events).state).toHaveLength(1)
})

type Act =
  | { do: 'mint'; lifeMinutes: number | null }
  | { do: 'revoke'; nth: number }
  | { do: 'rotate'; nth: number; overlapMinutes: number }
  | { do: 'wait'; minutes: number }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('mint' as const),
      lifeMinutes: fc.option(fc.integer({ min: 1, max: 90 }), { nil: null }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revoke' as const), nth: fc.nat(80) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rotate' as const),
      nth: fc.nat(80),
      overlapMinutes: fc.constantFrom(0, 0, 1, 30),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 20 }) }) },
)

/** The model knows only when each token ends; it shares no code with the decider. */
test('live = minted − revoked − expired ≤ 50, and a mint is refused iff 50 are live', () => {
  let full = 0
  const story = fc.array(act, { minLength: 80, maxLength: 200, size: 'max' })
  fc.assert(
    fc.property(story, (acts) => {
      const endsMs: number[] = []
      const rotated = new Set<number>()
      let state = machineTokens.initial
      let at = AT
      const lives = (nth: number) => endsMs[nth] !== undefined && endsMs[nth] > at.getTime()
      const live = () => endsMs.filter((ms) => ms > at.getTime()).length
      const endsOf = (minutes: number | null) => (minutes === null ? Infinity : at.getTime() + minutes * MINUTE_MS)
      const givenMs = new Map<number, number>()

      const decide = (decision: () => readonly { type: string; data: unknown }[]): number | string => {
        try {
          const events = decision()
          for (const event of events) state = machineTokens.evolve(state, event, at)
          return events.length
        } catch (error) {
          if (error instanceof Rejection) return error.message
          throw error
        }
      }
      const by = () => ({ at, actor: { type: 'STAFF', id: idOf(1) } })
      const born = (ms: number) => {
        givenMs.set(endsMs.length, ms - at.getTime())
        endsMs.push(ms)
      }

      for (const each of acts) {
        if (each.do === 'wait') at = after(each.minutes * MINUTE_MS, at)
        if (each.do === 'mint') {
          const ms = endsOf(each.lifeMinutes)
          const expiresAt = ms === Infinity ? null : new Date(ms).toISOString()
          const outcome = decide(() => machineTokens.commands.MintToken(state, ask(endsMs.length, { expiresAt }), by()))
          expect(outcome).toBe(live() === LIVE_TOKENS_MAX ? CAP_MESSAGE : 1)
          if (live() === LIVE_TOKENS_MAX) full += 1
          else born(ms)
        }
        if (each.do === 'revoke') {
          const id = { machineTokenId: idOf(each.nth) }
          expect(decide(() => machineTokens.commands.RevokeToken(state, id, by()))).toBe(lives(each.nth) ? 1 : 0)
          if (lives(each.nth)) endsMs[each.nth] = -Infinity
        }
        if (each.do === 'rotate') {
          const asked = rotation(each.nth, endsMs.length, each.overlapMinutes)
          const outcome = decide(() => machineTokens.commands.RotateToken(state, asked, by()))
          const may = lives(each.nth) && !rotated.has(each.nth)
          if (may && (each.overlapMinutes === 0 || live() < LIVE_TOKENS_MAX)) {
            expect(outcome).toBe(2)
            rotated.add(each.nth)
            const overlapEnds = each.overlapMinutes === 0 ? -Infinity : endsOf(each.overlapMinutes)
            endsMs[each.nth] = Math.min(endsMs[each.nth]!, overlapEnds)
            born(at.getTime() + givenMs.get(each.nth)!)
          } else expect(typeof outcome).toBe('string')
        }
        const counted = state.filter((token) => isLive(token, at))
        expect(counted).toHaveLength(live())
        expect(live()).toBeLessThanOrEqual(LIVE_TOKENS_MAX)
      }
    }),
    { numRuns: 200 },
  )
  expect(full, 'the stories reach the cap').toBeGreaterThan(100)
})
