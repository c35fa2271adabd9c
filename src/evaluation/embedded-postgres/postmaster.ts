/** The server process of one cluster: start, readiness, stop. */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClusterHome } from './home.ts'
import { serverEnvironment } from './initdb.ts'
import { replaceRecycledPid, isReady, type Postmaster } from './postmaster-file.ts'
import { processArguments, processStart } from './process-identity.ts'
import { openServerLog, type ServerLog } from './server-log.ts'

/** Crash recovery replays the log since the last checkpoint, which takes time on a slow disk. */
const READY_WITHIN_MS = 120_000
const STOP_WITHIN_MS = 30_000
const POLL_MS = 25

/** How to start the server of a cluster; apart from the port, equal launches give equal servers. */
export interface ServerLaunch {
  readonly home: ClusterHome
  readonly programs: string
  readonly settings: Readonly<Record<string, string>>
  /** The path of the log file. */
  readonly log: string
}

/** Whether a running server was started with exactly these options. */
export function isLaunchedAs({ pid, port }: Postmaster, launch: ServerLaunch): boolean {
  return processArguments(pid).join('\0') === serverCommand(launch, port).join('\0')
}

function serverCommand({ home, programs, settings }: ServerLaunch, port: number): [string, ...string[]] {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return [join(programs, 'bin', 'postgres'), '-D', home.pgdata, '-p', String(port), ...options]
}

interface StartingServer {
  readonly launch: ServerLaunch
  readonly port: number
  readonly log: ServerLog
}

/**
 * Resolves when the server accepts connections.
 * @throws Error with the output of Postgres if it ended instead
 */
export async function startPostmaster(launch: ServerLaunch, port: number): Promise<Postmaster> {
  replaceRecycledPid(launch.home.pgdata)
  const log = openServerLog(launch.log)
  const child = spawnServer(serverCommand(launch, port), launch.home, log.handle)
  closeSync(log.handle)
  const takeAlong = () => child.kill('SIGINT')
  process.once('exit', takeAlong)
  try {
    return await waitUntilReady(child, { launch, port, log })
  } finally {
    process.removeListener('exit', takeAlong)
  }
}

async function waitUntilReady(child: ChildProcess, { launch, port, log }: StartingServer): Promise<Postmaster> {
  let failure: string | undefined
  child.once('error', (error) => (failure = String(error)))
  child.once('exit', (code, signal) => (failure ??= `Postgres stopped (${signal ?? `exit code ${code}`})`))
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await pause(POLL_MS)) {
    if (failure !== undefined) throw new Error(`${failure}: ${log.tail()}`)
    if (child.pid && isReady(launch.home.pgdata, child.pid)) return { pid: child.pid, port }
  }
  child.kill('SIGINT')
  throw new Error(`Postgres was not ready after ${READY_WITHIN_MS / 1_000} s; see ${launch.log}`)
}

/**
 * Runs in its own session: Ctrl-C in a terminal then reaches only Daybook, and the database stays until
 * the last request is answered.
 */
function spawnServer(
  [program, ...args]: [string, ...string[]],
  { account }: ClusterHome,
  output: number,
): ChildProcess {
  return spawn(program, args, {
    ...account,
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', output, output],
  })
}

/**
 * Ends all sessions, writes all data and waits for the end of the process. A process that hangs gets
 * SIGQUIT, then SIGKILL.
 */
export async function stopPostmaster({ pid }: Postmaster): Promise<void> {
  const start = processStart(pid)
  if (start === undefined) return
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    askToStop(pid, signal)
    if (await waitUntilGone(pid, start)) return
  }
  throw new Error(`Postgres (process ${pid}) does not stop`)
}

export function askToStop(pid: number, signal: NodeJS.Signals = 'SIGINT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function waitUntilGone(pid: number, start: string): Promise<boolean> {
  for (const until = Date.now() + STOP_WITHIN_MS; Date.now() < until; await pause(POLL_MS))
    if (processStart(pid) !== start) return true
  return false
}
