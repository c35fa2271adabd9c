/**
 * The proxy of a host. HAProxy is a program of its own: it goes on when the panel, the agent or the engine ends. The agent
 * alone writes its configuration. A deployment changes targets only, which needs no reload.
 */
import { TaskFailure } from '../performer.ts'
import { turns } from '../turns.ts'
import { configOf } from './config-text.ts'
import type { ProxyConfig } from './config-text.ts'
import { checkFragment } from './conflicts.ts'
import type { Proxy } from './contract.ts'
import { currentTargets } from './current-targets.ts'
import { drainOf } from './drain.ts'
import { keptUp } from './keep-up.ts'
import { loaderOf } from './loader.ts'
import { placesOf } from './places.ts'
import type { Places } from './places.ts'
import { checkPorts } from './ports.ts'
import { filesIn, refusalOf as askRefusal, runningMaster, startMaster } from './program.ts'
import { runtimeOf } from './runtime.ts'
import { backendId, BackendTargets, cleared, held, left, NO_TARGETS, ownerKey, switched, tidied } from './state.ts'
import type { Owner, ProxyState, Target } from './state.ts'
import { storeIn } from './store.ts'
import type { TargetsOf } from './targets.ts'

export interface ProxyParts {
  /** Of the proxy alone. */
  readonly directory: string
  /** Where hosts are served. */
  readonly httpPort: number
  readonly targetsOf: TargetsOf
  /** What HAProxy has against a configuration. Default: it is asked. */
  readonly refusalOf?: typeof askRefusal
  log(message: string, error?: unknown): void
}

export function openProxy({ directory, httpPort, targetsOf, refusalOf = askRefusal, log }: ProxyParts): Proxy {
  const files = filesIn(directory)
  const runtime = runtimeOf(files.masterSocket)
  const store = storeIn(directory, files.config)
  const inTurn = turns()
  const isRunning = async () => (await runningMaster(files)) !== undefined
  const { untilLeft, untilQuiet } = drainOf(runtime, isRunning)
  let loading: Promise<ProxyState> | undefined
  let state: ProxyState = { fragments: new Map(), backends: new Map() }
  let config: ProxyConfig | undefined
  let places: Promise<Places> | undefined

  /** In turn. */
  async function loaded(): Promise<ProxyState> {
    if (!loading) {
      loading = store.load()
      loading.catch(() => (loading = undefined))
      state = await loading
    }
    await loading
    return state
  }

  /** HAProxy has taken all of it before but the places of its targets, whose form is sure. */
  const isTaken = ({ shape }: ProxyConfig, { backends }: ProxyState): boolean =>
    shape === config?.shape && [...backends.values()].every((each) => BackendTargets.safeParse(each).success)

  /** In turn. @throws TaskFailure NO_PROXY · PROXY_REFUSED: nothing has changed then */
  async function accept(wanted: ProxyState): Promise<void> {
    const next = tidied(wanted)
    const wantedConfig = configOf(next, await (places ??= placesOf({ directory, httpPort })))
    await store.write(wantedConfig, async (candidate) => {
      const refusal = isTaken(wantedConfig, next) ? undefined : await refusalOf(candidate)
      if (refusal !== undefined) log(`HAProxy refuses its configuration: ${refusal}`)
      if (refusal !== undefined)
        throw new TaskFailure('PROXY_REFUSED', 'HAProxy refuses its configuration: look at the log of the agent')
      await store.keep(state, next)
    })
    // Leaving targets are in no configuration.
    if (wantedConfig.text === config?.text) await store.keep(state, next)
    state = next
    config = wantedConfig
  }

  const loader = loaderOf({
    runtime,
    isRunning,
    start: () => startMaster(files),
    inTurn,
    wanted: () => ({ state, config: config! }),
    restore: accept,
  })

  const change = (backends: ReadonlyMap<string, BackendTargets>): ProxyState => ({
    fragments: state.fragments,
    backends: new Map([...state.backends, ...backends]),
  })

  /** @returns whether HAProxy was reloaded or started */
  async function changed(work: () => Promise<ReadonlySet<string>>): Promise<boolean> {
    const isDone = await inTurn(async () => {
      await loaded()
      return loader.bring(await work())
    })
    if (!isDone) await loader.reload()
    return !isDone
  }

  function switchedTo(current: ReadonlyMap<string, readonly Target[]>): Map<string, BackendTargets> {
    return new Map([...current].map(([id, targets]) => [id, switched(state.backends.get(id) ?? NO_TARGETS, targets)]))
  }

  const backendsOf = (owner: Owner): string[] =>
    state.fragments.get(ownerKey(owner))?.backends.map(({ name }) => backendId(owner, name)) ?? []

  /** The targets of a release that get no new request any more. In turn. */
  const leavingOf = (release: string): Map<string, Target[]> =>
    new Map(
      [...state.backends]
        .map(([id, { leaving }]): [string, Target[]] => [id, leaving.filter((each) => each.release === release)])
        .filter(([, targets]) => targets.length > 0),
    )

  async function look(): Promise<void> {
    await inTurn(async () => {
      if ((await loaded()).fragments.size === 0) return
      if (!config) await accept(state)
    })
    if (!config || (await isRunning())) return
    log('HAProxy does not run: it is started')
    await loader.reload()
  }

  async function reconcile(): Promise<void> {
    await look()
    if (config) await changed(async () => new Set(state.backends.keys()))
  }

  return {
    async put(fragment, signal) {
      checkFragment(fragment)
      const key = ownerKey(fragment.owner)
      const current = await currentTargets(targetsOf, fragment, signal)
      const targets = [...current.values()].reduce((sum, each) => sum + each.length, 0)
      const known = await inTurn(async () => (await loaded()).fragments.get(key))
      const isGone = fragment.backends.length === 0
      if ((known === undefined && isGone) || (known && known.revision > fragment.revision))
        return { reloaded: false, targets }
      const reloaded = await changed(async () => {
        await checkPorts(fragment, { fragments: state.fragments, httpPort, isRunning })
        const fragments = new Map(state.fragments)
        if (isGone) fragments.delete(key)
        else fragments.set(key, fragment)
        await accept({ ...change(switchedTo(current)), fragments })
        return new Set(current.keys())
      })
      return { reloaded, targets }
    },
    async hold(owner) {
      const isServed = await inTurn(async () => (await loaded()).fragments.has(ownerKey(owner)))
      if (!isServed) return
      await untilLeft()
      await changed(async () => {
        const ids = backendsOf(owner)
        await accept(change(new Map(ids.map((id) => [id, held(state.backends.get(id) ?? NO_TARGETS)]))))
        return new Set(ids)
      })
    },
    async resume(owner, signal) {
      const fragment = await inTurn(async () => (await loaded()).fragments.get(ownerKey(owner)))
      if (!fragment) return
      const current = await currentTargets(targetsOf, fragment, signal)
      await changed(async () => {
        await accept(change(switchedTo(current)))
        return new Set(current.keys())
      })
    },
    async drained({ release, seconds, signal }) {
      const begunMs = performance.now()
      const isOf = ({ current }: BackendTargets) => current.some((each) => each.release === release)
      const isCurrent = await inTurn(async () => [...(await loaded()).backends.values()].some(isOf))
      if (isCurrent)
        await changed(async () => {
          const ids = [...state.backends].filter(([, each]) => isOf(each)).map(([id]) => id)
          await accept(change(new Map(ids.map((id) => [id, left(state.backends.get(id)!, release)]))))
          return new Set(ids)
        })
      const leaving = await inTurn(async () => leavingOf(release))
      if (leaving.size > 0) await untilLeft()
      const cut = await untilQuiet(leaving, begunMs + seconds * 1_000, signal)
      const drainedMs = Math.round(performance.now() - begunMs)
      await inTurn(async () => {
        // What a switch back has made current again is not in it any more.
        const gone = leavingOf(release)
        if (gone.size === 0) return
        if (await isRunning()) await Promise.all([...gone].map(([id, targets]) => runtime.close(id, targets)))
        await accept(change(new Map([...gone].map(([id, targets]) => [id, cleared(state.backends.get(id)!, targets)]))))
      })
      return { drainedMs, cut }
    },
    keepUp: () => keptUp({ first: reconcile, then: look, log }),
  }
}
