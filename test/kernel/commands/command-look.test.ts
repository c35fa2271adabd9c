import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import { eventCodec } from '#kernel/events/codec'
import { decider } from '#kernel/events/decider'
import { event, stream } from '#kernel/events/event'
import { manualClock } from '#kernel/lib/clock'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { AT } from '#test/support/decider-spec'

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
