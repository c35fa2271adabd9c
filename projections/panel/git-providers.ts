import { id, key, nullable, readModel, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { gitProviderEvents, gitProviderFields, sealedForProvider } from '#panel/git-providers/events'

/** Without the token: what needs it reads the events. */
const columns = {
  id: key,
  ownerId: id,
  projectId: nullable(id),
  ...columnsOf(gitProviderFields, sealedForProvider),
  createdAt: timestamptz,
}

export type GitProviderRow = RowOf<typeof columns>

export const gitProviderTable = readModel('gitProviders', 1, columns, [
  '(owner_id, created_at, id)',
  '(project_id, created_at, id)',
])
  .from(gitProviderEvents, {
    GitProviderConnected: (table, { gitProviderId, token: _sealed, ...provider }, { at }) =>
      table.insert({ ...provider, id: gitProviderId, createdAt: at }),
    GitProviderRemoved: (table, { gitProviderId }) => table.remove({ id: gitProviderId }),
  })
  .forGate()
