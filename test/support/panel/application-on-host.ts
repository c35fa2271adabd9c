/** An application on a real host, and containers as its releases make them. */
import { uuidv7 } from '#kernel/lib/uuid'
import { installationOf } from '#panel/agent/installation'
import { workloadContainers } from '../workload-container.ts'
import type { StartContainer } from '../workload-container.ts'
import { ok, projectFixture } from './project-fixture.ts'
import type { RealHost } from './real-host.ts'
import type { TestPanel, TestUser } from './service.ts'

const SIZE = { memoryMiB: 16, cpuMillis: 50 }
const SOURCE = { kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' }

type Started = Parameters<StartContainer>[2] & {
  readonly deploymentId?: string
  readonly service?: string
  readonly replica?: number
}

export async function applicationsOn(panel: TestPanel, { serverId, engine }: Pick<RealHost, 'serverId' | 'engine'>) {
  const [floor, startContainer] = [projectFixture(panel), await workloadContainers(engine)]
  const installation = await installationOf(panel.panel.vault)
  let made = 0
  return async (owner: TestUser) => {
    const projectId = await floor.project(owner)
    const environmentId = await floor.environment(owner, projectId, 'live')
    made += 1
    const place = { projectId, environmentId, serverId }
    const body = { ...place, name: `App ${made}`, source: SOURCE, ...SIZE }
    const { id } = ok(await panel.call('POST', '/api/applications', { as: owner.as, body }), 201)
    const workload = { kind: 'APPLICATION', id: id as string }
    const ownDeployment = uuidv7()
    return {
      ...place,
      id: id as string,
      path: `/api/applications/${id}`,
      deploymentId: ownDeployment,
      start: (script: string, { deploymentId = ownDeployment, service = 'app', replica = 1, ...more }: Started = {}) =>
        startContainer({ installation, workload, deploymentId, service, replica }, script, more),
    }
  }
}
