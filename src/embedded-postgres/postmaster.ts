/** The server process of one cluster: finding one that outlived its parent, starting, waiting, stopping. */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { commandLine, processStart } from './process-identity.ts'
import { serverEnvironment } from './initdb.ts'
import type { Home } from './home.ts'

/** Crash recovery replays the log since the last checkpoint, which takes time on a slow disk. */
const READY_WITHIN_MS = 120_000
const FAST_STOP_WITHIN_MS = 30_000
const POLL_MS = 25

export interface Postmaster {
  readonly pid: number
  readonly port: number
}

/** The lines of postmaster.pid: pid, directory, start, port, sockets, address, shared memory, status. */
function pidFile(pgdata: string): string[] | undefined {
  try {
    return readFileSync(join(pgdata, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
}

/** A living server of this very cluster, whoever started it. */
export function livingPostmaster(pgdata: string): Postmaster | undefined {
  const [pid, , , port] = pidFile(pgdata)?.map(Number) ?? []
  if (!pid || !port) return undefined
  const words = commandLine(pid)
  return words.includes(pgdata) && words[0]?.endsWith('/postgres') ? { pid, port } : undefined
}

/** Whether a living server was started with exactly these settings. */
export function runsWith({ pid, port }: Postmaster, pgdata: string, settings: Settings): boolean {
  return commandLine(pid).slice(1).join(' ') === serverArguments(pgdata, port, settings).join(' ')
}

export type Settings = Readonly<Record<string, string>>

function serverArguments(pgdata: string, port: number, settings: Settings): string[] {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', pgdata, '-p', String(port), ...options]
}

/**
 * Starts the server and waits until it accepts connections. In a session of its own, so that Ctrl-C in a terminal reaches only us
 * and the database stays until our last request is answered.
 */
export async function startPostmaster(
  home: Home,
  programs: string,
  port: number,
  settings: Settings,
  log: string,
): Promise<Postmaster> {
  disarmRecycledPid(home.pgdata)
  const output = openSync(log, 'a', 0o600)
  const written = statSync(log).size
  const child = spawn(join(programs, 'bin', 'postgres'), serverArguments(home.pgdata, port, settings), {
    ...home.account,
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  child.once('exit', (code) => (failure ??= new Error(`Postgres ended with exit code ${code}`)))
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await pause(POLL_MS)) {
    if (failure) throw new Error(`${failure.message}:\n${readFileSync(log).subarray(written).toString()}`)
    if (isReady(home.pgdata, child.pid!)) return { pid: child.pid!, port }
  }
  child.kill('SIGINT')
  throw new Error(`Postgres was not ready after ${READY_WITHIN_MS / 1_000} s; see ${log}`)
}

function isReady(pgdata: string, pid: number): boolean {
  const lines = pidFile(pgdata)
  return Number(lines?.[0]) === pid && lines?.[7]?.trim() === 'ready'
}

/**
 * Postgres will not start while the pid in a stale postmaster.pid is alive, even as something else altogether. The file must not go:
 * it also names the shared memory by which Postgres finds back ends that outlived a crash. A pid of its own parent it disregards.
 */
function disarmRecycledPid(pgdata: string): void {
  const lines = pidFile(pgdata)
  if (!lines) return
  writeFileSync(join(pgdata, 'postmaster.pid'), [process.pid, ...lines.slice(1)].join('\n'))
}

/** Ends all sessions, writes everything down, waits for the process to be gone. One that hangs is ended without ceremony. */
export async function stopPostmaster({ pid }: Postmaster): Promise<void> {
  const start = processStart(pid)
  if (start === undefined) return
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!send(pid, signal)) return
    if (await gone(pid, start)) return
  }
}

async function gone(pid: number, start: string): Promise<boolean> {
  for (const until = Date.now() + FAST_STOP_WITHIN_MS; Date.now() < until; await pause(POLL_MS))
    if (processStart(pid) !== start) return true
  return false
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
