import { reaction } from '#kernel/jobs/reaction'
import { timer } from '#kernel/jobs/timer'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { taskTable } from '#projections/panel/agent'
import { deploymentTable } from '#projections/panel/deployments'
import { gitFetch, imageBuild, imagePull } from '../../tasks/builds.ts'
import type { TaskKind } from '../../tasks/kind.ts'
import { releaseStart } from '../../tasks/release-start.ts'
import { tasks } from '../agent/decider.ts'
import { buildsMaxOf } from '../quotas/effective-quota.ts'
import { serverQuotas } from '../quotas/records.ts'
import { deployingFor } from '../workflows/deploying.ts'
import { failDeployment } from '../workflows/end-deployment.ts'
import { startDeployment } from '../workflows/run-deployment.ts'
import { deployments } from './decider.ts'
import { deployLanes } from './lane/decider.ts'
import { deployLaneEvents } from './lane/events.ts'
import { DEPLOYMENT } from './tasks.ts'

/** Those that the lane has let in. */
export const startEntered = reaction('deployment-starts', {
  on: [deployLaneEvents.LaneEntered],
  async run({ data: { deploymentId } }, work) {
    const deploying = await deployingFor(work)
    await work.run((unit) => startDeployment({ unit, ...deploying }, deploymentId))
  },
})

/** More builds may run on a server than before. */
export const fillLane = reaction('deployment-lane', {
  on: [serverQuotas.Changed],
  run: ({ data: { serverId } }, { run }) =>
    run(async (unit) => {
      const buildsMax = await buildsMaxOf(unit, serverId)
      await unit.decide(deployLanes, serverId, 'Fill', { serverId, buildsMax })
    }),
})

/** After the time of its attempt: the agent that should have ended it is silent. */
const OUTLIVED_MS = 120_000
/** The others move requests all the time, and `release.start` once its deployment is SWITCHING: then the agent alone knows how far it is. */
const BOUNDED: readonly TaskKind[] = [gitFetch, imagePull, imageBuild, releaseStart]
const LOST = { code: 'SERVER_SILENT', message: 'The agent of the server has not told the end of the work' }

/** A deployment whose agent went silent before the switch ends without it. */
export const endOutlived = timer('outlived-deployments', {
  async due({ read, until, limit }) {
    const rows = await taskTable
      .queryIn(read)
      .select(['id', 'kind', 'payload', 'startedAt', 'causeId'])
      .where('causeType', '=', DEPLOYMENT)
      .where('endedAt', 'is', null)
      .where('startedAt', 'is not', null)
      .orderBy('startedAt')
      .execute()
    const due = rows.flatMap(({ id, kind: name, payload, startedAt, causeId }) => {
      const kind = BOUNDED.find((each) => each.name === name)
      if (!kind) return []
      const at = Date.parse(startedAt!) + kind.runMs(JSON.parse(payload)) + OUTLIVED_MS
      return at <= until.getTime() ? [{ key: id, at: new Date(at).toISOString(), causeId }] : []
    })
    const switching = await switchingOf(
      read,
      due.map(({ causeId }) => causeId),
    )
    return due.filter(({ causeId }) => !switching.has(causeId)).slice(0, limit)
  },
  async run({ key }, { run }) {
    await run(async (unit) => {
      const task = await unit.look(tasks, key)
      const deployment = task && (await unit.load(deployments, task.causeId))
      if (!deployment || deployment.state === 'SWITCHING') return
      await failDeployment(unit, task.causeId, LOST)
      await unit.decide(tasks, key, 'Cancel', {})
    })
  },
})

async function switchingOf(read: ReadDatabase, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await deploymentTable
    .queryIn(read)
    .select('id')
    .where('id', 'in', ids)
    .where('status', '=', 'SWITCHING')
    .execute()
  return new Set(rows.map(({ id }) => id))
}
