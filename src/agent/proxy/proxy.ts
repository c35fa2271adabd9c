/**
 * The proxy of a host. HAProxy is a program of its own: it goes on when the panel, the agent or the engine ends. The agent
 * alone writes its configuration. A deployment changes targets only, which needs no reload.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ProxyFragment } from '../../tasks/proxy.ts'
import { TaskFailure } from '../performer.ts'
import { configOf, KEEP_ALIVE_MS, slotsOf } from './config-text.ts'
import type { ProxyConfig } from './config-text.ts'
import { checkBeside, checkForeign, checkFragment, listenersOf } from './conflicts.ts'
import type { Listener } from './conflicts.ts'
import { isHere, listening } from './foreign.ts'
import { loaderOf } from './loader.ts'
import { accountOfProxy, filesIn, refusalOf as askRefusal, runningMaster, startMaster } from './program.ts'
import { runtimeOf } from './runtime.ts'
import { backendId, BackendTargets, cleared, held, left, NO_TARGETS, ownerKey, switched, tidied } from './state.ts'
import type { Owner, ProxyState, Target } from './state.ts'
import { storeIn } from './store.ts'
import type { TargetsOf } from './targets.ts'

const LOOK_MS = 500
const DRAIN_LOOK_MS = 50
/** A request that has chosen its target a moment ago is counted by then. */
const QUIET_LOOKS = 2

export interface Drained {
  readonly drainedMs: number
  /** Requests and connections that were left when their time was over. */
  readonly cut: number
}

export interface DrainAsked {
  /** The deployment whose targets get no new request any more. */
  readonly release: string
  readonly seconds: number
  readonly signal: AbortSignal
}

export interface Proxy {
  /** @throws TaskFailure as the kind `proxy.put` says */
  put(fragment: ProxyFragment, signal: AbortSignal): Promise<{ reloaded: boolean; targets: number }>
  /** New requests of a workload wait up to a minute, and those that run go on. `put` and `resume` end it. */
  hold(owner: Owner): Promise<void>
  /** Requests go to the release of the last fragment again. @throws TaskFailure NOT_RUNNING */
  resume(owner: Owner, signal: AbortSignal): Promise<void>
  /** Resolves when the targets have no request any more, or their time is over. Nothing leads to them then. */
  drained(asked: DrainAsked): Promise<Drained>
  /** Starts HAProxy now and whenever it has ended. @returns what ends that; HAProxy goes on */
  keepUp(): () => Promise<void>
}

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
  let loading: Promise<ProxyState> | undefined
  let state: ProxyState = { fragments: new Map(), backends: new Map() }
  let config: ProxyConfig | undefined
  let places: Promise<Parameters<typeof configOf>[1]> | undefined

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

  async function placesOf(): Promise<Parameters<typeof configOf>[1]> {
    const [account, hasIpv6] = await Promise.all([accountOfProxy(), hasIpv6Here()])
    return { directory, httpPort, account, hasIpv6 }
  }

  /** HAProxy has taken all of it before but the places of its targets, whose form is sure. */
  const isTaken = ({ shape }: ProxyConfig, { backends }: ProxyState): boolean =>
    shape === config?.shape && [...backends.values()].every((each) => BackendTargets.safeParse(each).success)

  /** In turn. @throws TaskFailure NO_PROXY · PROXY_REFUSED: nothing has changed then */
  async function accept(wanted: ProxyState): Promise<void> {
    const next = tidied(wanted)
    const wantedConfig = configOf(next, await (places ??= placesOf()))
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

  async function checkPorts(fragment: ProxyFragment): Promise<void> {
    const others = [...state.fragments].flatMap(([key, each]) => (key === ownerKey(fragment.owner) ? [] : [each]))
    checkBeside(fragment, others, httpPort)
    const own = (await isRunning()) ? listenersOf(state.fragments.values(), httpPort) : []
    const isOwn = ({ ip, port }: Listener) => own.some((each) => each.ip === ip && each.port === port)
    const wanted = listenersOf([fragment, ...others], httpPort).filter((each) => !isOwn(each))
    if (wanted.length === 0) return
    checkForeign(
      wanted,
      (await listening()).filter((each) => !isOwn(each)),
    )
    for (const { ip } of wanted)
      if (ip !== null && !(await isHere(ip)))
        throw new TaskFailure('NOT_AN_ADDRESS_HERE', `The host does not have the address ${ip}`)
  }

  /** @throws TaskFailure NOT_RUNNING */
  async function currentOf(fragment: ProxyFragment, signal: AbortSignal): Promise<Map<string, Target[]>> {
    const { installation, owner, release } = fragment
    const found = fragment.backends.map(async (backend): Promise<[string, Target[]]> => {
      const { name, service, port } = backend
      if (release === null) return [backendId(owner, name), []]
      const addresses = await targetsOf({ installation, release, service }, signal)
      if (addresses.length === 0)
        throw new TaskFailure('NOT_RUNNING', `The release has no container of the service ${service} that runs`)
      const targets = addresses.slice(0, slotsOf(backend)).map((address) => ({ address, port, release }))
      return [backendId(owner, name), targets]
    })
    return new Map(await Promise.all(found))
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

  async function sessionsOf(leaving: ReadonlyMap<string, readonly Target[]>): Promise<number> {
    if (leaving.size === 0 || !(await isRunning())) return 0
    const each = await Promise.all([...leaving].map(([id, targets]) => runtime.sessionsOf(id, targets)))
    return each.reduce((sum, sessions) => sum + sessions, 0)
  }

  /** Resolves when no client can send a request to a target of before the last reload. */
  async function untilLeft(): Promise<void> {
    const untilMs = performance.now() + KEEP_ALIVE_MS + LOOK_MS
    while ((await isRunning()) && (await runtime.waiting().catch(unlessDown)) !== 0 && performance.now() < untilMs)
      await pause(DRAIN_LOOK_MS)
  }

  /** @returns the sessions that are left */
  async function untilQuiet(
    leaving: ReadonlyMap<string, readonly Target[]>,
    untilMs: number,
    signal: AbortSignal,
  ): Promise<number> {
    for (let quiet = 0; ;) {
      signal.throwIfAborted()
      // A master that reloads does not answer for a moment.
      const sessions = await sessionsOf(leaving).catch(unlessDown)
      quiet = sessions === 0 ? quiet + 1 : 0
      if (quiet >= QUIET_LOOKS) return 0
      if (performance.now() >= untilMs && sessions !== undefined && sessions > 0) return sessions
      await pause(DRAIN_LOOK_MS, undefined, { signal })
    }
  }

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
      const current = await currentOf(fragment, signal)
      const targets = [...current.values()].reduce((sum, each) => sum + each.length, 0)
      const known = await inTurn(async () => (await loaded()).fragments.get(key))
      const isGone = fragment.backends.length === 0
      if ((known === undefined && isGone) || (known && known.revision > fragment.revision))
        return { reloaded: false, targets }
      const reloaded = await changed(async () => {
        await checkPorts(fragment)
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
      const current = await currentOf(fragment, signal)
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
    keepUp() {
      const stopping = new AbortController()
      const { signal } = stopping
      const run = async () => {
        let told = ''
        let work = reconcile
        while (!signal.aborted) {
          try {
            await work()
            work = look
            told = ''
          } catch (error) {
            if (String(error) !== told) log('the proxy of the host does not run', error)
            told = String(error)
          }
          await pause(LOOK_MS, undefined, { signal }).catch(() => {})
        }
      }
      const running = run()
      return async () => {
        stopping.abort()
        await running
      }
    },
  }
}

function unlessDown(error: unknown): undefined {
  if (error instanceof TaskFailure && error.code === 'PROXY_DOWN') return undefined
  throw error
}

/** One after the other. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

function turns(): InTurn {
  let turn: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }
}

async function hasIpv6Here(): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(0, '::')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
