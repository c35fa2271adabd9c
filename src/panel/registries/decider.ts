import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { changedValues } from '#kernel/resource/fields'
import type { ChangesOf } from '#kernel/resource/fields'
import type { Item } from '#kernel/resource/resource'
import { PASSWORD_MASK } from '../config/decider.ts'
import { loopbackAddress, registryEvents, registryFields } from './events.ts'

type Added = DataOf<typeof registryEvents.RegistryAdded>
type Tested = DataOf<typeof registryEvents.RegistryTested>

export interface Registry extends Item<typeof registryFields> {
  readonly kind: Added['kind']
  readonly projectId: string | null
  /** Null until its server runs it. */
  readonly address: string | null
  readonly hosting: Added['hosting']
}

export const registries = decider(registryEvents, {
  initial: undefined as Registry | undefined,
  evolve: {
    RegistryAdded: (_none, { registryId: id, ...registry }, at): Registry => ({
      ...registry,
      id,
      createdAt: at.toISOString(),
    }),
    RegistryChanged: (registry, { name, username, password }) => ({ ...registry!, name, username, password }),
    RegistryServed: (registry, { port }) => ({ ...registry!, address: loopbackAddress(port) }),
    RegistryTested: (registry) => registry,
    RegistryRemoved: () => undefined,
  },
  commands: {
    Add: (_none, ask: Added) => {
      if (ask.password === PASSWORD_MASK)
        reject('invalid', 'A new registry cannot have a masked password: send the real one', 'MASKED')
      return [registryEvents.RegistryAdded(ask)]
    },
    /** Keeps what the command does not name, and the password where its mask is sent. */
    Change: (registry, { changes }: { readonly changes: ChangesOf<typeof registryFields> }) => {
      const known = found(registry)
      const { password } = changes
      const real = { ...changes, password: password === PASSWORD_MASK ? undefined : password }
      const values = changedValues(registryFields, known, real)
      const { id: registryId, projectId, name: formerName } = known
      return values ? [registryEvents.RegistryChanged({ registryId, projectId, ...values, formerName })] : []
    },
    NoteTest: (registry, ask: Pick<Tested, 'serverId' | 'ok' | 'step'>) => {
      const { id: registryId, projectId } = found(registry)
      return [registryEvents.RegistryTested({ registryId, projectId, ...ask })]
    },
    /** Told by the agent of a server. Nothing happens if the registry was removed, or is that of another server. */
    NotePort: (registry, { serverId, port }: { readonly serverId: string; readonly port: number }) => {
      if (registry?.hosting?.serverId !== serverId || registry.address === loopbackAddress(port)) return []
      const { id: registryId, projectId } = registry
      return [registryEvents.RegistryServed({ registryId, projectId, serverId, port })]
    },
    Remove: (registry, { deleteData }: { readonly deleteData: boolean }) => {
      const { id: registryId, projectId, name, hosting } = found(registry)
      const serverId = hosting?.serverId ?? null
      return [registryEvents.RegistryRemoved({ registryId, projectId, name, serverId, deleteData })]
    },
  },
})
