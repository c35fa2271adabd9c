/** Versions follow each other under visitors. */
import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../scripts/figures/spread.ts'
import type { Conditions, Drill, Tally } from './drill.ts'
import { missingForShop, onShop } from './shop-site.ts'
import type { Ended, ShopSite } from './shop-site.ts'
import { visitors } from './visitors.ts'

/** Before each roll-over, when what clears up after the last one is done. */
const QUIET_MS = 2_000
const ASKED_MIN = 50_000

type RollOver = (site: ShopSite, nth: number) => Promise<string>
interface Turn {
  readonly does: RollOver
  readonly ends: 'SUCCEEDED' | 'FAILED'
}

const deploy: RollOver = async (site, nth) => {
  site.push(`version ${nth}`)
  return site.ask('redeploy')
}
const TURNS = {
  deploy: { does: deploy, ends: 'SUCCEEDED' },
  rollback: { does: (site) => site.ask('rollback'), ends: 'SUCCEEDED' },
  restart: { does: (site) => site.ask('restart'), ends: 'SUCCEEDED' },
  fails: {
    async does(site) {
      site.push()
      return site.ask('redeploy')
    },
    ends: 'FAILED',
  },
  stopFirst: {
    async does(site, nth) {
      await site.change({ rollover: 'STOP_FIRST' })
      const id = await deploy(site, nth)
      return id
    },
    ends: 'SUCCEEDED',
  },
} satisfies Record<string, Turn>

const { deploy: D, rollback: B, restart: R, fails: F, stopFirst: S } = TURNS
const ALL: readonly Turn[] = [D, D, B, R, D, F, D, D, R, B, D, S, D, D, R, F, D, B, D, S]
const QUICK: readonly Turn[] = [D, B, R, F, S]

/** What each needs: a module that is loaded first. */
const BREAKS = {
  'former containers get SIGTERM while they still get requests': 'stop-before-drain.ts',
  'containers get requests before they are healthy': 'switch-before-health.ts',
  'each deployment reloads the proxy': 'reload-per-deploy.ts',
}

export const rollOvers: Drill = {
  name: 'roll-overs',
  does: 'versions are deployed, rolled back, restarted and fail while visitors ask without a pause; it tells their p99, and judges nothing by it',
  breaks: Object.keys(BREAKS),
  missing: missingForShop,
  run(conditions) {
    const { directory, isBroken, breakNumber } = conditions
    const broken = isBroken ? Object.values(BREAKS)[breakNumber] : undefined
    return onShop(directory, (site) => underVisitors(site, conditions), { broken })
  },
}

async function underVisitors(site: ShopSite, { isQuick }: Conditions): Promise<Tally> {
  const first = await ended(site, D, 0)
  const visiting = visitors(site.port, (body) => body.startsWith('version '))
  const reloads = await site.reloads()
  const wrong: string[] = []
  const [quietMs, builtMs, keptMs]: number[][] = [[], [], []]
  for (const [nth, turn] of (isQuick ? QUICK : ALL).entries()) {
    await site.quiet()
    visiting.p99()
    await pause(QUIET_MS)
    quietMs!.push(visiting.p99())
    const { id, status, tookMs } = await ended(site, turn, nth + 1)
    if (status !== turn.ends) wrong.push(`roll-over ${nth + 1} ended as ${status}: ${id}`)
    const p99 = visiting.p99()
    if (turn === S) await site.change({ rollover: 'AUTO' })
    else if (turn === B || turn === R) keptMs!.push(p99)
    else builtMs!.push(p99)
    if (turn === B && tookMs > 5_000) wrong.push(`a rollback took ${Math.round(tookMs)} ms`)
  }
  while (!isQuick && visiting.counts().asked < ASKED_MIN) await pause(100)
  const made = (await site.reloads()) - reloads
  if (made > 0) wrong.push(`the proxy was reloaded ${made} times`)
  const { asked, answered, lost, lostCount } = await visiting.leave()
  const [quiet, built, kept] = [quietMs!, builtMs!, keptMs!].map((each) => (median(each) || 0).toFixed(1))
  return {
    acknowledged: asked,
    found: answered,
    lost: lostCount,
    doubled: 0,
    broken: [...(first.status === 'SUCCEEDED' ? [] : ['the first version does not run']), ...wrong, ...lost],
    note: `medians of p99: ${kept} ms in roll-overs of what is built, ${built} ms of those that build, ${quiet} ms quiet between`,
  }
}

const ended = async (site: ShopSite, { does }: Turn, nth: number): Promise<Ended> => site.over(await does(site, nth))
