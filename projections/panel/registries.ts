import { id, key, nullable, oneOf, readModel, text, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { registryEvents, registryFields, sealedForRegistry } from '#panel/registries/events'
import type { REGISTRY_KINDS } from '#panel/registries/events'

/** Without the password: what needs it reads the events. */
const { password: _password, ...shownFields } = registryFields

const columns = {
  id: key,
  kind: oneOf<(typeof REGISTRY_KINDS)[number]>(),
  projectId: nullable(id),
  address: text,
  ...columnsOf(shownFields, ({ id: registryId }: { id: string }) => sealedForRegistry({ registryId })),
  createdAt: timestamptz,
}

export type RegistryRow = RowOf<typeof columns>

export const registryTable = readModel('registries', 1, columns, ['(project_id, created_at, id)'])
  .from(registryEvents, {
    RegistryAdded: (table, { registryId, password: _sealed, ...registry }, { at }) =>
      table.insert({ ...registry, id: registryId, createdAt: at }),
    RegistryChanged: (table, { registryId, name, username }) => table.update({ id: registryId }, { name, username }),
    RegistryRemoved: (table, { registryId }) => table.remove({ id: registryId }),
  })
  .forGate()
