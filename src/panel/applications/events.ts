/** Applications: what a project runs on a server. */
import { z } from 'zod'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'

/** Where the image of an application comes from. Sources of later releases are further members. */
const source = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('IMAGE'),
    image: z.string(),
    /** Whose login is used. Null: none. */
    registryId: z.uuid().nullable(),
  }),
])

export const HEALTH_CHECKS = ['HTTP', 'TCP', 'COMMAND', 'IMAGE', 'NONE'] as const

const healthCheck = z.object({
  kind: z.enum(HEALTH_CHECKS),
  /** Of HTTP, else null. */
  path: z.string().nullable(),
  /** Of COMMAND, else null. */
  command: z.array(z.string()).nullable(),
  intervalSeconds: z.int(),
  timeoutSeconds: z.int(),
  /** How long a new container may take until it is healthy. */
  startSeconds: z.int(),
  /** In a row, until a container is healthy. */
  successes: z.int(),
})

/** What each of its containers reserves and may use. */
export const sizeFields = { replicas: z.int(), memoryMiB: z.int(), cpuMillis: z.int() }

/** What may be changed. The audit trail shows the name, so it must not name a person. */
export const applicationFields = {
  name: z.string(),
  source,
  /** The port that its containers serve HTTP at. Null: they serve none. */
  port: z.int().nullable(),
  /** Program and arguments. Null: those of the image. */
  command: z.array(z.string()).nullable(),
  ...sizeFields,
  healthCheck,
  /** How long open requests may go on when a container is replaced. */
  drainSeconds: z.int(),
  /** How long a container may take to stop. */
  stopSeconds: z.int(),
  /** Of earlier deployments, for a rollback. */
  keepImages: z.int(),
}

export type ApplicationValues = z.output<z.ZodObject<typeof applicationFields>>

/** Project and environment are named in each event, because the rights there say who sees it. */
export const aboutApplication = { applicationId: z.uuid(), projectId: z.uuid(), environmentId: z.uuid() }
/** A key of its own, so that its secrets end with it, and stay readable in another project. */
export const sealedForApplication = ({ applicationId }: { applicationId: string }): string =>
  `application/${applicationId}`

const serverId = z.uuid()
/** Of its address: unique in the installation. */
const slug = z.string()

export const NAME_SCOPE = 'applicationName'
export const SLUG_SCOPE = 'applicationSlug'

/** Names are compared in this form. */
const compared = (name: string): string => name.normalize('NFKC').toLowerCase()

/** A name is taken within its environment: a refusal tells nothing of others. */
const nameClaim = ({ environmentId, name }: { readonly environmentId: string; readonly name: string }) => ({
  scope: NAME_SCOPE,
  key: `${environmentId}/${compared(name)}`,
})
const slugClaim = (key: string) => ({ scope: SLUG_SCOPE, key })

const events = eventsAbout(
  aboutApplication,
  sealedForApplication,
)({
  ApplicationCreated: {
    fields: { serverId, slug, ...applicationFields },
    sentence: ({ applicationId, projectId, serverId, name, slug }) =>
      `created application ${applicationId} “${name}” (${slug}) of project ${projectId} on server ${serverId}`,
    takes: (created) => [nameClaim(created), slugClaim(created.slug)],
  },
  ApplicationChanged: {
    fields: { ...applicationFields, formerName: internal(z.string()) },
    sentence: ({ applicationId, name }) => `changed application ${applicationId} “${name}”`,
    takes: (changed) => [nameClaim(changed)],
    releases: ({ environmentId, formerName }) => [nameClaim({ environmentId, name: formerName })],
  },
  ApplicationDeleted: {
    /** From then on, its variables read ERASED. */
    fields: { serverId, slug, name: z.string() },
    sentence: ({ applicationId, projectId, name }) =>
      `deleted application ${applicationId} “${name}” of project ${projectId}`,
    strict: true,
    releases: (deleted) => [nameClaim(deleted), slugClaim(deleted.slug)],
  },
  /** Before it runs. */
  ApplicationCommandRun: {
    fields: {
      taskId: z.uuid(),
      /** Null: any service, any replica. */
      service: z.string().nullable(),
      replica: z.int().nullable(),
      /** JSON: the program and its arguments. */
      command: sealed(z.string()),
      /** Null: none. */
      stdin: sealed(z.string().nullable()),
    },
    sentence: ({ applicationId, taskId }) => `ran a command in application ${applicationId}, task ${taskId}`,
  },
})

/** One stream for each application: no rule spans two of them but names and counts, which have their own. */
export const applicationEvents = stream('application', events)
