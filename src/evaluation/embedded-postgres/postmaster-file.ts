/**
 * Reads postmaster.pid, which Postgres writes. Its lines: pid, directory, start, port, sockets,
 * address, shared memory, status.
 */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { processArguments } from './process-identity.ts'

export interface Postmaster {
  readonly pid: number
  readonly port: number
}

/** The running server of this cluster, independent of which process started it. */
export function livingPostmaster(pgdata: string): Postmaster | undefined {
  const [pid, , , port] = linesOf(pgdata).map(Number)
  return pid && port && servedDirectory(pid) === pgdata ? { pid, port } : undefined
}

export function isReady(pgdata: string, pid: number): boolean {
  const lines = linesOf(pgdata)
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

/**
 * Postgres does not start while the pid in a stale file is alive. That pid may belong to another
 * program now, or be the zombie of the server in a container without an init process. The file must not
 * be deleted, because it names the shared memory by which Postgres finds back ends that survived a
 * crash. Postgres ignores the pid of its own parent, so the file gets the pid of this process.
 */
export function replaceRecycledPid(pgdata: string): void {
  const [pid, ...rest] = linesOf(pgdata)
  if (!pid || mayServe(Number(pid), pgdata)) return
  writeFileSync(join(pgdata, 'postmaster.pid'), [process.pid, ...rest].join('\n'))
}

/**
 * A server that was started manually may have another spelling of the directory. In doubt the check is
 * left to Postgres.
 */
function mayServe(pid: number, pgdata: string): boolean {
  if (basename(processArguments(pid)[0] ?? '') !== 'postgres') return false
  const directory = servedDirectory(pid)
  return directory === undefined || !directory.startsWith('/') || canonical(directory) === canonical(pgdata)
}

/**
 * The directory after -D if the process is a server. Its back ends are named `postgres: …` and have no
 * such argument.
 */
function servedDirectory(pid: number): string | undefined {
  const words = processArguments(pid)
  return basename(words[0] ?? '') === 'postgres' && words[1] === '-D' ? words[2] : undefined
}

function linesOf(pgdata: string): string[] {
  try {
    return readFileSync(join(pgdata, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

function canonical(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
