import { reaction } from '#kernel/jobs/reaction'
import { registryTable } from '#projections/panel/registries'
import { planApply } from '../../tasks/plan.ts'
import { tasks } from '../agent/decider.ts'
import { taskEvents } from '../agent/events.ts'
import { projectEvents } from '../projects/events.ts'
import { removeRegistry } from '../workflows/registries.ts'
import { registries } from './decider.ts'
import { registryEvents, sealedForRegistry } from './events.ts'
import { appliedIn, LANE } from './problems.ts'

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

/** The ports that an agent tells of the registries on its server. */
export const noteRegistryPorts = reaction('registry-ports', {
  on: [taskEvents.TaskSucceeded],
  run: ({ data: { taskId, serverId, result } }, { run }) =>
    run(async (unit) => {
      const task = await unit.look(tasks, taskId)
      if (task?.kind !== planApply.name || task.lane !== LANE) return
      for (const { registryId, port } of appliedIn(result).ports)
        await unit.decide(registries, registryId, 'NotePort', { serverId, port })
    }),
})
