/** What follows from what an agent tells of the registries on its server. */
import type { JobContext } from '#kernel/jobs/job-context'
import { imagesEnsure } from '../../tasks/engine.ts'
import { IMAGE_MISSING, REGISTRY_DIGEST, REGISTRY_IMAGE } from '../../tasks/registries.ts'
import { tasks } from '../agent/decider.ts'
import type { Task } from '../agent/decider.ts'
import { ensureImage, TASK } from '../workflows/ensure-image.ts'
import { registries } from './decider.ts'
import { appliedIn } from './problems.ts'

/**
 * The ports are noted, and a server whose registries lack their image gets it. A plan that was sent because it had come
 * asks for it no second time.
 */
export async function endRegistriesPlan(task: Task, work: JobContext): Promise<void> {
  const { taskId, serverId, result, causeType, causeId } = task
  if (result === null) return
  const { ports, problems } = appliedIn(result)
  const asking = await work.run(async (unit) => {
    for (const { registryId, port } of ports) await unit.decide(registries, registryId, 'NotePort', { serverId, port })
    return causeType === TASK ? unit.look(tasks, causeId) : undefined
  })
  if (asking?.kind === imagesEnsure.name || !problems.some(({ code }) => code === IMAGE_MISSING)) return
  const image = { name: REGISTRY_IMAGE, digest: REGISTRY_DIGEST }
  await ensureImage(work, { serverId, ...image, cause: { type: TASK, id: taskId } })
}
