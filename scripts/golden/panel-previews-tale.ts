/** Previews of pull requests of an application: one stays, one is closed. */
import { applications } from '#panel/applications/decider'
import { previews } from '#panel/applications/previews/decider'
import { told } from './panel-people.ts'
import type { PanelTeller, Person } from './panel-people.ts'
import type { Call } from './telling.ts'

/** @param path of the application */
export async function hasPreviews(call: Call, teller: PanelTeller, path: string, as: Person['as']): Promise<void> {
  const applicationId = path.split('/').at(-1)!
  await call(`PATCH ${path}/previews`, { as, body: { enabled: true, baseDomain: 'trials.example.com' } })
  await call(`PATCH ${path}/previews`, { as, body: { baseDomain: 'previews.example.com', idleDays: 3 } })
  // Deployments have a chapter of their own.
  await told(teller, async (unit) => {
    const { projectId, environmentId, serverId } = (await unit.look(applications, applicationId))!
    const repository = 'https://forge.example/team/shop.git'
    const asOf = unit.at.toISOString()
    for (const pullRequest of [7, 8]) {
      const about = { previewId: unit.newId(), applicationId, projectId, environmentId }
      const of = { pullRequest, ref: `refs/pull/${pullRequest}/head`, repository, asOf, limit: 5 }
      await unit.decide(previews, applicationId, 'Open', { ...about, serverId, ...of })
      await unit.decide(previews, applicationId, 'Update', { ...about, deploymentId: unit.newId(), asOf })
    }
    const about = { previewId: unit.newId(), applicationId, projectId, environmentId, serverId }
    for (const pullRequest of [8, 9])
      await unit.decide(previews, applicationId, 'NoteClosed', { ...about, pullRequest, asOf })
  })
}
