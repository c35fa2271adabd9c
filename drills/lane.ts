/** Deployments wait for their turn, and several processes let them in. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Drill, Tally } from './drill.ts'
import { asked } from './ledger.ts'
import { panelsBeside } from './panels-beside.ts'
import { loading, missingForShop, onShop } from './shop-site.ts'
import type { ShopSite } from './shop-site.ts'

const PROJECTS = 5
const EACH = { quick: 2, full: 10 }
const PROCESSES = 4
const BUILDS_MAX = 2
const OVER_WITHIN_MS = 600_000
/** A broken lane may lose some of them for ever. */
const STANDS_STILL_MS = 60_000
const LANE = `SELECT type, data->>'deploymentId' AS id, data->>'projectId' AS project
  FROM store.event WHERE stream LIKE 'deployLane-%' ORDER BY pos`

interface LaneEvent {
  readonly type: 'LaneJoined' | 'LaneEntered' | 'LaneLeft'
  readonly id: string
  readonly project: string
}

export const lane: Drill = {
  name: 'lane',
  does: '50 deployments are asked of four processes at once, of which two may build',
  breaks: 'who may build is read, and not held until it is written',
  missing: missingForShop,
  run({ directory, isQuick, isBroken }) {
    const broken = isBroken ? 'lane-not-held.ts' : undefined
    const each = isQuick ? EACH.quick : EACH.full
    return onShop(directory, (site) => queued(site, each, loading(broken)), { broken })
  },
}

async function queued(site: ShopSite, each: number, env: NodeJS.ProcessEnv): Promise<Tally> {
  const { dataDir, origin } = site
  site.push('version 1')
  const applications = await applicationsOf(site, each)
  const beside = await panelsBeside({ dataDir, origin, count: PROCESSES - 1, env })
  try {
    const origins = [origin, ...beside.origins]
    const begunMs = performance.now()
    const ids = await Promise.all(applications.map((id, nth) => redeploy(site, id, origins[nth % PROCESSES]!)))
    await untilOver(beside.databaseUrl, ids.length)
    const tookMs = performance.now() - begunMs
    const turns = turnsOf(await asked<LaneEvent>(beside.databaseUrl, LANE))
    const deployments = await Promise.all(ids.map(site.state))
    const succeeded = deployments.filter(({ status }) => status === 'SUCCEEDED').length
    const atOnce = mostAtOnce(deployments)
    const ended = deployments.filter(({ endedAt }) => endedAt !== null).length
    return {
      acknowledged: ids.length,
      found: ended,
      lost: ids.length - ended,
      doubled: turns.doubled,
      broken: [
        ...turns.wrong,
        ...(atOnce > BUILDS_MAX ? [`${atOnce} deployments ran at once`] : []),
        ...(succeeded === ids.length ? [] : [`only ${succeeded} of ${ids.length} succeeded`]),
      ],
      note: `at most ${turns.most} in their turn and ${atOnce} running at once, ${Math.round(tookMs / 1_000)} s`,
    }
  } finally {
    await beside.stop()
  }
}

async function applicationsOf({ call, repositoryUrl }: ShopSite, each: number): Promise<string[]> {
  const ids: string[] = []
  for (let nth = 0; nth < PROJECTS; nth += 1) {
    const { id: projectId } = await call('POST', '/api/projects', { name: `Project ${nth}` })
    const { id: environmentId } = await call('POST', `/api/projects/${projectId}/environments`, { name: 'live' })
    for (let more = 0; more < each; more += 1) {
      const { id } = await call('POST', '/api/applications', {
        projectId,
        environmentId,
        name: `App ${more}`,
        port: null,
        source: { kind: 'GIT', url: repositoryUrl, branch: 'main' },
        memoryMiB: 16,
        cpuMillis: 50,
        stopSeconds: 1,
        healthCheck: { kind: 'NONE' },
      })
      ids.push(id)
    }
  }
  return ids
}

/** What is refused because others were faster is asked again, as the answer says. @returns the id of the deployment */
async function redeploy(site: ShopSite, application: string, at: string): Promise<string> {
  for (;;)
    try {
      return (await site.call('POST', `/api/applications/${application}/redeploy`, {}, at)).id
    } catch (error) {
      if (!String(error).includes('CONTENTION')) throw error
      await pause(1_000)
    }
}

/** Resolves as well when nothing has happened for a minute. */
async function untilOver(databaseUrl: string, count: number): Promise<void> {
  let [seen, seenMs] = [0, performance.now()]
  for (const late = seenMs + OVER_WITHIN_MS; performance.now() < late; await pause(500)) {
    const events = await asked<LaneEvent>(databaseUrl, LANE)
    if (new Set(events.flatMap(({ type, id }) => (type === 'LaneLeft' ? [id] : []))).size >= count) return
    if (events.length > seen) [seen, seenMs] = [events.length, performance.now()]
    if (performance.now() - seenMs > STANDS_STILL_MS) return
  }
}

/** Each turn belongs to the oldest one of the project with the fewest running ones. All of them build, each something else. */
function turnsOf(events: readonly LaneEvent[]) {
  const waiting: LaneEvent[] = []
  const running = new Map<string, string>()
  const wrong: string[] = []
  const entered = new Set<string>()
  let [most, doubled] = [0, 0]
  const runningIn = (project: string) => [...running.values()].filter((each) => each === project).length
  for (const event of events) {
    const { type, id } = event
    if (type === 'LaneJoined') waiting.push(event)
    if (type === 'LaneLeft') running.delete(id)
    if (type !== 'LaneEntered') continue
    const fewest = Math.min(...waiting.map(({ project }) => runningIn(project)))
    const next = waiting.find(({ project }) => runningIn(project) === fewest)
    if (next?.id !== id) wrong.push(`${id} had its turn before ${next?.id ?? 'it had joined'}`)
    if (entered.has(id)) doubled += 1
    entered.add(id)
    const place = waiting.findIndex((each) => each.id === id)
    if (place >= 0) running.set(id, waiting.splice(place, 1)[0]!.project)
    most = Math.max(most, running.size)
  }
  if (most > BUILDS_MAX) wrong.push(`${most} had their turn at once`)
  return { most, doubled, wrong: wrong.slice(0, 5) }
}

/** By the times that callers see. */
function mostAtOnce(deployments: readonly { readonly startedAt: string | null; readonly endedAt: string | null }[]) {
  const spans = deployments.flatMap(({ startedAt, endedAt }) =>
    startedAt === null ? [] : [{ from: startedAt, until: endedAt ?? '9999' }],
  )
  return Math.max(0, ...spans.map(({ from }) => spans.filter((each) => each.from <= from && from < each.until).length))
}
