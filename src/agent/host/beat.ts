/** How a host is at the moment. */
import { readFile, statfs } from 'node:fs/promises'
import { cpus, freemem, loadavg, totalmem } from 'node:os'
import type { Beat } from '../../tasks/protocol.ts'
import type { FoundEngine } from './engine.ts'

const KIB = 1_024

interface Processors {
  readonly busy: number
  readonly all: number
}

/** Between two beats, since the processors count from the start of the host on. */
export function beatsOfHost(directory: string, look: () => Promise<FoundEngine>) {
  let before = processors()
  return async (): Promise<Omit<Beat, 'plans'>> => {
    const [{ blocks, bsize, bavail }, found, free] = await Promise.all([statfs(directory), look(), freeMemory()])
    const now = processors()
    const cpuPercent = percentOf(before, now)
    before = now
    return {
      cpuPercent,
      memoryBytes: totalmem(),
      memoryUsedBytes: Math.max(0, totalmem() - free),
      diskBytes: blocks * bsize,
      diskUsedBytes: (blocks - bavail) * bsize,
      load: loadavg()[0] ?? 0,
      containers: 'info' in found ? found.info.containers : null,
      engine: engineState(found),
    }
  }
}

function engineState(found: FoundEngine): Beat['engine'] {
  if ('info' in found) return 'UP'
  return found.problem.code === 'NO_SOCKET' ? 'NONE' : 'DOWN'
}

function processors(): Processors {
  const times = cpus().map(({ times }) => times)
  const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0)
  const all = sum(times.flatMap((each) => Object.values(each)))
  return { all, busy: all - sum(times.map(({ idle }) => idle)) }
}

const percentOf = (before: Processors, now: Processors): number =>
  now.all <= before.all ? 0 : Math.min(100, Math.max(0, (100 * (now.busy - before.busy)) / (now.all - before.all)))

const AVAILABLE = /^MemAvailable:\s+(\d+) kB$/m

/** What programs can have: the memory of caches is free. Other systems than Linux know less. */
async function freeMemory(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const kib = AVAILABLE.exec(text)?.[1]
  return kib === undefined ? freemem() : Number(kib) * KIB
}
