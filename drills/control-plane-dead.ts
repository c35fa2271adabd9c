/** Panel, worker, agent and engine are killed, and the applications go on. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Conditions, Drill, Tally } from './drill.ts'
import { missingForShop, onShop } from './shop-site.ts'
import type { ShopSite } from './shop-site.ts'
import { visitors } from './visitors.ts'

const DEAD_MS = { quick: 10_000, full: 60_000 }
const BEFORE_MS = 2_000

export const controlPlaneDead: Drill = {
  name: 'control-plane-dead',
  does: 'the panel with its worker, the agent and the engine are dead for a minute while visitors ask without a pause',
  breaks: 'the proxy is a child of the agent',
  missing: missingForShop,
  run: (conditions) =>
    onShop(conditions.directory, (site) => dead(site, conditions), {
      isEngineOutlived: true,
      broken: conditions.isBroken ? 'proxy-of-agent.ts' : undefined,
    }),
}

async function dead(site: ShopSite, { isQuick }: Conditions): Promise<Tally> {
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
  const begin = await site.killAll()
  await pause(isQuick ? DEAD_MS.quick : DEAD_MS.full)
  const meanwhile = visiting.counts().answered - before
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
