/** How fast an application answers while builds burn all cores, beside the quiet before. */
import { availableParallelism, constants, cpus, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { ShopSite } from '../../../drills/shop-site.ts'
import { visitors } from '../../../drills/visitors.ts'
import { median } from '../../../scripts/figures/spread.ts'
import { BUSYBOX } from '../../../test/support/busybox-image.ts'

const BUILDS = 2
const ROUNDS = 5
const QUIET_MS = 6_000
const BUSY_MS = 6_000
const BURN_SECONDS = 12
/** Visitors of one core's tenth: what is measured is how long each waits, not how many are served. */
const LOAD = { fast: 4, slow: 0, pauseMs: 20 }

export interface BusyFigures {
  /** Medians of p99, in ms. */
  readonly quietMs: number
  readonly busyMs: number
  readonly ratio: number
  /** Of all cores, while builds ran. */
  readonly burnt: number
}

/** Differs each time, so that no build finds a step of another one. */
const dockerfile = (what: string): string => `FROM ${BUSYBOX}
RUN echo ${what}; for each in $(seq ${availableParallelism()}); do timeout ${BURN_SECONDS} sh -c 'while :; do :; done' & done; wait
CMD ["sleep", "1000"]
`

export async function measureBusyBuilds(site: ShopSite): Promise<BusyFigures> {
  // Visitors are on other machines: those of the bench must not wait for what builds leave of the processor.
  setPriority(constants.priority.PRIORITY_HIGHEST)
  const burners = await Promise.all(Array.from({ length: BUILDS }, (_, nth) => burner(site, `burner-${nth}`)))
  const [quiet, busy]: [number[], number[]] = [[], []]
  const visiting = visitors(site.port, (body) => body.startsWith('version '), LOAD)
  const p99In = async (ms: number) => {
    visiting.p99()
    await pause(ms)
    return visiting.p99()
  }
  const burnt: number[] = []
  for (let nth = 0; nth <= ROUNDS; nth += 1) {
    const quietMs = await p99In(QUIET_MS)
    const ids = await Promise.all(burners.map((burn) => burn(nth)))
    await Promise.all(ids.map((id) => untilBuilding(site, id)))
    await pause(1_000)
    const spent = spentByCores()
    const busyMs = await p99In(BUSY_MS)
    burnt.push(spent())
    for (const id of ids) {
      const { status } = await site.over(id)
      if (status !== 'SUCCEEDED') throw new Error(`A build that burns is ${status}`)
    }
    await pause(1_000)
    // The first round warms up what both use.
    if (nth > 0) quiet.push(quietMs)
    if (nth > 0) busy.push(busyMs)
  }
  const { lost } = await visiting.leave()
  if (lost.length > 0) throw new Error(`Requests were lost: ${lost.join(', ')}`)
  setPriority(constants.priority.PRIORITY_NORMAL)
  const ratio = median(busy.map((each, nth) => each / quiet[nth]!))
  return { quietMs: median(quiet), busyMs: median(busy), ratio, burnt: median(burnt) }
}

/** What builds, and burns. @returns what asks for its nth build */
async function burner(site: ShopSite, name: string) {
  const { url, write, commit } = site.repository(name)
  const source = { kind: 'GIT', url, branch: 'main' }
  const more = { source, port: null, healthCheck: { kind: 'NONE' }, memoryMiB: 16, cpuMillis: 50 }
  const { id } = await site.add(name, more)
  return async (nth: number): Promise<string> => {
    write({ Dockerfile: dockerfile(`${name}-${nth}`) })
    commit(`burn ${nth}`)
    return (await site.call('POST', `/api/applications/${id}/redeploy`, {})).id
  }
}

async function untilBuilding(site: ShopSite, id: string): Promise<void> {
  for (;;) {
    const { status, endedAt } = await site.state(id)
    if (status === 'BUILDING') return
    if (endedAt !== null) throw new Error(`A build that burns is ${status}`)
    await pause(50)
  }
}

/** @returns what says which part of all cores was at work since then */
function spentByCores(): () => number {
  const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0)
  const [idle, beganMs] = [idleMs(), performance.now()]
  return () => 1 - (idleMs() - idle) / ((performance.now() - beganMs) * availableParallelism())
}
