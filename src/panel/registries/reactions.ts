import { reaction } from '#kernel/jobs/reaction'
import { registryTable } from '#projections/panel/registries'
import { projectEvents } from '../projects/events.ts'
import { removeRegistry } from '../workflows/registries.ts'
import { registryEvents, sealedForRegistry } from './events.ts'

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
