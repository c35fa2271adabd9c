/** Container registries: where images come from, and the login there. */
import { z } from 'zod'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'

export const REGISTRY_KINDS = ['EXTERNAL'] as const

export const sealedForRegistry = ({ registryId }: { registryId: string }): string => `registry/${registryId}`

/** What may be changed. The audit trail shows the name, so it must not name a person. */
export const registryFields = {
  name: z.string(),
  username: sealed(z.string()),
  password: sealed(z.string()),
}

/** Null: it belongs to the installation, and every project may use it. */
const projectId = z.uuid().nullable()

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
    fields: { kind: z.enum(REGISTRY_KINDS), address: z.string(), ...registryFields },
    sentence: ({ registryId, projectId, kind, name, address }) =>
      `added ${kind} registry ${registryId} “${name}” at ${address}${placeOf(projectId)}`,
    takes: (added) => [nameClaim(added)],
  },
  RegistryChanged: {
    fields: { ...registryFields, formerName: internal(z.string()) },
    sentence: ({ registryId, projectId, name }) => `changed registry ${registryId} “${name}”${placeOf(projectId)}`,
    takes: (changed) => [nameClaim(changed)],
    releases: ({ projectId, formerName }) => [nameClaim({ projectId, name: formerName })],
  },
  /** The login was used, whatever came of it. */
  RegistryTested: {
    fields: { serverId: z.uuid().nullable(), ok: z.boolean(), step: z.string().nullable() },
    sentence: ({ registryId, serverId, ok, step }) =>
      `tested the login at registry ${registryId}${serverId === null ? '' : ` from server ${serverId}`}: ` +
      (ok ? 'it works' : `it failed at ${step}`),
  },
  /** From then on, the sealed data of the registry reads ERASED. */
  RegistryRemoved: {
    fields: { name: z.string() },
    sentence: ({ registryId, projectId, name }) => `removed registry ${registryId} “${name}”${placeOf(projectId)}`,
    strict: true,
    releases: (removed) => [nameClaim(removed)],
  },
})

/** One stream for each registry: no rule spans two of them but the name, which is a unique constraint. */
export const registryEvents = stream('registry', events)
