/** Versions follow each other under visitors. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Conditions, Drill, Tally } from './drill.ts'
import { missingForShop, onShop } from './shop-site.ts'
import type { Ended, ShopSite } from './shop-site.ts'
import { visitors } from './visitors.ts'

const QUIET_MS = 5_000
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

export const rollOvers: Drill = {
  name: 'roll-overs',
  does: 'versions are deployed, rolled back, restarted and fail while visitors ask without a pause',
  breaks: 'containers stop without waiting for their requests',
  missing: missingForShop,
  run: (conditions) => onShop(conditions.directory, (site) => underVisitors(site, conditions)),
}

async function underVisitors(site: ShopSite, { isQuick, isBroken }: Conditions): Promise<Tally> {
  await site.change({ drainSeconds: isBroken ? 0 : 30 })
  const first = await ended(site, D, 0)
  const visiting = visitors(site.port, (body) => body.startsWith('version '))
  await pause(QUIET_MS)
  const quietMs = visiting.p99()
  const wrong: string[] = []
  const rollMs: number[] = []
  for (const [nth, turn] of (isQuick ? QUICK : ALL).entries()) {
    const { id, status, tookMs } = await ended(site, turn, nth + 1)
    if (status !== turn.ends) wrong.push(`roll-over ${nth + 1} ended as ${status}: ${id}`)
    const p99 = visiting.p99()
    if (turn === S) await site.change({ rollover: 'AUTO' })
    else rollMs.push(p99)
    if (turn === B && tookMs > 5_000) wrong.push(`a rollback took ${Math.round(tookMs)} ms`)
  }
  while (!isQuick && visiting.counts().asked < ASKED_MIN) await pause(100)
  const { asked, answered, lost, lostCount } = await visiting.leave()
  const p99 = rollMs.toSorted((one, other) => one - other)[Math.floor(rollMs.length / 2)]!
  return {
    acknowledged: asked,
    found: answered,
    lost: lostCount,
    doubled: 0,
    broken: [...(first.status === 'SUCCEEDED' ? [] : ['the first version does not run']), ...wrong, ...lost],
    note: `p99 ${p99.toFixed(1)} ms in the median roll-over, ${quietMs.toFixed(1)} ms quiet`,
  }
}

const ended = async (site: ShopSite, { does }: Turn, nth: number): Promise<Ended> => site.over(await does(site, nth))
