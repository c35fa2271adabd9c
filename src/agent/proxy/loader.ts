/** Brings running processes of HAProxy to what is wanted: by commands where that is enough, else by a reload. */
import { setTimeout as pause } from 'node:timers/promises'
import { TaskFailure } from '../performer.ts'
import type { InTurn } from '../turns.ts'
import type { ProxyConfig } from './config-text.ts'
import type { Runtime } from './runtime.ts'
import { NO_TARGETS } from './state.ts'
import type { ProxyState } from './state.ts'

/** Changes within this time share one reload: each leaves a former worker until its last connection ends. */
const RELOADS_EVERY_MS = 2_000
const RELOADED_MS = 15_000
const LOOK_MS = 20

interface Wanted {
  readonly state: ProxyState
  readonly config: ProxyConfig
}

interface LoaderParts {
  readonly runtime: Runtime
  isRunning(): Promise<boolean>
  start(): Promise<void>
  readonly inTurn: InTurn
  /** In turn. */
  wanted(): Wanted
  /** In turn: the files hold a former state again. */
  restore(state: ProxyState): Promise<void>
}

export interface Loader {
  /** In turn. @returns false if a reload is needed */
  bring(backends: ReadonlySet<string>): Promise<boolean>
  /** Not in turn. @throws TaskFailure PROXY_DOWN: then what was loaded before is wanted again */
  reload(): Promise<void>
}

export function loaderOf({ runtime, isRunning, start, inTurn, wanted, restore }: LoaderParts): Loader {
  let pending: Promise<void> | undefined
  let reloadedMs = -Infinity
  /** What runs. */
  let good: ProxyState | undefined

  /** @throws TaskFailure NO_PROXY · PROXY_DOWN */
  async function loadNow(): Promise<void> {
    const isRenewed = await isRunning()
    const former = isRenewed ? (await runtime.workers().catch(() => [])).map(({ pid }) => pid) : []
    const failed = isRenewed ? (await runtime.reloads()).failed : 0
    const isDone = isRenewed ? await runtime.reload() : await start().then(() => undefined)
    const untilMs = performance.now() + RELOADED_MS
    // A new worker is among the others before it has opened its ports.
    while (isDone !== false && performance.now() < untilMs) {
      const seen = await look()
      if (seen && seen.failed > failed) break
      if (seen?.current !== undefined && !former.includes(seen.current)) return
      await pause(LOOK_MS)
    }
    throw new TaskFailure('PROXY_DOWN', 'HAProxy did not load its new configuration: look at the log of the agent')
  }

  /** Undefined while the master does not answer. */
  async function look(): Promise<{ failed: number; current: number | undefined } | undefined> {
    try {
      const { failed } = await runtime.reloads()
      const workers = await runtime.workers().catch(() => [])
      return { failed, current: workers.find(({ isFormer }) => !isFormer)?.pid }
    } catch {
      return undefined
    }
  }

  /** In turn. */
  async function load(): Promise<void> {
    reloadedMs = performance.now()
    const { state } = wanted()
    try {
      await loadNow()
    } catch (error) {
      if (good && good !== state) {
        await restore(good)
        await loadNow().catch(() => {})
      }
      throw error
    }
    good = state
  }

  async function reloadSoon(): Promise<void> {
    if (await isRunning()) await pause(Math.max(0, reloadedMs + RELOADS_EVERY_MS - performance.now()))
    await inTurn(() => {
      pending = undefined
      return load()
    })
  }

  return {
    async bring(backends) {
      const { state, config } = wanted()
      if (!(await isRunning()) || (await runtime.shape()) !== config.shape) return false
      for (const id of backends) if (!(await runtime.bring(id, state.backends.get(id) ?? NO_TARGETS))) return false
      good = state
      return true
    },
    reload: () => (pending ??= reloadSoon()),
  }
}
