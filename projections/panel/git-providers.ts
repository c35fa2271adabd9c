import { bool, id, key, nullable, readModel, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { gitProviderEvents, gitProviderFields, sealedForProvider } from '#panel/git-providers/events'

/** Without the token: what needs it reads the events. */
const columns = {
  id: key,
  ownerId: id,
  projectId: nullable(id),
  ...columnsOf(gitProviderFields, sealedForProvider),
  /** Whether it refuses to renew its token. */
  isRefused: bool,
  /** When its token is to be renewed. Null: never. */
  renewAt: nullable(timestamptz),
  createdAt: timestamptz,
}

export type GitProviderRow = RowOf<typeof columns>

export const gitProviderTable = readModel('gitProviders', 2, columns, [
  '(owner_id, created_at, id)',
  '(project_id, created_at, id)',
  '(renew_at, id)',
])
  .from(gitProviderEvents, {
    GitProviderConnected: (table, { gitProviderId, token: _sealed, ...provider }, { at }) =>
      table.insert({ ...provider, id: gitProviderId, isRefused: false, renewAt: null, createdAt: at }),
    GitProviderGranted: (table, { gitProviderId, renewAt }) =>
      table.update({ id: gitProviderId }, { isRefused: false, renewAt }),
    GitProviderTokenRenewed: (table, { gitProviderId, renewAt }) => table.update({ id: gitProviderId }, { renewAt }),
    GitProviderRefused: (table, { gitProviderId }) =>
      table.update({ id: gitProviderId }, { isRefused: true, renewAt: null }),
    GitProviderRemoved: (table, { gitProviderId }) => table.remove({ id: gitProviderId }),
  })
  .forGate()
