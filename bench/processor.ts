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
  const [own, server] = [stat(process.pid), stat(POSTMASTER)]
  if (!own || !server) return undefined
  const { user, system } = process.cpuUsage()
  const nodeUs = user + system + own.endedUs
  const postgresUs = server.endedUs + childrenOf(POSTMASTER).reduce((sum, pid) => sum + spentBy(pid), 0)
  // A child that ended between the two reads would be missing from both counts.
  return stat(POSTMASTER)?.endedUs === server.endedUs ? { nodeUs, postgresUs } : processorTime()
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
const spentBy = (pid: number): number => Number(read(`/proc/${pid}/schedstat`)?.split(' ')[0] ?? 0) / 1_000

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
