/** A preview that nothing has been deployed of yet, for tests of who may see and remove it. */
import { previews } from '#panel/applications/previews/decider'
import type { TestPanel } from './service.ts'

interface Of {
  readonly id: string
  readonly projectId: string
  readonly environmentId: string
  readonly serverId: string
}

let number = 0

/** @returns its id */
export async function openedPreview(
  panel: TestPanel,
  { id: applicationId, projectId, environmentId, serverId }: Of,
): Promise<string> {
  const opened = await panel.run(async (unit) => {
    const previewId = unit.newId()
    const pullRequest = (number += 1)
    await unit.decide(previews, applicationId, 'Open', {
      previewId,
      applicationId,
      projectId,
      environmentId,
      serverId,
      pullRequest,
      ref: `refs/pull/${pullRequest}/head`,
      repository: 'https://forge.example/ada/shop.git',
      asOf: unit.at.toISOString(),
      limit: 20,
    })
    return previewId
  })
  await panel.panel.projector.catchUp()
  return opened
}
