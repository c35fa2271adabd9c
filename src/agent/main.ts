/** The program of an agent: registers the host if that is not done, and works until it is told to stop. */
import { randomUUID } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { AgentArchitecture } from '../tasks/agent-release.ts'
import type { TaskKind } from '../tasks/kind.ts'
import { isSafePanelUrl } from '../tasks/panel-url.ts'
import { planApply } from '../tasks/plan.ts'
import { startAgent } from './agent.ts'
import type { AgentDependencies } from './agent.ts'
import type { BackOffLimits } from './back-off.ts'
import { AGENT_CONFIG, readAgentConfig, stateDirectory } from './config.ts'
import type { AgentConfig } from './config.ts'
import { tellFacts } from './heartbeat.ts'
import { beatsOfHost } from './host/beat.ts'
import { hostEngine } from './host/engine.ts'
import type { HostEngine } from './host/engine.ts'
import { factsOfHost } from './host/facts.ts'
import { startMesh } from './mesh/mesh.ts'
import { panelClient } from './panel-client.ts'
import { resumeReplacement } from './panel-update/replacement.ts'
import { allAskersOn, followersOn, performersOn, plannersOn } from './performers.ts'
import type { Proxy } from './proxy/contract.ts'
import { openProxy } from './proxy/proxy.ts'
import { targetsOn } from './proxy/targets.ts'
import { register } from './register.ts'
import { executablesIn } from './release/executables.ts'
import { UPDATE_KINDS, updatePerformer } from './release/update.ts'
import { untilTakenBack } from './replaced.ts'
import { writeSecretFile } from './secret-file.ts'
import { sweepAllSources } from './sources/source-directories.ts'

/** Another process is the agent of this server (sysexits, EX_TEMPFAIL). An agent that install.sh has put there waits. */
const SUPERSEDED = 75
/** An update has not reached the panel in time (sysexits, EX_UNAVAILABLE). */
const UNREACHED = 69
const TRIAL_MS = 60_000

export interface AgentProgram {
  readonly version: string
  /** Holds its configuration, keys, journal and spool. Made if it is missing. */
  readonly directory: string
  /** Where to register; undefined: it has registered before. */
  readonly panelUrl: string | undefined
  /** Read only to register. */
  installToken(): Promise<string>
  readonly dockerHost: string | undefined
  /** Where the proxy of the host serves names. */
  readonly proxyHttpPort: number
  /** Undefined: it runs from its source, and takes no updates. */
  readonly release?: RunningExecutable | undefined
  /** Aborted to stop the agent. */
  readonly signal: AbortSignal
  /** Has no secrets. */
  say(message: string): void
}

/** An executable that updates itself. */
export interface RunningExecutable {
  /** Without links. Others are put into its directory. */
  readonly path: string
  readonly arch: AgentArchitecture
  /** Ed25519, public: what it has signed may replace this executable. */
  readonly key: KeyObject
  /** How long an update may take to reach the panel. */
  readonly trialMs?: number
  /** How long it waits before it asks again whether another process has replaced it. */
  readonly replacedMs?: BackOffLimits
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** @returns the exit code @throws Error for its operator */
export async function runAgentProgram(program: AgentProgram): Promise<number> {
  const { directory, signal, release } = program
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (let run: string | undefined; ;) {
    const { code, config, run: last } = await work(program, run)
    if (code !== SUPERSEDED || !release) return code
    program.say('Another process is the agent of this server, as the panel says: it is asked again later')
    if (!(await untilTakenBack(panelClient({ ...config, run: last }), signal, release.replacedMs))) return 0
    run = last
  }
}

interface Worked {
  readonly code: number
  readonly config: AgentConfig
  /** Its last run. */
  readonly run: string
}

/** @param firstRun of a process that the panel has taken back */
async function work(program: AgentProgram, firstRun: string = randomUUID()): Promise<Worked> {
  const { directory, signal } = program
  const engine = hostEngine(program.dockerHost)
  const log = (message: string, error?: unknown): void =>
    program.say(error instanceof Error ? `${message}: ${error.message}` : message)
  const proxy = proxyOf(program, engine, log)
  const facts = factsOf(program, engine, proxy)
  let config = await configOf(program, facts)
  const beatOfHost = beatsOfHost(directory, engine.look)
  const mesh = startMesh(config.serverId)
  const [askers, followers, planners] = [allAskersOn(engine), followersOn(engine), plannersOn(engine.call, mesh)]
  const beat = async () => ({ ...(await beatOfHost()), ...mesh.news() })
  const restart = new AbortController()
  const updates = updatesOf(program, () => restart.abort())
  const trial = await updates?.trial()
  const replacing = { call: engine.call, directory, say: program.say }
  await sweepAllSources(directory).catch((error: unknown) => log('old sources are not removed', error))
  resumeReplacement(replacing).catch((error: unknown) => log('the panel is not replaced', error))
  const leaveProxy = proxy.keepUp()
  try {
    for (let run = firstRun; ; run = randomUUID()) {
      const ended = (code: number): Worked => ({ code, config, run })
      const performers = [...performersOn({ ...engine, directory, proxy }), ...(updates?.performers(config, run) ?? [])]
      const parts = {
        performers,
        askers,
        followers,
        planners,
        beat,
        isReady: engine.answers,
      }
      const agent = await startAgent({
        ...config,
        ...parts,
        directory: stateDirectory(config),
        run,
        log,
        onReached: trial?.pass,
      })
      program.say(`The agent of server ${config.serverId} has started`)
      const telling = new AbortController()
      const stopped = AbortSignal.any([signal, restart.signal, telling.signal])
      const told = tellFacts({ config, run, facts, beat, plans: agent.revisions, log }, stopped)
      const next = await Promise.race([agent.ended, told, aborted(stopped), ...(trial ? [trial.failed] : [])])
      telling.abort()
      await agent.stop()
      if (next === 'SUPERSEDED') return ended(SUPERSEDED)
      if (next === 'UNREACHED') return ended(UNREACHED)
      if (next === 'STOPPED' || next === undefined) return ended(0)
      config = { ...config, token: next }
      await writeSecretFile(join(directory, AGENT_CONFIG), JSON.stringify(config))
    }
  } finally {
    await Promise.all([mesh.close(), leaveProxy()])
  }
}

/** Registers the host, also one that has registered before. @throws Error for its operator */
export async function registerHost(program: AgentProgram & { readonly panelUrl: string }): Promise<void> {
  const { directory, panelUrl, installToken } = program
  await mkdir(directory, { recursive: true, mode: 0o700 })
  refuseOpenHttp(panelUrl)
  const engine = hostEngine(program.dockerHost)
  const facts = await factsOf(
    program,
    engine,
    proxyOf(program, engine, () => {}),
  )()
  const config = await register({ panelUrl, installToken: await installToken(), facts, directory })
  await writeSecretFile(join(directory, AGENT_CONFIG), JSON.stringify(config))
}

type HostFacts = () => ReturnType<typeof factsOfHost>

const proxyOf = (
  { directory, proxyHttpPort }: AgentProgram,
  { call }: HostEngine,
  log: AgentDependencies['log'],
): Proxy => openProxy({ directory: join(directory, 'proxy'), httpPort: proxyHttpPort, targetsOf: targetsOn(call), log })

function factsOf({ version, directory, release }: AgentProgram, engine: HostEngine, proxy: Proxy): HostFacts {
  const own = [...performersOn({ ...engine, directory, proxy }).map(({ kind }) => kind), planApply]
  const kinds: Pick<TaskKind, 'name' | 'version'>[] = [...own, ...(release ? UPDATE_KINDS : [])]
  return async () => factsOfHost({ version, kinds, directory, found: await engine.look() })
}

/** @returns undefined for an agent that takes none */
function updatesOf({ version, release }: AgentProgram, restart: () => void) {
  if (!release) return undefined
  const { path, arch, key: releaseKey, trialMs = TRIAL_MS } = release
  const executables = executablesIn(dirname(path), basename(path))
  return {
    performers: (config: AgentConfig, run: string) => [
      updatePerformer({ version, arch, releaseKey, executables, config, run, restart }),
    ],
    async trial() {
      if (!(await executables.isOnTrial())) return undefined
      const passed = new AbortController()
      return {
        failed: pause(trialMs, 'UNREACHED' as const, { signal: passed.signal, ref: false }).catch(() => NEVER),
        async pass() {
          await executables.keep()
          passed.abort()
        },
      }
    },
  }
}

const NEVER = new Promise<never>(() => {})

async function configOf(program: AgentProgram, facts: HostFacts): Promise<AgentConfig> {
  const { directory, panelUrl, installToken } = program
  const path = join(directory, AGENT_CONFIG)
  try {
    return await readAgentConfig(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  if (panelUrl === undefined) throw new Error(`${path} is missing: give the address of the panel, to register`)
  refuseOpenHttp(panelUrl)
  const config = await register({ panelUrl, installToken: await installToken(), facts: await facts(), directory })
  await writeSecretFile(path, JSON.stringify(config))
  return config
}

function refuseOpenHttp(panelUrl: string): void {
  if (!isSafePanelUrl(panelUrl))
    throw new Error('The address of the panel must begin with https://, except on the panel’s own host')
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
