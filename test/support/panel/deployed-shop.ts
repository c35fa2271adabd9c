/** A project with applications that are deployed, for tests of what follows from what runs. */
import type { DoneWork } from './deploying-host.ts'
import { ok } from './project-fixture.ts'
import type { projectFixture } from './project-fixture.ts'
import type { TestPanel, TestUser } from './service.ts'

interface Parts {
  readonly floor: ReturnType<typeof projectFixture>
  readonly host: { readonly serverId: string; readonly done: readonly DoneWork[] }
}

const SOURCE = { kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' }
const SMALL = { memoryMiB: 16, cpuMillis: 50 }
let made = 0

export async function deployedShop(panel: TestPanel, owner: TestUser, { floor, host }: Parts) {
  const projectId = await floor.project(owner)
  const environmentId = await floor.environment(owner, projectId, 'live')
  const send = (method: string, path: string, body?: unknown, who: { readonly as: string } = owner) =>
    panel.call(method, `/api/${path}`, { as: who.as, ...(body === undefined ? {} : { body }) })

  const until = (id: string, ...statuses: string[]): Promise<any> =>
    panel.settledUntil(
      async () => ok(await send('GET', `deployments/${id}`)),
      ({ status }) => statuses.includes(status),
    )

  return {
    projectId,
    environmentId,
    send,
    until,
    ended: (id: string) => until(id, 'SUCCEEDED', 'FAILED', 'CANCELLED'),
    async add(more: object = {}): Promise<any> {
      const place = { projectId, environmentId, serverId: host.serverId }
      const body = { ...place, name: `App ${(made += 1)}`, source: SOURCE, ...SMALL, ...more }
      return ok(await send('POST', 'applications', body), 201)
    },
    read: async (id: string) => ok(await send('GET', `applications/${id}`)),
    /** @returns the deployment when it has ended */
    async deploy(id: string, what = 'redeploy', body?: unknown): Promise<any> {
      const asked = ok(await send('POST', `applications/${id}/${what}`, body), 202).id
      return until(asked, 'SUCCEEDED', 'FAILED', 'CANCELLED')
    },
    /** The environment that the containers of a deployment were given. */
    environmentOf(deploymentId: string): Record<string, string> {
      const started = host.done.find(
        ({ kind, payload }) => kind === 'release.start' && payload.deploymentId === deploymentId,
      )
      return Object.fromEntries(started!.secrets.env.map(({ name, value }: any) => [name, value]))
    },
  }
}
