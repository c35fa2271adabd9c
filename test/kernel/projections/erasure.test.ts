import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import { eventCodec } from '#kernel/events/codec'
import { decider } from '#kernel/events/decider'
import { event, sealed, stream } from '#kernel/events/event'
import { manualClock } from '#kernel/lib/clock'
import { erasureLoop } from '#kernel/projections/erasure-loop'
import type { ErasureLoop } from '#kernel/projections/erasure-loop'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import type { Vault } from '#kernel/vault/vault'

const PersonNamed = event(
  'PersonNamed',
  'personId',
  { personId: z.string(), name: sealed(z.string()) },
  ({ personId }) => `named ${personId}`,
  { sealedFor: ({ personId }) => `person/${personId}` },
)
const named = decider(stream('person', [PersonNamed]), {
  initial: [] as readonly string[],
  evolve: { PersonNamed: (names, { name }) => [...names, name] },
  commands: { Name: (_names, ask: { personId: string; name: string }) => [PersonNamed(ask)] },
})

const CONTEXT = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }
const SUBJECT = 'person/1'

/** Processes of one installation: they share keys and events, and each has its own memory. */
function installation() {
  const keys = memoryKeyStore()
  const kek = randomBytes(32)
  const store = memoryStore()
  return function start() {
    const vault = openVault({ store: keys, kek })
    const runner = commandRunner(store, eventCodec([named.stream], vault), manualClock(new Date(0)))
    const run = <Result>(work: Parameters<typeof runner.run<Result>>[1]) => runner.run(CONTEXT, work)
    return {
      vault,
      store,
      run,
      name: (name: string) => run((unit) => unit.decide(named, '1', 'Name', { personId: '1', name })),
      names: () => run((unit) => unit.look(named, '1')),
    }
  }
}

describe('what a process has folded', () => {
  it('holds no name any more once its owner is erased, here or elsewhere', async () => {
    const start = installation()
    const [here, there] = [start(), start()]
    await here.name('Ada')
    expect([await here.names(), await there.names()]).toEqual([['Ada'], ['Ada']])
    await here.vault.erase([SUBJECT])
    await there.vault.applyErasures(-1)
    expect([await here.names(), await there.names()]).toEqual([['ERASED'], ['ERASED']])
  })

  it('is not kept when its owner was erased while it was folded', async () => {
    const start = installation()
    const [here, there] = [start(), start()]
    await here.name('Ada')
    const { open, erase } = there.vault
    vi.spyOn(there.vault, 'open').mockImplementationOnce(async (...sealed) => {
      const text = await open(...sealed)
      await erase([SUBJECT])
      return text
    })
    expect(await there.names()).toEqual(['Ada'])
    expect(await there.names()).toEqual(['ERASED'])
  })

  it('is not kept when its owner was erased while it was appended to', async () => {
    const { vault, store, name, names } = installation()()
    const { append } = store
    vi.spyOn(store, 'append').mockImplementationOnce(async (...asked) => {
      await vault.erase([SUBJECT])
      return append.apply(store, asked)
    })
    await name('Ada')
    expect(await names()).toEqual(['ERASED'])
  })

  it('is asked about again when somebody was erased in the middle of a command: nothing new is sealed for him', async () => {
    const { run, vault, name } = installation()()
    await name('Ada')
    let tries = 0
    await run(async (unit) => {
      tries += 1
      const before = await unit.load(named, '1')
      if (tries === 1) await vault.erase([SUBJECT])
      else return expect(before).toEqual(['ERASED'])
      await unit.decide(named, '1', 'Name', { personId: '1', name: 'Ada again' })
    })
    expect(tries).toBe(2)
  })
})

describe('the loop', () => {
  const started: ErasureLoop[] = []
  afterEach(() => Promise.all(started.splice(0).map((each) => each.stop())))

  function loop(vault: Pick<Vault, 'erase' | 'applyErasures'>, more: Partial<Parameters<typeof erasureLoop>[0]> = {}) {
    const silent = { onAppended: () => () => {}, isCalledForErasures: false, pendingSubjects: async () => [] }
    const made = erasureLoop({ vault, ...silent, ...more })
    started.push(made)
    return made
  }

  it('destroys at start what an earlier process had no time to, whatever fails at first', async () => {
    const { vault, name, names } = installation()()
    await name('Ada')
    const waiting = [SUBJECT, 'person/2']
    const onError = vi.fn()
    const erase = vi.fn(async (subjects: readonly string[]) => {
      await vault.erase(subjects)
      for (const subject of subjects) waiting.splice(waiting.indexOf(subject), 1)
    })
    const made = loop({ ...vault, erase }, { pendingSubjects: async () => waiting.slice(0, 1), onError })
    made.start()
    await vi.waitFor(() => expect(waiting).toEqual([]), { timeout: 10_000 })
    expect(await names()).toEqual(['ERASED'])
    expect(erase.mock.calls).toEqual([[[SUBJECT]], [['person/2']]])
    expect(onError).not.toHaveBeenCalled()
  })

  it('heeds what others erased when it is woken, and else within half a second', { retry: 2 }, async () => {
    const start = installation()
    const [here, woken, deaf] = [start(), start(), start()]
    await here.name('Ada')
    for (const each of [woken, deaf]) expect(await each.names()).toEqual(['Ada'])
    let wake = () => {}
    const dropped = vi.fn()
    woken.vault.onErased(() => dropped('woken', performance.now()))
    deaf.vault.onErased(() => dropped('deaf', performance.now()))
    loop(woken.vault, { isCalledForErasures: true, onAppended: (listener) => ((wake = listener), () => {}) }).start()
    loop(deaf.vault).start()
    await new Promise((resolve) => setTimeout(resolve, 100))
    const erasedMs = performance.now()
    await here.vault.erase([SUBJECT])
    wake()
    await vi.waitFor(() => expect(dropped).toHaveBeenCalledTimes(2), { timeout: 10_000 })
    // Without the call, one that is called would look after 10 s. Which of the two comes first is by chance.
    const at = Object.fromEntries(dropped.mock.calls) as { woken: number; deaf: number }
    expect(at.woken - erasedMs).toBeLessThan(1_000)
    expect(at.deaf - erasedMs).toBeLessThan(1_000)
  })

  it('tells of an outage once, and goes on after it', async () => {
    const onError = vi.fn()
    let isDown = true
    const heedErasures = vi.fn(async () => {
      if (isDown) throw new Error('down')
    })
    let wake = () => {}
    loop(
      { applyErasures: heedErasures, erase: async () => {} },
      { onError, onAppended: (listener) => ((wake = listener), () => {}) },
    ).start()
    const calls = (number: number) =>
      vi.waitFor(() => (wake(), expect(heedErasures.mock.calls.length).toBeGreaterThan(number)), { timeout: 10_000 })
    await calls(3)
    expect(onError).toHaveBeenCalledTimes(1)
    isDown = false
    await calls(heedErasures.mock.calls.length + 1)
    isDown = true
    await calls(heedErasures.mock.calls.length + 2)
    expect(onError).toHaveBeenCalledTimes(2)
  })
})
