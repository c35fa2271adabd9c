/** Deployments of an application, told by the commands of their section: no agent is part of the tale. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { tasks } from '#panel/agent/decider'
import { applications } from '#panel/applications/decider'
import { applicationReleases } from '#panel/applications/release/decider'
import { deployments } from '#panel/deployments/decider'
import type { DeploymentCause } from '#panel/deployments/events'
import { taskOf } from '#panel/deployments/tasks'
import { imagePull } from '../../src/tasks/builds.ts'
import type { TaskKind } from '../../src/tasks/kind.ts'
import { releaseStart } from '../../src/tasks/release-start.ts'
import { releaseRetire } from '../../src/tasks/releases.ts'
import { told } from './panel-people.ts'
import type { PanelTeller, Person } from './panel-people.ts'
import type { Call } from './telling.ts'

const RUN = '01890000-0000-4000-8000-00000000000b'
const IMAGE = `sha256:${'a'.repeat(64)}`
const ONCE = { attempt: 1, retry: { attempts: 1, retryOn: [] } }
const [PULLED, STARTED] = [{ imageId: IMAGE, repoDigest: null, ports: [] }, { containers: [] }]
const RETIRED = { drainedMs: 0, cut: 0, freedBytes: 0 }

export async function runsDeployments(call: Call, teller: PanelTeller, { as }: Person): Promise<void> {
  const [{ id: projectId }] = (await call('GET /api/projects', { as })).body
  const environments = (await call(`GET /api/projects/${projectId}/environments`, { as })).body
  const environmentId = environments.find(({ name }: { name: string }) => name === 'shops').id
  const [{ id: serverId }] = (await call('GET /api/servers', { as })).body
  const source = { kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' }
  const place = { projectId, environmentId, serverId }
  const body = { ...place, name: 'Deployed', source, memoryMiB: 64, cpuMillis: 100 }
  const { id: applicationId } = (await call('POST /api/applications', { as, body })).body
  const path = `/api/applications/${applicationId}`
  const ask = async (what: string): Promise<string> => (await call(`POST ${path}/${what}`, { as })).body.id

  /** The agent has done a task of the deployment. */
  async function done(id: string, kind: TaskKind, result: object): Promise<void> {
    await teller.settle()
    await told(teller, async (unit) => {
      const taskId = taskOf({ id }, kind)
      await unit.decide(tasks, taskId, 'HandOut', { run: RUN, isKnown: true })
      await unit.decide(tasks, taskId, 'End', { ...ONCE, outcome: 'SUCCEEDED', result: JSON.stringify(result) })
    })
    await teller.settle()
  }

  const first = await ask('redeploy')
  await done(first, imagePull, PULLED)
  await done(first, releaseStart, STARTED)
  const trial = (await call(`POST /api/projects/${projectId}/environments`, { as, body: { name: 'trial' } })).body
  const promotion = `/api/projects/${projectId}/environments/${environmentId}/promote-to/${trial.id}`
  await call(`POST ${promotion}`, { as, body: { applicationIds: [applicationId], create: true } })
  await teller.settle()
  await done(await ask('stop'), releaseRetire, RETIRED)
  const cancelled = await ask('redeploy')
  await teller.settle()
  await call(`POST ${path}/deployments/${cancelled}/cancel`, { as })
  await teller.settle()

  const request = (unit: UnitOfWork, id: string, type: DeploymentCause) =>
    unit.decide(deployments, id, 'Request', {
      deploymentId: id,
      applicationId,
      ...place,
      previewId: null,
      kind: 'DEPLOY',
      cause: { type, id: null },
      commit: null,
      branch: 'main',
      imageTag: null,
      alwaysBuilds: false,
      fromId: null,
      variables: null,
    })
  const commit = 'b'.repeat(40)
  await told(teller, async (unit) => {
    const [failed, skipped, superseded] = [unit.newId(), unit.newId(), unit.newId()]
    for (const id of [failed, skipped, superseded]) await request(unit, id, 'WEBHOOK')
    for (const id of [failed, skipped]) await unit.decide(deployments, id, 'Start', { step: 'FETCHING' })
    await unit.decide(deployments, failed, 'NoteFetched', { commit, subject: 'Add a shop', step: 'BUILDING' })
    await unit.decide(deployments, failed, 'Fail', { code: 'BUILD_FAILED', message: 'A step of the build failed' })
    await unit.decide(deployments, skipped, 'Skip', { why: 'SAME_COMMIT' })
    await unit.decide(deployments, superseded, 'Supersede', { byId: failed })
    const about = { applicationId, previewId: null, projectId, environmentId }
    await unit.decide(applicationReleases, applicationId, 'Proxy', { about, isEmpty: false })
  })
  const { id: moved } = (await call(`POST /api/projects/${projectId}/environments`, { as, body: { name: 'moved' } }))
    .body
  await call(`POST ${path}/transfer-project`, { as, body: { projectId, environmentId: moved } })
  await told(teller, async (unit) => {
    const taskId = unit.newId()
    await unit.decide(applications, applicationId, 'CopyData', { fromId: applicationId, taskId, volumes: 2 })
    const end = { state: 'DONE', bytes: 4_096, code: null } as const
    await unit.decide(applications, applicationId, 'NoteDataCopy', { taskId, ...end })
  })
}
