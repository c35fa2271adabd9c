/** Panel, worker, agent and engine are killed, and the applications go on. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Conditions, Drill, Tally } from './drill.ts'
import { missingForShop, onShop } from './shop-site.ts'
import type { ShopSite } from './shop-site.ts'
import { visitors } from './visitors.ts'

const DEAD_MS = { quick: 10_000, full: 60_000 }
const BEFORE_MS = 2_000
/** Of the answers that visitors get before: less is no service, though none is lost and all are answered once all is back. */
const SHARE_MIN = 0.1

/** What each needs: a module that is loaded first. */
const BREAKS = {
  'the proxy is a child of the agent': 'proxy-of-agent.ts',
  'containers end with the engine': undefined,
}

export const controlPlaneDead: Drill = {
  name: 'control-plane-dead',
  does: 'the panel with its worker, the agent and the engine are dead for a minute while visitors ask without a pause',
  breaks: Object.keys(BREAKS),
  missing: missingForShop,
  run(conditions) {
    const { directory, isBroken, breakNumber } = conditions
    const broken = isBroken ? Object.values(BREAKS)[breakNumber] : undefined
    return onShop(directory, (site) => dead(site, conditions), { isEngineOutlived: true, broken })
  },
}

async function dead(site: ShopSite, { isQuick, isBroken, breakNumber }: Conditions): Promise<Tally> {
  const wrong: string[] = []
  const deploys = async (version: string) => {
    site.push(version)
    const { id, status } = await site.over(await site.ask('redeploy'))
    const left = await site.quiet()
    if (status !== 'SUCCEEDED' || left.join() !== id) wrong.push(`${version} is ${status}, ${left.length} releases run`)
  }
  await deploys('version 1')
  const visiting = visitors(site.port, (body) => body.startsWith('version '))
  await pause(BEFORE_MS)
  const before = visiting.counts().answered
  const begin = await site.killAll({ withContainers: isBroken && breakNumber === 1 })
  const atDeath = visiting.counts().answered
  const deadMs = isQuick ? DEAD_MS.quick : DEAD_MS.full
  await pause(deadMs)
  const meanwhile = visiting.counts().answered - atDeath
  const least = Math.ceil((before / BEFORE_MS) * deadMs * SHARE_MIN)
  if (meanwhile < least) wrong.push(`${meanwhile} were answered while all of it was dead, which is less than ${least}`)
  await begin()
  await deploys('version 2')
  const { asked, answered, lost, lostCount } = await visiting.leave()
  return {
    acknowledged: asked,
    found: answered,
    lost: lostCount,
    doubled: 0,
    broken: [...wrong, ...lost],
    note: `${meanwhile} were answered while all of it was dead; then another version was deployed`,
  }
}
