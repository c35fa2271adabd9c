import { id, integer, key, nullable, oneOf, readModel, text, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { loopbackAddress, registryEvents, registryFields, sealedForRegistry } from '#panel/registries/events'
import type { REGISTRY_KINDS } from '#panel/registries/events'
import { reservedFields } from '#panel/servers/load/events'

/** Without the password: what needs it reads the events. */
const { password: _password, ...shownFields } = registryFields

const columns = {
  id: key,
  kind: oneOf<(typeof REGISTRY_KINDS)[number]>(),
  projectId: nullable(id),
  /** Null until its server runs it. */
  address: nullable(text),
  /** Null: it runs elsewhere. */
  serverId: nullable(id),
  ...columnsOf(shownFields, ({ id: registryId }: { id: string }) => sealedForRegistry({ registryId })),
  createdAt: timestamptz,
}

export type RegistryRow = RowOf<typeof columns>

export const registryTable = readModel('registries', 1, columns, ['(project_id, created_at, id)'])
  .from(registryEvents, {
    RegistryAdded: (table, { registryId, password: _sealed, hosting, ...registry }, { at }) =>
      table.insert({ ...registry, id: registryId, serverId: hosting?.serverId ?? null, createdAt: at }),
    RegistryServed: (table, { registryId, port }) =>
      table.update({ id: registryId }, { address: loopbackAddress(port) }),
    RegistryChanged: (table, { registryId, name, username }) => table.update({ id: registryId }, { name, username }),
    RegistryRemoved: (table, { registryId }) => table.remove({ id: registryId }),
  })
  .forGate()

const hostedColumns = {
  id: key,
  serverId: id,
  projectId: nullable(id),
  ...columnsOf(reservedFields),
  /** Null until the server runs it. */
  port: nullable(integer),
  /** ERASED: removed with its images. */
  state: oneOf<'THERE' | 'REMOVED' | 'ERASED'>(),
  /** Of the newest event that the plan of the server rests on. */
  position: integer,
}

export type HostedRegistryRow = RowOf<typeof hostedColumns>

/** The registries that servers run. A removed one stays, so that no revision of a plan falls. */
export const hostedRegistryTable = readModel('hostedRegistries', 1, hostedColumns, ['(server_id, position DESC)']).from(
  registryEvents,
  {
    RegistryAdded: (table, { registryId, projectId, hosting }, { position }) =>
      hosting
        ? table.insert({ ...hosting, id: registryId, projectId, port: null, state: 'THERE', position })
        : undefined,
    RegistryChanged: (table, { registryId }, { position }) => table.update({ id: registryId }, { position }),
    RegistryServed: (table, { registryId, port }) => table.update({ id: registryId }, { port }),
    RegistryRemoved: (table, { registryId, deleteData }, { position }) =>
      table.update({ id: registryId }, { state: deleteData ? 'ERASED' : 'REMOVED', position }),
  },
)
