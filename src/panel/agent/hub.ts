/**
 * Wakes requests of this process that wait for a change of a server's tasks or of one task. It follows the log, so a
 * task that any process queues wakes them. Create one per process.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventStore, Position, RecordedEvent } from '#kernel/events/store-port'
import { requiredService } from '#kernel/lib/services'
import { WakeUp } from '#kernel/lib/wake-up'
import { LiveSubscriptions } from '#kernel/projections/live-subscriptions'
import type { Projector } from '#kernel/projections/projector'
import type { Hints } from '#kernel/store/hints'
import { taskEvents } from './events.ts'

const CAUGHT_UP_MS = 1_000
const RETRY_MS = 1_000
/** What is parked is never shown until an operator mends it. */
const LATE_TRIES_MAX = 60
/** Hints and wake-up calls may be lost. */
const LOOK_EVERY_MS = 2_000
/** What became due without a change, such as an event that was shown late, is read after this time. */
const IDLE_MS = 300_000
/** An agent that was answered polls again soon, and to begin anew takes longer than to go on. */
const LINGER_MS = 1_000
const ASKED = 'asked/'
const STREAM = 'task-'
const TYPES = taskEvents.types.map(({ type }) => type)

/** A place from which a request sees all changes after it has taken it. */
export interface Seat {
  /** Before the request reads: a change from then on ends the next wait at once. */
  reset(): void
  /**
   * Resolves with a change, after this time, or when the signal is aborted or the seat is taken over.
   * @returns whether it ended before the time
   */
  wait(ms: number, signal: AbortSignal): Promise<boolean>
  /** Says that what was read since `reset` shows no open task. */
  noteIdle(): void
  /** Whether that was said of late, and nothing has changed since. */
  readonly isIdle: boolean
  /** A newer request has taken the seat. */
  readonly isTaken: boolean
  leave(): void
}

/** What a run of an agent was told. An agent that cannot do it must not be told again at once. */
export interface ToldRun {
  readonly run: string
  /** By task and attempt: when its envelope was sent, in ms of the process. */
  readonly sentMs: Map<string, number>
  /** Tasks that were named to stop or to drop. */
  readonly named: Set<string>
}

export interface TaskHub {
  /** The one poll of an agent: it takes the seat of the earlier one. */
  ofServer(serverId: string): Promise<Seat>
  /** One of many requests that watch a task. */
  ofTask(taskId: string): Promise<Seat>
  /** Lines or bytes have come or were taken, which no event says. It wakes the requests of all processes. */
  wakeTask(taskId: string): void
  /** A read of the server waits, which no event says. It wakes the poll in any process. */
  ask(serverId: string): void
  /** Whether reads may wait since this was asked last. */
  isAsked(serverId: string): boolean
  told(serverId: string, run: string): ToldRun
}

export const taskHub = requiredService<TaskHub>('task hub')

interface TaskHubDependencies {
  readonly store: EventStore
  readonly projector: Pick<Projector, 'waitUntilCaughtUp'>
  /** The servers whose reads wait, those of other processes included. */
  asked(): Promise<readonly string[]>
  readonly hints: Hints
  onError(error: unknown): void
  /** How long it follows when no request waits. Default: 1,000. */
  readonly lingerMs?: number
}

interface Sitting {
  readonly wakeUp: WakeUp
  isTaken: boolean
}

export function createTaskHub({
  store,
  projector,
  asked,
  hints,
  onError,
  lingerMs = LINGER_MS,
}: TaskHubDependencies): TaskHub {
  // Agents wait for what was appended.
  const log = new LiveSubscriptions(store, { pauseMs: 0, pollMs: LOOK_EVERY_MS })
  const sitting = new Map<string, Set<Sitting>>()
  const runs = new Map<string, ToldRun>()
  const askedServers = new Set<string>()
  /** While it follows: until when, in ms of the process, a server has no open task unless a change says otherwise. */
  const idleUntilMs = new Map<string, number>()
  let lingering: NodeJS.Timeout | undefined
  let following: { readonly started: Promise<void>; readonly stop: AbortController } | undefined
  /** Whether the read models may lack what is before the head that is followed from. */
  let isBehind = false

  function wake(key: string): void {
    idleUntilMs.delete(key)
    for (const { wakeUp } of sitting.get(key) ?? []) wakeUp.call()
  }

  function ask(serverId: string): void {
    askedServers.add(serverId)
    wake(serverId)
  }

  function tell(hint: string): void {
    hints.tell(hint).catch(onError)
  }

  function onHint(hint: string): void {
    // Also of a server whose agent is between two polls.
    if (hint.startsWith(ASKED)) ask(hint.slice(ASKED.length))
    else wake(hint)
  }

  async function follow(from: Position, signal: AbortSignal): Promise<void> {
    let at = from
    while (!signal.aborted)
      try {
        for await (const events of log.subscribe(at, signal)) {
          await show(
            events.filter(({ stream }) => stream.startsWith(STREAM)),
            signal,
          )
          at = events.at(-1)?.position ?? at
        }
      } catch (error) {
        // Such as a store that is closed as the process ends.
        if (sitting.size === 0) return stop()
        onError(error)
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
      }
  }

  function stop(): void {
    if (sitting.size > 0) return
    following?.stop.abort()
    following = undefined
    idleUntilMs.clear()
  }

  /** What other processes ask without an event. */
  async function lookForOthers(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const serverId of await asked().catch(() => [])) if (sitting.has(serverId)) ask(serverId)
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }

  const caughtUp = (types: readonly string[], position: Position) =>
    projector.waitUntilCaughtUp({ types: [...types], streams: [], position }, CAUGHT_UP_MS)

  /** Who is woken reads at once, so the read models must show the change. Where they lag for long, it is woken again. */
  async function show(events: readonly RecordedEvent[], signal: AbortSignal): Promise<void> {
    const position = events.at(-1)?.position
    if (position === undefined) return
    const types = events.map(({ type }) => type)
    const keys = new Set(
      events.flatMap(({ stream, data }) => [data['serverId'] as string, stream.slice(STREAM.length)]),
    )
    const wakeAll = () => {
      for (const key of keys) wake(key)
    }
    const isShown = await caughtUp(types, position)
    wakeAll()
    if (!isShown) void wakeWhenShown(types, position, { wakeAll, signal })
  }

  async function wakeWhenShown(
    types: readonly string[],
    position: Position,
    { wakeAll, signal }: { readonly wakeAll: () => void; readonly signal: AbortSignal },
  ): Promise<void> {
    try {
      for (let tries = 0; tries < LATE_TRIES_MAX && !(await caughtUp(types, position)); tries += 1)
        await sleep(RETRY_MS, undefined, { signal })
      wakeAll()
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
  }

  async function followFromHead(signal: AbortSignal): Promise<void> {
    const head = await store.head()
    // A request that waits reads after this, and what is before the head wakes none.
    isBehind = !(await caughtUp(TYPES, head))
    if (signal.aborted) return
    if (isBehind) void wakeWhenShown(TYPES, head, { wakeAll: catchUp, signal })
    void follow(head, signal)
    void lookForOthers(signal)
    signal.addEventListener('abort', hints.follow(onHint))
  }

  function catchUp(): void {
    isBehind = false
    for (const key of sitting.keys()) wake(key)
  }

  /** Follows from the head on, while anything waits. */
  function start(): Promise<void> {
    const stop = new AbortController()
    const started = followFromHead(stop.signal)
    following = { started, stop }
    started.catch(() => (following = undefined))
    return started
  }

  async function sit(key: string, isAlone: boolean): Promise<Seat> {
    clearTimeout(lingering)
    const own: Sitting = { wakeUp: new WakeUp(), isTaken: false }
    const others = sitting.get(key) ?? new Set()
    if (isAlone)
      for (const other of others) {
        other.isTaken = true
        other.wakeUp.call()
      }
    sitting.set(key, others.add(own))
    const leave = (): void => {
      others.delete(own)
      if (others.size === 0 && sitting.get(key) === others) sitting.delete(key)
      if (sitting.size > 0) return
      clearTimeout(lingering)
      lingering = setTimeout(stop, lingerMs).unref()
    }
    try {
      await (following?.started ?? start())
    } catch (error) {
      leave()
      throw error
    }
    return {
      reset: () => own.wakeUp.reset(),
      async wait(ms, signal) {
        const end = () => own.wakeUp.call()
        signal.addEventListener('abort', end)
        const isWoken = signal.aborted || own.isTaken || (await own.wakeUp.rest(Math.max(0, ms)))
        signal.removeEventListener('abort', end)
        return isWoken
      },
      noteIdle() {
        if (!own.wakeUp.isCalled && !isBehind) idleUntilMs.set(key, performance.now() + IDLE_MS)
      },
      get isIdle() {
        return performance.now() < (idleUntilMs.get(key) ?? 0)
      },
      get isTaken() {
        return own.isTaken
      },
      leave,
    }
  }

  return {
    ofServer: (serverId) => sit(serverId, true),
    ofTask: (taskId) => sit(taskId, false),
    wakeTask(taskId) {
      wake(taskId)
      tell(taskId)
    },
    ask(serverId) {
      ask(serverId)
      tell(ASKED + serverId)
    },
    isAsked: (serverId) => askedServers.delete(serverId),
    told(serverId, run) {
      const known = runs.get(serverId)
      if (known?.run === run) return known
      const fresh: ToldRun = { run, sentMs: new Map(), named: new Set() }
      runs.set(serverId, fresh)
      return fresh
    },
  }
}
