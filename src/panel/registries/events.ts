/** Container registries: where images come from, and the login there. */
import { z } from 'zod'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'
import { reservedFields } from '../servers/load/events.ts'

/** SELF_HOSTED: a server of the panel runs it. */
export const REGISTRY_KINDS = ['EXTERNAL', 'SELF_HOSTED'] as const

export const sealedForRegistry = ({ registryId }: { registryId: string }): string => `registry/${registryId}`

/** Where a server reaches what it runs itself. */
export const loopbackAddress = (port: number): string => `127.0.0.1:${port}`

/** What may be changed. The audit trail shows the name, so it must not name a person. */
export const registryFields = {
  name: z.string(),
  username: sealed(z.string()),
  password: sealed(z.string()),
}

/** Null: it belongs to the installation, and every project may use it. */
const projectId = z.uuid().nullable()
/** The server that runs it. Null: it runs elsewhere. */
const serverId = z.uuid().nullable()
/** Null: it runs elsewhere. */
const hosting = z.object({ serverId: z.uuid(), ...reservedFields }).nullable()

interface Named {
  readonly projectId: string | null
  readonly name: string
}

/** A name is taken within its project or within the installation: a refusal tells nothing of other projects. */
const nameClaim = ({ projectId, name }: Named) => ({
  scope: 'registryName',
  key: `${projectId ?? 'installation'}/${name.normalize('NFKC').toLowerCase()}`,
})

const placeOf = (projectId: string | null): string => (projectId === null ? '' : ` of project ${projectId}`)

const events = eventsAbout(
  { registryId: z.uuid(), projectId },
  sealedForRegistry,
)({
  RegistryAdded: {
    /** The address is null until a server runs the registry. */
    fields: { kind: z.enum(REGISTRY_KINDS), address: z.string().nullable(), ...registryFields, hosting },
    sentence: ({ registryId, projectId, kind, name, address, hosting: on }) =>
      `added ${kind} registry ${registryId} “${name}” ${on ? `on server ${on.serverId}` : `at ${address}`}${placeOf(projectId)}`,
    takes: (added) => [nameClaim(added)],
  },
  RegistryChanged: {
    fields: { ...registryFields, formerName: internal(z.string()) },
    sentence: ({ registryId, projectId, name }) => `changed registry ${registryId} “${name}”${placeOf(projectId)}`,
    takes: (changed) => [nameClaim(changed)],
    releases: ({ projectId, formerName }) => [nameClaim({ projectId, name: formerName })],
  },
  /** On the loopback address of its server. */
  RegistryServed: {
    fields: { serverId: z.uuid(), port: z.int() },
    sentence: ({ registryId, serverId, port }) =>
      `noted that registry ${registryId} runs on server ${serverId} at port ${port}`,
  },
  /** The login was used, whatever came of it. */
  RegistryTested: {
    fields: { serverId, ok: z.boolean(), step: z.string().nullable() },
    sentence: ({ registryId, serverId, ok, step }) =>
      `tested the login at registry ${registryId}${serverId === null ? '' : ` from server ${serverId}`}: ` +
      (ok ? 'it works' : `it failed at ${step}`),
  },
  /** From then on, the sealed data of the registry reads ERASED. */
  RegistryRemoved: {
    /** Images that a server has kept for it stay there unless `deleteData` is set. */
    fields: { name: z.string(), serverId, deleteData: z.boolean() },
    sentence: ({ registryId, projectId, name, deleteData }) =>
      `removed registry ${registryId} “${name}”${deleteData ? ' with its images' : ''}${placeOf(projectId)}`,
    strict: true,
    releases: (removed) => [nameClaim(removed)],
  },
})

/** One stream for each registry: no rule spans two of them but the name, which is a unique constraint. */
export const registryEvents = stream('registry', events)
