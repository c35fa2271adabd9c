import { reaction } from '#kernel/jobs/reaction'
import { registryTable } from '#projections/panel/registries'
import { projectEvents } from '../projects/events.ts'
import { registries } from './decider.ts'
import { registryEvents, sealedForRegistry } from './events.ts'

/** The registries of a project end with it. */
export const removeProjectRegistries = reaction('project-registries', {
  on: [projectEvents.ProjectDeleted],
  async run({ data: { projectId } }, { read, run }) {
    const rows = await registryTable.queryIn(read).select('id').where('projectId', '=', projectId).execute()
    for (const { id } of rows)
      await run(async (unit) => {
        if (await unit.load(registries, id)) await unit.decide(registries, id, 'Remove', {})
      })
  },
})

/** Destroys the key of a removed registry. */
export const eraseRegistry = reaction('registry-keys', {
  on: [registryEvents.RegistryRemoved],
  run: ({ data }, { vault }) => vault.erase([sealedForRegistry(data)]),
})
