/**
 * What a unit of work has read without writing to it still holds at the append. Two runners stand for two
 * processes: they share only the store.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import type { CommandRunner, UnitOutcome, UnitOfWork } from '#kernel/commands/command-runner'
import { eventCodec } from '#kernel/events/codec'
import { decider } from '#kernel/events/decider'
import { event, stream } from '#kernel/events/event'
import type { EventStore } from '#kernel/events/store-port'
import { manualClock } from '#kernel/lib/clock'
import { reject } from '#kernel/lib/rejection'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import { AT } from '#test/support/decider-spec'

const doorId = z.string()
const Opened = event('Opened', 'doorId', { doorId }, () => 'opened')
const Shut = event('Shut', 'doorId', { doorId }, () => 'shut')
const Passed = event('Passed', 'doorId', { doorId }, () => 'passed')
const doors = decider(stream('door', [Opened, Shut, Passed]), {
  initial: false,
  evolve: { Opened: () => true, Shut: () => false, Passed: (isOpen) => isOpen },
  commands: {
    Open: (isOpen, id: string) => (isOpen ? [] : [Opened({ doorId: id })]),
    Shut: (isOpen, id: string) => (isOpen ? [Shut({ doorId: id })] : []),
    Pass: (_isOpen, id: string) => [Passed({ doorId: id })],
    /** Decides that no event follows. */
    Look: (_isOpen, _id: string) => [],
  },
})
const passes = stream('pass', [event('Noted', 'passId', { passId: z.string() }, () => 'noted')])

const WHO = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }
const vault = openVault({ store: memoryKeyStore(), kek: randomBytes(32) })
const processOn = (store: EventStore): CommandRunner =>
  commandRunner(store, eventCodec([doors.stream, passes], vault), manualClock(AT))

const aDoor = (): string => crypto.randomUUID()
const open = ({ run }: CommandRunner, id: string) => run(WHO, (unit) => unit.decide(doors, id, 'Open', id))
const shut = ({ run }: CommandRunner, id: string) => run(WHO, (unit) => unit.decide(doors, id, 'Shut', id))
const events = async (store: EventStore, id: string) => (await store.readStream(`door-${id}`)).map(({ type }) => type)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const kinds: [string, () => EventStore][] = [
  ['memory', () => memoryStore()],
  ['postgres', () => postgresStore({ url: database.url })],
]

const sights: [string, (unit: UnitOfWork, id: string) => Promise<boolean>][] = [
  ['loaded', (unit, id) => unit.load(doors, id)],
  ['looked at', (unit, id) => unit.look(doors, id)],
  [
    'decided on without an event',
    async (unit, id) => {
      await unit.decide(doors, id, 'Look', id)
      return unit.load(doors, id)
    },
  ],
]

describe.each(kinds)('on the %s store', (_name, openStore) => {
  let store: EventStore
  beforeAll(() => {
    store = openStore()
  })
  afterAll(() => store.close())

  test.each(sights)('what was only %s must still be so when the unit appends', async (_how, see) => {
    const [one, other] = [processOn(store), processOn(store)]
    const [gate, inner] = [aDoor(), aDoor()]
    await open(one, gate)
    const seen: boolean[] = []
    const passing = one.run(WHO, async (unit) => {
      seen.push(await see(unit, gate))
      if (!seen.at(-1)) reject('conflict', 'The gate is shut')
      await unit.decide(doors, inner, 'Pass', inner)
      if (seen.length === 1) await shut(other, gate)
    })
    await expect(passing).rejects.toMatchObject({ message: 'The gate is shut' })
    expect(seen).toEqual([true, false])
    expect(await events(store, inner)).toEqual([])
  })

  test('so must what a unit rests on that only records', async () => {
    const [one, other] = [processOn(store), processOn(store)]
    const gate = aDoor()
    await open(one, gate)
    let tries = 0
    await one.run(WHO, async (unit) => {
      tries += 1
      await unit.look(doors, gate)
      unit.appendEvent(passes, gate, { type: 'Noted', data: { passId: gate } })
      if (tries === 1) await shut(other, gate)
    })
    expect(tries).toBe(2)
    expect(await store.readStream(`pass-${gate}`)).toHaveLength(1)
  })

  test('a stream that is not there yet must not have come', async () => {
    const [one, other] = [processOn(store), processOn(store)]
    const [gate, inner] = [aDoor(), aDoor()]
    const seen: boolean[] = []
    await one.run(WHO, async (unit) => {
      seen.push(await unit.look(doors, gate))
      await unit.decide(doors, inner, 'Pass', inner)
      if (seen.length === 1) await open(other, gate)
    })
    expect(seen).toEqual([false, true])
  })

  test('of two that each need the other’s door open and shut their own, exactly one does', async () => {
    const processes = [processOn(store), processOn(store)] as const
    for (let round = 0; round < 25; round += 1) {
      const pair = [aDoor(), aDoor()] as const
      await Promise.all(pair.map((id) => open(processes[0], id)))
      const shutting = pair.map((own, nth) =>
        processes[nth]!.run(WHO, async (unit) => {
          if (!(await unit.look(doors, pair[1 - nth]))) reject('conflict', 'One has to stay open')
          await unit.decide(doors, own, 'Shut', own)
        }),
      )
      const outcomes = await Promise.allSettled(shutting)
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    }
  })

  test('what has nothing to write is right at one moment as well, and writes nothing', async () => {
    const [one, other] = [processOn(store), processOn(store)]
    const [gate, inner] = [aDoor(), aDoor()]
    await open(one, inner)
    const head = await store.head()
    const seen: boolean[][] = []
    await one.run(WHO, async (unit) => {
      const before = await unit.look(doors, gate)
      if (seen.length === 0) await open(other, gate)
      await unit.decide(doors, inner, 'Open', inner)
      seen.push([before, await unit.load(doors, inner)])
    })
    expect(seen).toEqual([
      [false, true],
      [true, true],
    ])
    expect((await store.readAll(head, 10)).map(({ stream: name }) => name)).toEqual([`door-${gate}`])
  })

  test('many that rest on one stream and write to others begin once', async () => {
    const processes = [processOn(store), processOn(store)] as const
    const gate = aDoor()
    await open(processes[0], gate)
    let tries = 0
    const passing = Array.from({ length: 100 }, (_none, nth) =>
      processes[nth % 2]!.run(WHO, async (unit) => {
        tries += 1
        const own = aDoor()
        await unit.look(doors, gate)
        await unit.decide(doors, own, 'Pass', own)
      }),
    )
    await Promise.all(passing)
    expect(tries).toBe(100)
  })
})

test('what changed between a look and a load is seen before anything is decided on it', async () => {
  const store = memoryStore()
  const [one, other] = [processOn(store), processOn(store)]
  const seen: (readonly [boolean, boolean])[] = []
  let looks = 0
  await one.run(WHO, async (unit) => {
    const before = await unit.look(doors, 'gate')
    looks += 1
    if (looks === 1) await open(other, 'gate')
    seen.push([before, await unit.load(doors, 'gate')])
  })
  expect(looks).toBe(2)
  expect(seen).toEqual([[true, true]])
})

test('a stream looks the same for as long as a unit lasts', async () => {
  const store = memoryStore()
  const [one, other] = [processOn(store), processOn(store)]
  const seen = await one.run(WHO, async (unit) => {
    const before = await unit.look(doors, 'gate')
    await open(other, 'gate')
    return [before, await unit.look(doors, 'gate')]
  })
  expect(seen).toEqual([false, false])
})

test('an answer waits for the streams that were written to, and not for those that were only seen', async () => {
  const store = memoryStore()
  const one = processOn(store)
  await open(one, 'gate')
  const said: UnitOutcome[] = []
  await one.run(
    WHO,
    async (unit) => {
      await unit.look(doors, 'gate')
      await unit.decide(doors, 'inner', 'Pass', 'inner')
    },
    (what) => said.push(what),
  )
  expect(said).toEqual([{ position: 2, streams: ['door-inner'], types: ['Passed'], strict: false }])
})
