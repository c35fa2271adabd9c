/** postmaster.pid, by lines: pid, directory, start, port, sockets, address, shared memory, status. Written by Postgres, read by us. */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { processArguments } from './process-identity.ts'

export interface Postmaster {
  readonly pid: number
  readonly port: number
}

/** A living server of this very cluster, whoever started it. */
export function livingPostmaster(pgdata: string): Postmaster | undefined {
  const [pid, , , port] = linesOf(pgdata).map(Number)
  return pid && port && servedDirectory(pid) === pgdata ? { pid, port } : undefined
}

export function isReady(pgdata: string, pid: number): boolean {
  const lines = linesOf(pgdata)
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

/**
 * Postgres will not start while the pid in a stale file is alive, even as something else altogether, or as the zombie that a container
 * without an init keeps of the server itself. The file must not go: it also names the shared memory by which Postgres finds back ends
 * that outlived a crash. A pid of its own parent, ours, it disregards.
 */
export function replaceRecycledPid(pgdata: string): void {
  const [pid, ...rest] = linesOf(pgdata)
  if (!pid || mayServe(Number(pid), pgdata)) return
  writeFileSync(join(pgdata, 'postmaster.pid'), [process.pid, ...rest].join('\n'))
}

/** A server that somebody started by hand may spell the directory otherwise; in doubt Postgres itself is left to refuse. */
function mayServe(pid: number, pgdata: string): boolean {
  if (basename(processArguments(pid)[0] ?? '') !== 'postgres') return false
  const directory = servedDirectory(pid)
  return directory === undefined || !directory.startsWith('/') || canonical(directory) === canonical(pgdata)
}

/** The directory after -D, when the process is a server. Its back ends call themselves `postgres: …` and have no such words. */
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
