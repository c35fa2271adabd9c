/** What a deployment takes beside the same work by hand, in one run: from a push to the first answer, and back. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { missingForShop, onShop, SHOP_INSIDE } from '../../../drills/shop-site.ts'
import type { ShopSite } from '../../../drills/shop-site.ts'
import { median } from '../../../scripts/figures/spread.ts'
import type { Goal } from '../../goals.ts'
import { spentMs, treeOf } from '../../processor.ts'
import { atMost } from '../memory.ts'
import { byHand, untilAnswers } from './bare.ts'
import { measureBusyBuilds } from './busy-builds.ts'
import type { BusyFigures } from './busy-builds.ts'
import { measureLogs, VIEWERS } from './log-lines.ts'
import type { LogFigures } from './log-lines.ts'
import { measureRedactor } from './redactor.ts'
import type { RedactorFigures } from './redactor.ts'

const ROUNDS = 7
const LONG_SECONDS = 20
const LOG_LINES = 20_000
const REDACTED_LINES = 50_000
/** Until what clears up after deployments has ended. */
const REST_MS = 15_000

interface Beside {
  /** Medians, in ms. */
  readonly oursMs: number
  readonly byHandMs: number
  readonly ratio: number
}

interface IdleFigures {
  readonly applications: number
  /** Of a core: before these were there, with the one that was deployed, and with them. */
  readonly withoutCores: number
  readonly withCores: number
}

export interface DeploymentFigures {
  readonly push: Beside
  /** Of a build of 20 s. */
  readonly longPush: Beside
  readonly rollback: Beside
  readonly logs: LogFigures
  readonly redactor: RedactorFigures
  /** While builds burn all cores. */
  readonly busy: BusyFigures
  readonly idle: IdleFigures
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begunMs = performance.now()
  await work()
  return performance.now() - begunMs
}

/** One after the other, in turns. The first round warms up what both use. */
async function beside(
  rounds: number,
  ours: (nth: number) => Promise<number>,
  theirs: (nth: number) => Promise<number>,
): Promise<Beside> {
  const [mine, bare]: [number[], number[]] = [[], []]
  for (let nth = 0; nth <= rounds; nth += 1) {
    const [one, other] = [await ours(nth), await theirs(nth)]
    if (nth > 0) mine.push(one)
    if (nth > 0) bare.push(other)
  }
  const [oursMs, byHandMs] = [median(mine), median(bare)]
  return { oursMs, byHandMs, ratio: median(mine.map((each, nth) => each / bare[nth]!)) }
}

async function measureOn(site: ShopSite, seconds: number, applications: number): Promise<DeploymentFigures> {
  const url = `http://127.0.0.1:${site.port}/index.html`
  const hand = byHand(site.engine, site.repositoryUrl, SHOP_INSIDE)
  let versions = 0
  const nextVersion = (buildSeconds?: number): string => {
    const version = `version ${(versions += 1)}`
    site.push(version, buildSeconds)
    return version
  }
  const pushed = (buildSeconds?: number) => async () => {
    const version = nextVersion(buildSeconds)
    const tookMs = await timed(async () => {
      await site.deliver()
      await untilAnswers(url, version)
    })
    await site.quiet()
    return tookMs
  }
  const built = (buildSeconds?: number) => async () => {
    const version = nextVersion(buildSeconds)
    let id = ''
    const tookMs = await timed(async () => (id = await hand.deploy(`by-hand:${versions}`, version)))
    await hand.remove(id)
    return tookMs
  }
  await site.listens()
  const push = await beside(ROUNDS, pushed(), built())
  const longPush = await beside(1, pushed(LONG_SECONDS), built(LONG_SECONDS))
  const versionsOfNow = [nextVersion(), '']
  await site.deliver()
  await untilAnswers(url, versionsOfNow[0]!)
  versionsOfNow[1] = nextVersion()
  await site.deliver()
  await untilAnswers(url, versionsOfNow[1])
  await site.quiet()
  const image = await site.imageOfNow()
  const rollback = await beside(
    ROUNDS,
    async (nth) => {
      const tookMs = await timed(async () => {
        await site.ask('rollback')
        await untilAnswers(url, versionsOfNow[nth % 2]!)
      })
      await site.quiet()
      return tookMs
    },
    async () => {
      let id = ''
      const tookMs = await timed(async () => (id = await hand.start(image, versionsOfNow[1]!)))
      await hand.remove(id)
      return tookMs
    },
  )
  const logs = await measureLogs(site, LOG_LINES)
  const redactor = measureRedactor(REDACTED_LINES)
  const busy = await measureBusyBuilds(site)
  return { push, longPush, rollback, logs, redactor, busy, idle: await measureIdle(site, applications, seconds) }
}

/** What applications cost that get no request. The services and the agent cost something without any. */
async function measureIdle(site: ShopSite, applications: number, seconds: number): Promise<IdleFigures> {
  const withoutCores = await idleCores(site, seconds)
  await site.addMany(applications)
  await site.quiet()
  return { applications, withoutCores, withCores: await idleCores(site, seconds) }
}

/** Both services with their worker and Postgres, agent and HAProxy; not the engine. */
async function idleCores(site: ShopSite, seconds: number): Promise<number> {
  await pause(REST_MS)
  const pids = [...new Set([...treeOf(site.pid()), ...treeOf(site.proxyPid())])]
  const before = pids.map(spentMs)
  await pause(seconds * 1_000)
  // What has ended meanwhile is left out.
  const spent = pids.map((pid, nth) => (spentMs(pid) ?? 0) - (before[nth] ?? 0)).filter((ms) => ms > 0)
  return spent.reduce((sum, ms) => sum + ms, 0) / (seconds * 1_000)
}

const ofApplications = ({ withoutCores, withCores }: IdleFigures): number => Math.max(0, withCores - withoutCores)

/** @throws Error where no engine or HAProxy can be started */
export async function measureDeployments(seconds: number, applications: number): Promise<DeploymentFigures> {
  const missing = missingForShop()
  if (missing !== undefined) throw new Error(`--deployments: ${missing}`)
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  try {
    return await onShop(directory, (site) => measureOn(site, seconds, applications))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const ms = (value: number): string => value.toFixed(0)
const perSecond = (value: number): string => Math.round(value).toLocaleString('en')

export function deploymentRows({
  push,
  longPush,
  rollback,
  logs,
  redactor,
  busy,
  idle,
}: DeploymentFigures): string[][] {
  const row = (name: string, { oursMs, byHandMs, ratio }: Beside) => [name, ms(oursMs), ms(byHandMs), ratio.toFixed(2)]
  return [
    ['medians, ms', 'Daybook', 'by hand', 'ratio'],
    row('from a webhook to the first answer', push),
    row(`the same with a build of ${LONG_SECONDS} s`, longPush),
    row('from a rollback to the first answer', rollback),
    [
      'log lines a second, one reader',
      perSecond(logs.byPanel),
      perSecond(logs.byEngine),
      (logs.byPanel / logs.byEngine).toFixed(2),
    ],
    [
      `log lines a second, ${VIEWERS} readers`,
      perSecond(logs.toMany),
      perSecond(logs.toManyByHand),
      (logs.toMany / logs.toManyByHand).toFixed(2),
    ],
    [
      'log lines a second, without secrets and as they are',
      perSecond(redactor.redacted),
      perSecond(redactor.plain),
      redactor.ratio.toFixed(2),
    ],
    [
      'p99 of an application while 2 builds burn all cores; in quiet',
      busy.busyMs.toFixed(1),
      busy.quietMs.toFixed(1),
      busy.ratio.toFixed(2),
    ],
    ['without idle applications, of a core', idle.withoutCores.toFixed(4), '', ''],
    [`with ${idle.applications} of them`, idle.withCores.toFixed(4), '', ''],
    ['what they cost', ofApplications(idle).toFixed(4), '', ''],
  ]
}

const atLeast = (goal: string, wanted: number, found: number): Goal => ({
  goal,
  wanted,
  between: [],
  found,
  met: found >= wanted,
})

export const deploymentGoals = ({
  push,
  longPush,
  rollback,
  logs,
  redactor,
  busy,
  idle,
}: DeploymentFigures): Goal[] => [
  atMost('webhook to answer ≤ 1.5 × by hand', 1.5, push.ratio),
  atMost(`the same with a build of ${LONG_SECONDS} s ≤ 1.1 ×`, 1.1, longPush.ratio),
  atMost('rollback ≤ 2 × by hand', 2, rollback.ratio),
  atMost('rollback ≤ 5,000 ms', 5_000, rollback.oursMs),
  atLeast('log lines to one reader ≥ 0.3 × docker logs', 0.3, logs.byPanel / logs.byEngine),
  atLeast(`log lines to ${VIEWERS} readers ≥ 0.5 × by hand`, 0.5, logs.toMany / logs.toManyByHand),
  atLeast('log lines without secrets ≥ 0.5 × as they are', 0.5, redactor.ratio),
  atMost('p99 while 2 builds burn all cores ≤ 2 × quiet', 2, busy.ratio),
  atMost(`${idle.applications} idle applications ≤ 0.01 of a core`, 0.01, ofApplications(idle)),
]
