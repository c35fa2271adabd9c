import { reaction } from '#kernel/jobs/reaction'
import { registryTable } from '#projections/panel/registries'
import { imagesEnsure } from '../../tasks/engine.ts'
import { planApply } from '../../tasks/plan.ts'
import { IMAGE_MISSING, REGISTRY_DIGEST, REGISTRY_IMAGE, registriesPlan } from '../../tasks/registries.ts'
import { tasks } from '../agent/decider.ts'
import type { Task } from '../agent/decider.ts'
import { taskEvents } from '../agent/events.ts'
import { sendPlan } from '../agent/plans.ts'
import { projectEvents } from '../projects/events.ts'
import { dropImage, ensureImage } from '../workflows/ensure-image.ts'
import { removeRegistry } from '../workflows/registries.ts'
import { registries } from './decider.ts'
import { registryEvents, sealedForRegistry } from './events.ts'
import { appliedIn, LANE, revisionOf } from './problems.ts'

/** The registries of a project end with it. Images stay on their servers. */
export const removeProjectRegistries = reaction('project-registries', {
  on: [projectEvents.ProjectDeleted],
  async run({ data: { projectId } }, { read, run }) {
    const rows = await registryTable.queryIn(read).select('id').where('projectId', '=', projectId).execute()
    for (const { id } of rows) await run((unit) => removeRegistry(unit, id, { deleteData: false }))
  },
})

/** Destroys the key of a removed registry. */
export const eraseRegistry = reaction('registry-keys', {
  on: [registryEvents.RegistryRemoved],
  run: ({ data }, { vault }) => vault.erase([sealedForRegistry(data)]),
})

/** The cause of a task that follows from another one. */
const TASK = 'task'

const isPlan = (task: Task | undefined): task is Task => task?.kind === planApply.name && task.lane === LANE

/** The ports that an agent tells of the registries on its server. */
export const noteRegistryPorts = reaction('registry-ports', {
  on: [taskEvents.TaskSucceeded],
  run: ({ data: { taskId, serverId, result } }, { run }) =>
    run(async (unit) => {
      if (!isPlan(await unit.look(tasks, taskId))) return
      for (const { registryId, port } of appliedIn(result).ports)
        await unit.decide(registries, registryId, 'NotePort', { serverId, port })
    }),
})

/** A server whose registries lack their image gets it. A plan that was sent because it had come asks for it no second time. */
export const bringRegistryImage = reaction('registry-image', {
  outside: true,
  on: [taskEvents.TaskSucceeded],
  async run({ data: { taskId, serverId, result } }, work) {
    if (!appliedIn(result).problems.some(({ code }) => code === IMAGE_MISSING)) return
    const [plan, asking] = await work.run(async (unit) => {
      const task = await unit.look(tasks, taskId)
      return [task, task?.causeType === TASK ? await unit.look(tasks, task.causeId) : undefined]
    })
    if (!isPlan(plan) || asking?.kind === imagesEnsure.name) return
    const image = { name: REGISTRY_IMAGE, digest: REGISTRY_DIGEST }
    await ensureImage(work, { serverId, ...image, cause: { type: TASK, id: taskId } })
  },
})

/** The plan that lacked the image is sent again once the server has it. */
export const useRegistryImage = reaction('registry-image-there', {
  on: [taskEvents.TaskSucceeded, taskEvents.TaskFailed, taskEvents.TaskCancelled, taskEvents.TaskExpired],
  async run({ type, data: { taskId, serverId } }, work) {
    const [ended, plan] = await work.run(async (unit) => {
      const task = await unit.look(tasks, taskId)
      return [task, task?.kind === imagesEnsure.name ? await unit.look(tasks, task.causeId) : undefined]
    })
    if (ended?.kind !== imagesEnsure.name) return
    await dropImage(work, taskId)
    if (type !== taskEvents.TaskSucceeded.type || !isPlan(plan)) return
    const about = { serverId, revision: revisionOf(plan), cause: { type: TASK, id: taskId } }
    await work.run((unit) => sendPlan(unit, work.read, registriesPlan, about))
  },
})
