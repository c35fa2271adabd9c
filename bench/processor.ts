/** Processor time, which does not depend on how busy the machine is. Only Linux shows that of other processes. */
import { readFileSync, readdirSync } from 'node:fs'

export interface ProcessorTime {
  /** Of the contestant's process and of its children that have ended. */
  readonly nodeUs: number
  /** Of the postmaster's children, including those that have ended. */
  readonly postgresUs: number
}

const TICK_US = 10_000
const POSTMASTER = Number(process.env['BENCH_POSTMASTER'])

/** Since the processes began. Undefined without /proc. */
export function processorTime(): ProcessorTime | undefined {
  const [own, postgresUs] = [stat(process.pid), serverUs(POSTMASTER)]
  if (!own || postgresUs === undefined) return undefined
  const { user, system } = process.cpuUsage()
  return { nodeUs: user + system + own.endedUs, postgresUs }
}

/** Of other processes of Node, with their threads and children that live, and of a server. Undefined without /proc. */
export function processorTimeOf(processes: readonly number[], postmaster: number): ProcessorTime | undefined {
  const postgresUs = serverUs(postmaster)
  if (postgresUs === undefined) return undefined
  return { nodeUs: processes.flatMap(treeOf).reduce((sum, pid) => sum + threadsUs(pid), 0), postgresUs }
}

/** A process and those below it. */
export const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)]

function serverUs(postmaster: number): number | undefined {
  const server = stat(postmaster)
  if (!server) return undefined
  const postgresUs = server.endedUs + childrenOf(postmaster).reduce((sum, pid) => sum + spentBy(pid), 0)
  // A child that ended between the two reads would be missing from both counts.
  return stat(postmaster)?.endedUs === server.endedUs ? postgresUs : serverUs(postmaster)
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && stat(pid)?.parent === parent)

/** For each operation. */
export function spentEach(
  before: ProcessorTime | undefined,
  after: ProcessorTime | undefined,
  operations: number,
): ProcessorTime | undefined {
  if (!before || !after) return undefined
  return {
    nodeUs: (after.nodeUs - before.nodeUs) / operations,
    postgresUs: Math.max(0, after.postgresUs - before.postgresUs) / operations,
  }
}

/**
 * Undefined for a process that has ended. proc(5): after the name in brackets come state and parent, and as
 * 14th and 15th the ticks of ended children.
 */
function stat(pid: number): { parent: number; endedUs: number } | undefined {
  const text = read(`/proc/${pid}/stat`)
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields && { parent: Number(fields[1]), endedUs: (Number(fields[13]) + Number(fields[14])) * TICK_US }
}

/** The ticks of /proc/…/stat are longer than a backend works in a short round; schedstat counts nanoseconds. */
const spentBy = (pid: number | string): number => Number(read(`/proc/${pid}/schedstat`)?.split(' ')[0] ?? 0) / 1_000

/** The compiler, the collector of garbage and the pool of libuv are threads. */
const threadsUs = (pid: number): number => threadsOf(pid).reduce((sum, thread) => sum + spentBy(thread), 0)

/** Of a process with threads of its own that have ended, and without its children, in steps of 10 ms. Undefined if it has ended. */
export function spentMs(pid: number): number | undefined {
  const text = read(`/proc/${pid}/stat`)
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields && (Number(fields[11]) + Number(fields[12])) * (TICK_US / 1_000)
}

/** The paths of its threads below /proc. */
export function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `${pid}/task/${thread}`)
  } catch {
    return []
  }
}

export function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
