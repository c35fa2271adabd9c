import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import { eventCodec } from '#kernel/events/codec'
import { decider } from '#kernel/events/decider'
import { event, stream } from '#kernel/events/event'
import type { EventStore } from '#kernel/events/store-port'
import { manualClock } from '#kernel/lib/clock'
import { reject } from '#kernel/lib/rejection'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { AT } from '#test/support/decider-spec'
import { overrideStore } from '#test/support/override-store'

const Counted = event('Counted', 'counterId', { counterId: z.string() }, () => 'counted')
const counters = decider(stream('counter', [Counted]), {
  initial: 0,
  evolve: { Counted: (number) => number + 1 },
  commands: { Count: (_number, counterId: string) => [Counted({ counterId })] },
})
const SYSTEM = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }
const vault = openVault({ store: memoryKeyStore(), kek: randomBytes(32) })
const { run } = commandRunner(memoryStore(), eventCodec([counters.stream], vault), manualClock(AT))

it('sees what the unit itself has decided', async () => {
  const seen = await run(SYSTEM, async (unit) => {
    const before = await unit.look(counters, 'own')
    await unit.decide(counters, 'own', 'Count', 'own')
    return [before, await unit.look(counters, 'own')]
  })
  expect(seen).toEqual([0, 1])
  expect(await run(SYSTEM, (unit) => unit.look(counters, 'own'))).toBe(1)
})

it('waits for nobody’s turn, while a load of the same stream does', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  let isLoaded = () => {}
  const loaded = new Promise<void>((resolve) => (isLoaded = resolve))
  const holder = run(SYSTEM, async (unit) => {
    await unit.load(counters, 'busy')
    isLoaded()
    await held
  })
  await loaded
  const order: string[] = []
  const waiting = run(SYSTEM, (unit) => unit.load(counters, 'busy')).then(() => order.push('loaded'))
  await run(SYSTEM, (unit) => unit.look(counters, 'busy')).then(() => order.push('looked'))
  order.push('let go')
  letGo()
  await Promise.all([holder, waiting])
  expect(order).toEqual(['looked', 'let go', 'loaded'])
})

describe('a state from the cache', () => {
  /** Two processes over one store. `reads` counts the streams that the first one reads. */
  async function twoProcesses() {
    const store = memoryStore()
    const reads: string[] = []
    const watched: EventStore = overrideStore(store, {
      readStream(name, after) {
        reads.push(name)
        return store.readStream(name, after)
      },
    })
    const codec = eventCodec([counters.stream], vault)
    const here = commandRunner(watched, codec, manualClock(AT))
    const there = commandRunner(store, codec, manualClock(AT))
    const countThere = () => there.run(SYSTEM, (unit) => unit.decide(counters, 'rule', 'Count', 'rule'))
    await countThere()
    await here.run(SYSTEM, (unit) => unit.look(counters, 'rule'))
    reads.length = 0
    return { here, countThere, reads }
  }
  const rule = 'counter-rule'

  it('is used without a read when the append checks it', async () => {
    const { here, reads } = await twoProcesses()
    await here.run(SYSTEM, async (unit) => {
      expect(await unit.look(counters, 'rule')).toBe(1)
      await unit.decide(counters, 'own', 'Count', 'own')
    })
    expect(reads).toEqual(['counter-own'])
  })

  it('leads to no append when another process has changed the stream', async () => {
    const { here, countThere } = await twoProcesses()
    await countThere()
    const seen: number[] = []
    await here.run(SYSTEM, async (unit) => {
      seen.push(await unit.look(counters, 'rule'))
      await unit.decide(counters, 'own', 'Count', 'own')
    })
    expect(seen).toEqual([1, 2])
    expect(await here.run(SYSTEM, (unit) => unit.load(counters, 'own'))).toBe(1)
  })

  it('leads to no answer without an append either', async () => {
    const { here, countThere, reads } = await twoProcesses()
    await countThere()
    expect(await here.run(SYSTEM, (unit) => unit.look(counters, 'rule'))).toBe(2)
    expect(reads).toEqual([rule, rule])
  })

  it('leads to no rejection', async () => {
    const { here, countThere } = await twoProcesses()
    await countThere()
    const needsTwo = here.run(SYSTEM, async (unit) => {
      const count = await unit.look(counters, 'rule')
      return count < 2 ? reject('conflict', 'Too few') : count
    })
    expect(await needsTwo).toBe(2)
    const needsThree = here.run(SYSTEM, async (unit) => {
      if ((await unit.look(counters, 'rule')) < 3) reject('conflict', 'Too few')
    })
    await expect(needsThree).rejects.toThrow('Too few')
  })

  it('is not read before the answer that the service cannot do this now', async () => {
    const { here, countThere, reads } = await twoProcesses()
    await countThere()
    const unavailable = here.run(SYSTEM, async (unit) => {
      await unit.look(counters, 'rule')
      reject('unavailable', 'Too many changes at once; try again')
    })
    await expect(unavailable).rejects.toThrow('Too many changes')
    expect(reads).toEqual([])
  })

  it('is not read where the stream is named by an id of this unit', async () => {
    const { here, reads } = await twoProcesses()
    const id = await here.run(SYSTEM, async (unit) => {
      const id = unit.newId()
      expect(await unit.load(counters, id)).toBe(0)
      await unit.decide(counters, id, 'Count', id)
      return id
    })
    expect(reads).toEqual([])
    expect(await here.run(SYSTEM, (unit) => unit.load(counters, id))).toBe(1)
  })
})

it('reads what a stream was, and how far it is', async () => {
  for (const _nth of [1, 2, 3]) await run(SYSTEM, (unit) => unit.decide(counters, 'past', 'Count', 'past'))
  const seen = await run(SYSTEM, async (unit) => {
    const before = await unit.revisionOf(counters, 'past')
    await unit.decide(counters, 'past', 'Count', 'past')
    return [before, await unit.revisionOf(counters, 'past'), await unit.loadAt(counters, 'past', 2)]
  })
  expect(seen).toEqual([3, 4, 2])
  // What it was changes no more, so that a read of it waits for no writer.
  expect(await run(SYSTEM, (unit) => unit.loadAt(counters, 'past', 0))).toBe(0)
  expect(await run(SYSTEM, (unit) => unit.loadAt(counters, 'past', 9))).toBe(4)
})

it('folds what a stream was once, and forgets it when something is erased', async () => {
  const store = memoryStore()
  const reads: string[] = []
  const counted = overrideStore(store, {
    readStream: (name, after) => {
      reads.push(name)
      return store.readStream(name, after)
    },
  })
  const own = openVault({ store: memoryKeyStore(), kek: randomBytes(32) })
  const here = commandRunner(counted, eventCodec([counters.stream], own), manualClock(AT))
  for (const _nth of [1, 2]) await here.run(SYSTEM, (unit) => unit.decide(counters, 'past', 'Count', 'past'))
  const then = (revision: number) => here.run(SYSTEM, (unit) => unit.loadAt(counters, 'past', revision))
  // One that is not there yet may come.
  expect([await then(1), await then(3)]).toEqual([1, 2])
  await here.run(SYSTEM, (unit) => unit.decide(counters, 'past', 'Count', 'past'))
  reads.length = 0
  expect([await then(1), await then(3), await then(3), await then(1)]).toEqual([1, 3, 3, 1])
  expect(reads).toHaveLength(1)
  await own.seal('a name', { subject: 'person/1', type: 'Counted', field: 'name' })
  await own.erase(['person/1'])
  expect(await then(1)).toBe(1)
  expect(reads).toHaveLength(2)
  // States may be large, so that few are kept.
  for (let nth = 3; nth < 40; nth += 1) await here.run(SYSTEM, (unit) => unit.decide(counters, 'past', 'Count', 'past'))
  reads.length = 0
  for (const revision of Array.from({ length: 40 }, (_none, nth) => nth + 1)) await then(revision)
  expect([await then(40), await then(1)]).toEqual([40, 1])
  expect(reads).toHaveLength(40)
})
