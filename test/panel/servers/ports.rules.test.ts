/** The ports of a server, without a service: one owner of each, by an exact rule of what overlaps. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Rejection } from '#kernel/lib/rejection'
import { serverPorts } from '#panel/servers/ports/decider'
import { PORT_PROTOCOLS, serverPortEvents } from '#panel/servers/ports/events'
import type { HostPort } from '#panel/servers/ports/events'
import { URL_PORTS } from '#panel/servers/ports/rules'
import { AT, given } from '#test/support/decider-spec'

const RUNS = 500
const idOf = (nth: number) => `01890000-0000-7000-8000-${String(nth).padStart(12, '0')}`
const serverId = idOf(1)
const owner = (nth: number, kind = 'APPLICATION') => ({ kind, id: idOf(nth) })
const tcp = (port: number, ip: string | null = null): HostPort => ({ ip, port, protocol: 'TCP' })
const taken = (at: HostPort, nth = 2) => serverPortEvents.ServerPortTaken({ serverId, ...at, owner: owner(nth) })
const freed = (at: HostPort, nth = 2) => serverPortEvents.ServerPortFreed({ serverId, ...at, owner: owner(nth) })
const take = (at: HostPort, nth = 2, reserved: readonly number[] = []) => ({
  serverId,
  owner: owner(nth),
  at,
  reserved,
})

describe('a port', () => {
  const [one, two] = ['192.0.2.1', '192.0.2.2']

  test.each([
    ['all addresses and one', tcp(5_000), tcp(5_000, one), true],
    ['one and all addresses', tcp(5_000, one), tcp(5_000), true],
    ['all addresses twice', tcp(5_000), tcp(5_000), true],
    ['one address twice', tcp(5_000, one), tcp(5_000, one), true],
    ['two addresses', tcp(5_000, one), tcp(5_000, two), false],
    ['TCP and UDP', tcp(5_000), { ...tcp(5_000), protocol: 'UDP' as const }, false],
    ['two ports', tcp(5_000), tcp(5_001), false],
  ])('overlaps as hosts do: %s', (_which, first, second, isTaken) => {
    const asked = given(serverPorts, [taken(first)]).when('Take', take(second, 3))
    if (isTaken) asked.refused(409, `${second.protocol} port 5000 of this server is taken: choose another one`)
    else asked.then([taken(second, 3)])
  })

  test('is refused to its owner, too, which has it already', () => {
    given(serverPorts, [taken(tcp(5_000))])
      .when('Take', take(tcp(5_000)))
      .refused(409, /is taken/)
  })

  test.each([22, 80, 443, 3_000])('that is reserved is refused: %i', (port) => {
    for (const protocol of PORT_PROTOCOLS)
      given(serverPorts)
        .when('Take', take({ ip: one, port, protocol }, 2, [3_000]))
        .refused(409, `Port ${port} of this server is reserved: choose another one`)
  })

  test('is free when its owner gives it back, and no other can', () => {
    const free = { serverId, owner: owner(2), at: tcp(5_000, one) }
    const before = given(serverPorts, [taken(tcp(5_000, one)), taken(tcp(5_000, two), 3)])
    before.when('Free', free).then([freed(tcp(5_000, one))])
    before.when('Free', { ...free, owner: owner(3) }).then([])
    before.when('Free', { ...free, owner: owner(2, 'SFTP') }).then([])
    before.when('Free', { ...free, at: tcp(5_000) }).then([])
    const after = given(serverPorts, [taken(tcp(5_000, one)), taken(tcp(5_000, two), 3), freed(tcp(5_000, one))])
    after.when('Take', take(tcp(5_000, one), 4)).then([taken(tcp(5_000, one), 4)])
    after.when('Take', take(tcp(5_000), 4)).refused(409, /is taken/)
  })

  test('goes with all others of its owner', () => {
    const events = given(serverPorts, [taken(tcp(5_000)), taken(tcp(5_001), 3), taken(tcp(5_002, one))])
      .when('FreeAll', { serverId, owner: owner(2) })
      .events()
    expect(events).toHaveLength(2)
    expect(events).toEqual(expect.arrayContaining([freed(tcp(5_000)), freed(tcp(5_002, one))]))
  })
})

describe('the port of a URL', () => {
  const choose = (reserved: readonly number[] = []) => ({ serverId, owner: owner(9), ip: null, reserved })

  test('is the first of its range, and then the next one, also when an earlier one is free again', () => {
    given(serverPorts)
      .when('TakeUrlPort', choose())
      .then([taken(tcp(20_000), 9)])
    given(serverPorts, [taken(tcp(20_000)), freed(tcp(20_000)), taken(tcp(8_080))])
      .when('TakeUrlPort', choose())
      .then([taken(tcp(20_001), 9)])
    given(serverPorts, [taken(tcp(29_999))])
      .when('TakeUrlPort', choose())
      .then([taken(tcp(20_000), 9)])
  })

  test('is free at every address and for both protocols, and not reserved', () => {
    const before = [taken(tcp(20_001, '192.0.2.1')), taken({ ...tcp(20_002), protocol: 'UDP' }), taken(tcp(20_000))]
    given(serverPorts, before)
      .when('TakeUrlPort', choose([20_003]))
      .then([taken(tcp(20_004), 9)])
  })

  test('is refused when all are taken', () => {
    const all = Array.from({ length: URL_PORTS.last - URL_PORTS.first + 1 }, (_none, nth) =>
      taken(tcp(URL_PORTS.first + nth)),
    )
    given(serverPorts, all)
      .when('TakeUrlPort', choose())
      .refused(409, /^No port from 20000 to 29999/)
    given(serverPorts, all.slice(0, -1))
      .when('TakeUrlPort', choose())
      .then([taken(tcp(29_999), 9)])
  })
})

/** Any sequence of commands, compared with a model: the list of what is taken. */
test('no two that overlap are taken, and what is refused overlaps or is reserved', () => {
  const at = fc.record({
    ip: fc.constantFrom(null, '192.0.2.1', '192.0.2.2', '2001:db8::1'),
    port: fc.constantFrom(80, 5_000, 20_000, 20_001, 29_999),
    protocol: fc.constantFrom(...PORT_PROTOCOLS),
  })
  const nth = fc.nat({ max: 3 })
  const reserved = fc.subarray([20_001, 5_000])
  const steps = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ does: fc.constant('Take' as const), at, nth, reserved }) },
      { weight: 2, arbitrary: fc.record({ does: fc.constant('Free' as const), at, nth, reserved }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant('FreeAll' as const), at, nth, reserved }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant('TakeUrlPort' as const), at, nth, reserved }) },
    ),
    { maxLength: 40 },
  )
  type Entry = HostPort & { readonly nth: number }
  const isSame = (one: HostPort, other: HostPort) => one.port === other.port && one.protocol === other.protocol
  const clashes = (one: HostPort, other: HostPort) =>
    isSame(one, other) && (one.ip === other.ip || one.ip === null || other.ip === null)

  fc.assert(
    fc.property(steps, (all) => {
      let model: readonly Entry[] = []
      let state = serverPorts.initial
      for (const step of all) {
        const by = { serverId, owner: owner(step.nth) }
        const asks = {
          Take: { ...by, at: step.at, reserved: step.reserved },
          TakeUrlPort: { ...by, ip: step.at.ip, reserved: step.reserved },
          Free: { ...by, at: step.at },
          FreeAll: by,
        }
        let events: readonly any[] | undefined
        try {
          events = (serverPorts.commands[step.does] as (...each: unknown[]) => any[])(state, asks[step.does])
        } catch (error) {
          if (!(error instanceof Rejection)) throw error
        }
        for (const event of events ?? []) state = serverPorts.evolve(state, event, AT)
        if (step.does === 'Take') {
          const isFree = step.at.port !== 80 && !step.reserved.includes(step.at.port)
          expect(events !== undefined).toBe(isFree && !model.some((each) => clashes(each, step.at)))
          if (events) model = [...model, { ...step.at, nth: step.nth }]
        }
        if (step.does === 'TakeUrlPort') {
          const { port } = events![0].data as HostPort
          expect([...step.reserved, ...model.map((each) => each.port)]).not.toContain(port)
          model = [...model, { ip: step.at.ip, port, protocol: 'TCP', nth: step.nth }]
        }
        const isGone = (each: Entry) =>
          each.nth === step.nth &&
          (step.does === 'FreeAll' || (step.does === 'Free' && isSame(each, step.at) && each.ip === step.at.ip))
        const left = model.filter((each) => !isGone(each))
        if (step.does.startsWith('Free')) expect(events).toHaveLength(model.length - left.length)
        model = left
        const stored = [...state.taken.buckets].flatMap((bucket) => [...bucket.values()]).flat()
        expect(stored).toHaveLength(model.length)
        expect(stored).toEqual(
          expect.arrayContaining(model.map(({ nth: of, ...entry }) => ({ ...entry, owner: owner(of) }))),
        )
      }
    }),
    { numRuns: RUNS },
  )
})
