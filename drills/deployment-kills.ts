/** The panel with its worker, or the agent, dies at each step of a deployment. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Drill, Tally } from './drill.ts'
import { missingForShop, onShop } from './shop-site.ts'
import type { ShopSite } from './shop-site.ts'
import { visitors } from './visitors.ts'

const STEPS = ['QUEUED', 'FETCHING', 'BUILDING', 'STARTING', 'SWITCHING', 'SUCCEEDED'] as const
const ENDS = ['SUCCEEDED', 'FAILED']

export const deploymentKills: Drill = {
  name: 'deployment-kills',
  does: 'the panel, then the agent, is killed at each step of a deployment, while visitors ask without a pause',
  breaks: 'a container of the release that runs is removed at each kill',
  missing: missingForShop,
  run: ({ directory, isQuick, isBroken }) => onShop(directory, (site) => killed(site, isQuick, isBroken)),
}

async function killed(site: ShopSite, isQuick: boolean, isBroken: boolean): Promise<Tally> {
  site.push('version 0')
  await site.over(await site.ask('redeploy'))
  const visiting = visitors(site.port, (body) => body.startsWith('version '))
  const wrong: string[] = []
  const ends: string[] = []
  for (const who of ['panel', 'agent'] as const)
    for (const [nth, step] of STEPS.entries()) {
      if (isQuick && nth % 2 === 1) continue
      site.push(`version ${who} ${nth}`)
      const id = await site.ask('redeploy')
      await reaches(site, id, step)
      if (isBroken) await site.removeContainers()
      if (who === 'panel') await site.killPanel()
      else site.killAgent()
      const { status } = await site.over(id)
      ends.push(`${who} ${step} ${status}`)
      if (!ENDS.includes(status)) wrong.push(`killed ${who} at ${step}: ${status}`)
      const left = await site.quiet()
      if (left.length !== 1)
        wrong.push(`killed ${who} at ${step}: containers of ${left.join(', ') || 'nothing'} are left`)
      else if (status === 'SUCCEEDED' && left[0] !== id) wrong.push(`killed ${who} at ${step}: another version runs`)
    }
  const { asked, answered, lost, lostCount } = await visiting.leave()
  const succeeded = ends.filter((end) => end.endsWith('SUCCEEDED')).length
  return {
    acknowledged: asked,
    found: answered,
    lost: lostCount,
    doubled: 0,
    broken: [...wrong, ...lost],
    note: `${ends.length} kills, ${succeeded} deployments succeeded, ${ends.length - succeeded} failed`,
  }
}

/** A step may be too short to be seen: then the next one is met. */
async function reaches(site: ShopSite, id: string, step: (typeof STEPS)[number]): Promise<void> {
  const from = STEPS.indexOf(step)
  for (;;) {
    const { status, endedAt } = await site.state(id)
    if (endedAt !== null || STEPS.indexOf(status) >= from) return
    await pause(5)
  }
}
