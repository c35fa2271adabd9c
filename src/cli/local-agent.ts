/** The agent of the host that an evaluation runs on, as a process beside the panel. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism, hostname, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AGENT_CONFIG } from '../agent/config.ts'
import { hostEngine } from '../agent/host/engine.ts'
import type { EngineInfo } from '../agent/host/engine.ts'
import { SYSTEM_ACTOR } from '../composition/core.ts'
import type { Panel } from '../composition/panel.ts'
import { dockerHost, environmentOfAgent } from '../config/agent.ts'
import type { LocalAgentStarter } from '../panel/servers/local-agent.ts'
import { installLocalAgent, localServerIn } from '../panel/workflows/servers.ts'

const DIRECTORY = 'local-agent'
const STARTED = 'has started'
const START_MS = 5_000
const LOOK_MS = 10_000
const AGAIN_MS = { first: 1_000, longest: 60_000 }
const GIB = 1_024 ** 3
const SEE_LOG = 'See the log of the panel'
const CONTEXT = { actor: SYSTEM_ACTOR, requestId: 'local-agent' }

export interface LocalAgent extends LocalAgentStarter {
  /** Whether the local server is ready, or what is missing. */
  readonly line: string
  close(): Promise<void>
}

interface LocalAgentDependencies {
  readonly panel: Panel
  /** On this machine, without a trailing slash. */
  readonly origin: string
  readonly dataDir: string
  readonly log: Logger
}

/** An engine that is installed later is found without a restart. */
export async function startLocalAgent(parts: LocalAgentDependencies): Promise<LocalAgent> {
  const { look } = hostEngine(dockerHost(process.env))
  const stopping = new AbortController()
  const running = runner(parts, stopping.signal)
  let waiting: Promise<void> | undefined
  let starting: Promise<void> | undefined
  /** Starts it once. @returns what is wrong now; undefined once it works */
  async function begin(): Promise<string | undefined> {
    await (starting ??= running.start())
    return running.problem()
  }

  const found = await look()
  if ('info' in found) return { line: (await begin()) ?? readyLine(found.info), start, close }
  const { message, remedy } = found.problem
  waiting = waitForEngine()
  return { line: `none: ${message}. ${remedy}.`, start, close }

  async function waitForEngine(): Promise<void> {
    while (!stopping.signal.aborted && !starting) {
      await sleep(LOOK_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      if (stopping.signal.aborted || !('info' in (await look()))) continue
      const problem = await begin()
      if (problem !== undefined) parts.log.warn(problem)
    }
  }

  async function start() {
    const now = await look()
    if ('problem' in now) return now.problem
    const problem = await begin()
    return problem === undefined ? undefined : { message: `The agent does not start: ${problem}`, remedy: SEE_LOG }
  }

  async function close(): Promise<void> {
    stopping.abort()
    await waiting
    await running.stop()
  }
}

const readyLine = ({ version }: EngineInfo): string =>
  `ready: Docker ${version}, ${availableParallelism()} CPU, ${(totalmem() / GIB).toFixed(1)} GiB`

function runner({ panel, origin, dataDir, log }: LocalAgentDependencies, signal: AbortSignal) {
  const directory = join(dataDir, DIRECTORY)
  let child: ChildProcess | undefined
  let keeping: Promise<unknown> = Promise.resolve()
  let problem: string | undefined

  /** @returns what is wrong; undefined once it works */
  async function begin(): Promise<string | undefined> {
    const installToken = await installTokenOf(panel, directory)
    const started = spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'agent', directory, origin], {
      env: environmentOfAgent(process.env),
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    child = started
    // A process that has ended reads nothing.
    started.stdin.on('error', () => {})
    started.stdin.end(`${installToken ?? ''}\n`)
    let said = ''
    const ready = new Promise<void>((resolve) => {
      started.stderr.on('data', (piece: Buffer) => {
        log.info({ agent: piece.toString().trimEnd() }, 'the local agent says')
        if (said.length < 2_000) said += piece.toString()
        if (said.includes(STARTED)) resolve()
      })
    })
    const ended = once(started, 'exit')
    keeping = ended
    void ready.then(() => (problem = undefined))
    const late = sleep(START_MS, 'late' as const, { ref: false })
    const how = await Promise.race([ready.then(() => 'ready' as const), ended.then(() => 'ended' as const), late])
    return how === 'ready' ? undefined : `none: ${said.trim().split('\n').at(-1) ?? 'its agent does not start'}`
  }

  async function keep(): Promise<void> {
    let againMs = AGAIN_MS.first
    while (!signal.aborted) {
      await keeping
      await sleep(againMs, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      await tryOnce()
      againMs = problem === undefined ? AGAIN_MS.first : Math.min(AGAIN_MS.longest, 2 * againMs)
    }
  }

  /** A database that cannot be reached for a moment ends no later attempt. */
  async function tryOnce(): Promise<void> {
    problem = await begin().catch((err: unknown) => {
      log.warn({ err }, 'the local agent is not started')
      return 'none: its agent could not be started, see the log of the panel'
    })
  }

  let kept = Promise.resolve()
  return {
    problem: () => problem,
    async start(): Promise<void> {
      await tryOnce()
      kept = keep()
    },
    async stop(): Promise<void> {
      child?.kill('SIGTERM')
      await keeping
      await kept
    },
  }
}

/** @returns undefined for an agent that has registered */
async function installTokenOf(panel: Panel, directory: string): Promise<string | undefined> {
  const path = join(directory, AGENT_CONFIG)
  return panel.commands.run(CONTEXT, async (unit) => {
    const known = await localServerIn(unit)
    if (known !== undefined && serverIn(path) === known) return undefined
    // Of another installation, or of a server that was reset.
    rmSync(path, { force: true })
    return (await installLocalAgent(unit, panel.vault, hostname())).token
  })
}

function serverIn(path: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { readonly serverId?: string }).serverId
  } catch {
    return undefined
  }
}
