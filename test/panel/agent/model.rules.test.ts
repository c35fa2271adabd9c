/**
 * Tasks against an agent that dies, forgets and repeats: each effect is there once or is said to have failed, nothing
 * leaves an end, and each task ends.
 */
import { assert, commands, constant, constantFrom, modelRun, nat, property } from 'fast-check'
import type { Command } from 'fast-check'
import { expect, test } from 'vitest'
import type { DomainEvent } from '#kernel/events/event'
import { hasEnded, tasks } from '#panel/agent/decider'
import type { End, Task } from '#panel/agent/decider'
import { AT } from '#test/support/decider-spec'

const ID = '01890000-0000-7000-8000-000000000001'
const RUN = '01890000-0000-7000-8000-00000000000b'
const DEADLINE_MS = 600_000
const RETRY = { attempts: 3, retryOn: ['TRY_AGAIN'] }
const actor = { type: 'AGENT', id: ID }

interface Held {
  readonly attempt: number
  readonly end?: End
}

/** The panel's stream and one agent with a journal. */
class World {
  atMs = AT.getTime()
  state: Task | undefined
  readonly events: DomainEvent[] = []
  /** In the process of the agent, which a kill forgets. */
  held: Held | undefined
  /** On its disk. */
  readonly journal = new Map<number, End | undefined>()
  readonly effects: number[] = []

  decide(command: keyof typeof tasks.commands, ask: object): void {
    const rule = tasks.commands[command] as (state: unknown, ask: object, by: object) => readonly DomainEvent[]
    const wasOver = this.state && hasEnded(this.state) ? this.state.state : undefined
    for (const event of rule(this.state, ask, { at: new Date(this.atMs), actor })) {
      this.state = tasks.evolve(this.state, event, new Date(this.atMs))
      this.events.push(event)
    }
    if (wasOver !== undefined) expect(this.state?.state).toBe(wasOver)
  }

  /** One poll: what is not held is handed out. @param isLost whether the answer is lost on the way */
  poll(isLost: boolean): void {
    if (this.held || !this.state) return
    this.decide('HandOut', { run: RUN, isKnown: true })
    const { state, attempt } = this.state
    if (isLost || (state !== 'RUNNING' && state !== 'CANCELLING')) return
    const known = this.journal.get(attempt)
    this.held = known ? { attempt, end: known } : { attempt }
    if (!this.journal.has(attempt)) this.journal.set(attempt, undefined)
  }

  finish(end: 'SUCCEEDED' | 'TRY_AGAIN' | 'BROKEN'): void {
    const { held } = this
    if (!held || held.end) return
    const { attempt } = held
    if (end === 'SUCCEEDED') this.effects.push(attempt)
    const told: End =
      this.state?.state === 'CANCELLING' && end !== 'SUCCEEDED'
        ? { outcome: 'CANCELLED', attempt }
        : end === 'SUCCEEDED'
          ? { outcome: 'SUCCEEDED', attempt, result: '{}' }
          : { outcome: 'FAILED', attempt, code: end, message: '' }
    this.journal.set(attempt, told)
    this.held = { attempt, end: told }
  }

  /** @param isLost whether the answer is lost, so that it is told again */
  tell(isLost: boolean): void {
    if (!this.held?.end) return
    const before = this.events.length
    this.decide('End', { ...this.held.end, retry: RETRY })
    const first = this.events.length - before
    this.decide('End', { ...this.held.end, retry: RETRY })
    expect(this.events.length - before, 'told again, it changes nothing').toBe(first)
    if (!isLost) this.held = undefined
  }
}

type Step = Command<object, World>
const step = (name: string, run: (world: World) => void): Step => ({
  check: () => true,
  run: (_model, world) => run(world),
  toString: () => name,
})

const asked = {
  taskId: ID,
  serverId: ID,
  projectId: null,
  kind: 'test.echo',
  kindVersion: 1,
  lane: null,
  payload: '{}',
  causeType: 'test',
  causeId: '1',
  expiresAt: new Date(AT.getTime() + DEADLINE_MS).toISOString(),
}

const queue = step('queue', (world) => world.decide('Queue', asked))
const cancel = step('cancel', (world) => world.decide('Cancel', {}))
/** What the agent holds is forgotten, and what its journal knows is not. */
const kill = step('kill', (world) => void (world.held = undefined))

test('whatever dies and is lost, an effect is there once or the task says that it failed', () => {
  const steps = [
    constant(queue),
    constant(cancel),
    constant(kill),
    constantFrom(false, true).map((isLost) => step(`poll ${isLost}`, (world) => world.poll(isLost))),
    constantFrom(false, true).map((isLost) => step(`tell ${isLost}`, (world) => world.tell(isLost))),
    constantFrom('SUCCEEDED' as const, 'TRY_AGAIN' as const, 'BROKEN' as const).map((end) =>
      step(end, (world) => world.finish(end)),
    ),
    nat(DEADLINE_MS / 4).map((ms) =>
      step(`wait ${ms}`, (world) => {
        world.atMs += ms
        world.decide('Expire', {})
      }),
    ),
  ]
  assert(
    property(commands(steps, { maxCommands: 40 }), (all) => {
      const world = new World()
      world.decide('Queue', asked)
      modelRun(() => ({ model: {}, real: world }), all)
      settle(world)
      const ends = world.events.filter(({ type }) => /^Task(Succeeded|Failed|Cancelled|Expired)$/.test(type))
      expect(ends).toHaveLength(1)
      expect(world.effects.length).toBeLessThanOrEqual(1)
      const isSaid = world.events.some(
        ({ type, data }) =>
          type === 'TaskSucceeded' ||
          (type === 'TaskEndedLate' && (data as { outcome: string }).outcome === 'SUCCEEDED'),
      )
      expect(isSaid).toBe(world.effects.length === 1)
      const attempts = world.events.flatMap(({ type, data }) =>
        type === 'TaskStarted' ? [(data as { attempt: number }).attempt] : [],
      )
      expect(attempts).toEqual(attempts.map((_each, nth) => nth + 1))
      expect(attempts.length).toBeLessThanOrEqual(RETRY.attempts)
    }),
    { numRuns: 2_000 },
  )
})

/** The link is back and nothing dies any more. */
function settle(world: World): void {
  for (let round = 0; round < 20; round += 1) {
    world.tell(false)
    world.atMs += 60_000
    world.poll(false)
    world.finish('BROKEN')
  }
}
