/** Processor time, which stays what it is when others keep the machine busy. Linux alone tells that of other processes. */
import { readFileSync, readdirSync } from 'node:fs'

export interface ProcessorTime {
  readonly nodeUs: number
  readonly postgresUs: number
}

interface Reading {
  readonly nodeUs: number
  /** Microseconds by process: the postmaster and its children that live now. */
  readonly server: ReadonlyMap<number, number>
}

/** Undefined where there is no /proc. */
export function processorTime(postmaster: number): Reading | undefined {
  const { user, system } = process.cpuUsage()
  const server = new Map<number, number>()
  try {
    for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
      const us = pid === postmaster || parentOf(pid) === postmaster ? spentBy(pid) : undefined
      if (us !== undefined) server.set(pid, us)
    }
  } catch {
    return undefined
  }
  return { nodeUs: user + system, server }
}

/** For each operation. What ended between the two readings is not counted: the back ends that worked live until their pool is closed. */
export function spentEach(
  before: Reading | undefined,
  after: Reading | undefined,
  operations: number,
): ProcessorTime | undefined {
  if (!before || !after) return undefined
  const server = [...after.server].map(([pid, us]) => us - (before.server.get(pid) ?? 0))
  return {
    nodeUs: (after.nodeUs - before.nodeUs) / operations,
    postgresUs: server.reduce((sum, us) => sum + us, 0) / operations,
  }
}

/** Undefined for what has ended meanwhile. proc(5): behind the name in brackets come state and parent. */
function parentOf(pid: number): number | undefined {
  const text = read(`/proc/${pid}/stat`)
  return text === undefined ? undefined : Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
}

/** The ticks of /proc/…/stat are 10 ms, longer than a back end works in a short round; schedstat counts nanoseconds. */
function spentBy(pid: number): number | undefined {
  const text = read(`/proc/${pid}/schedstat`)
  return text === undefined ? undefined : Number(text.split(' ')[0]) / 1_000
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
