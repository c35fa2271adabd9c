/** Applications: what a project runs on a server. */
import { z } from 'zod'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'
import { aboutApplication } from './about/events.ts'
import { addressEvents } from './addresses/events.ts'
import { dataEvents } from './data/events.ts'
import { previewSettingEvents } from './previews/events.ts'

export { aboutApplication }

/** AUTO: by the Dockerfile of the repository, or by one that is made for what is found there. */
export const GIT_BUILDS = ['AUTO', 'DOCKERFILE', 'COMPOSE', 'STATIC'] as const
/** How a new release replaces the one before. AUTO: with both at the same time, unless a volume forbids it. */
export const ROLLOVERS = ['AUTO', 'STOP_FIRST'] as const
export const APPLICATION_FILES = ['COMPOSE', 'DOCKERFILE'] as const

/** Of a Compose file, the service that serves HTTP. Null: its only one. */
const service = z.string().nullable()

/** Where the images of an application come from. The texts of DOCKERFILE and COMPOSE are written as its files. */
const source = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('IMAGE'),
    image: z.string(),
    /** Whose login is used. Null: none. */
    registryId: z.uuid().nullable(),
  }),
  z.object({
    kind: z.literal('GIT'),
    /** Whose credentials are used. Null: none. */
    providerId: z.uuid().nullable(),
    url: z.string(),
    branch: z.string(),
    /** Below the repository. Empty: the repository itself. */
    directory: z.string(),
    build: z.enum(GIT_BUILDS),
    /** Of the Dockerfile or the Compose file, below the directory. Null: its usual name. */
    path: z.string().nullable(),
    /** A push that changes nothing below them deploys nothing. Empty: each push does. */
    watchPaths: z.array(z.string()),
    service,
  }),
  z.object({ kind: z.literal('DOCKERFILE') }),
  z.object({ kind: z.literal('COMPOSE'), service }),
])

/** What containers keep. */
const volume = z.object({
  name: z.string(),
  mountPath: z.string(),
  /** Whether containers of two releases may use it at the same time. */
  shared: z.boolean(),
})

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
  volumes: z.array(volume),
  rollover: z.enum(ROLLOVERS),
  buildTimeoutSeconds: z.int(),
}

export type ApplicationValues = z.output<z.ZodObject<typeof applicationFields>>

/** JSON of the program and its arguments: people write secrets there. */
const commandText = sealed(z.string().nullable())

/** How events and read models hold them. */
export const keptFields = {
  ...applicationFields,
  command: commandText,
  healthCheck: healthCheck.omit({ command: true }),
  /** Of the health check. */
  healthCommand: commandText,
}

export type KeptValues = z.output<z.ZodObject<typeof keptFields>>

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
    fields: { serverId, slug, ...keptFields },
    sentence: ({ applicationId, projectId, serverId, name, slug }) =>
      `created application ${applicationId} “${name}” (${slug}) of project ${projectId} on server ${serverId}`,
    takes: (created) => [nameClaim(created), slugClaim(created.slug)],
  },
  ApplicationChanged: {
    fields: { ...keptFields, formerName: internal(z.string()) },
    sentence: ({ applicationId, name }) => `changed application ${applicationId} “${name}”`,
    takes: (changed) => [nameClaim(changed)],
    releases: ({ environmentId, formerName }) => [nameClaim({ environmentId, name: formerName })],
  },
  ApplicationAutoDeploySet: {
    /** Whether a push deploys. */
    fields: { autoDeploy: z.boolean() },
    sentence: ({ applicationId, autoDeploy }) =>
      `turned deploying on push ${autoDeploy ? 'on' : 'off'} for application ${applicationId}`,
  },
  ApplicationFileWritten: {
    /** Null: the file is removed, and that of the repository counts. */
    fields: { file: z.enum(APPLICATION_FILES), content: sealed(z.string().nullable()) },
    sentence: ({ applicationId, file }) => `wrote the ${file} file of application ${applicationId}`,
  },
  /** Project and environment are those from then on: the rights there say who sees it. */
  ApplicationTransferred: {
    fields: { name: z.string(), fromProjectId: z.uuid(), fromEnvironmentId: z.uuid() },
    sentence: ({ applicationId, name, fromProjectId, projectId, environmentId }) =>
      `moved application ${applicationId} “${name}” from project ${fromProjectId} ` +
      `to environment ${environmentId} of project ${projectId}`,
    strict: true,
    takes: (moved) => [nameClaim(moved)],
    releases: ({ fromEnvironmentId: environmentId, name }) => [nameClaim({ environmentId, name })],
  },
  ApplicationDeleted: {
    /** From then on, its commands, variables and files read ERASED. */
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
      /** Null: in the application itself. */
      previewId: z.uuid().nullable(),
      /** Null: any service, any replica. */
      service: z.string().nullable(),
      replica: z.int().nullable(),
      /** JSON: the program and its arguments. */
      command: sealed(z.string()),
      /** Null: none. */
      stdin: sealed(z.string().nullable()),
    },
    sentence: ({ applicationId, previewId, taskId }) =>
      `ran a command in ${previewId === null ? '' : `preview ${previewId} of `}application ${applicationId}, task ${taskId}`,
  },
  ApplicationWebhookSecretRotated: {
    /** Until when the one before is accepted, too. Null: it is not accepted any more, or there was none. */
    fields: { secret: sealed(z.string()), formerUntil: z.iso.datetime().nullable() },
    sentence: ({ applicationId, formerUntil }) =>
      `gave application ${applicationId} a new webhook secret` +
      (formerUntil === null ? '' : `; the one before is accepted until ${formerUntil}`),
    strict: true,
  },
  /** Its pushes deploy from then on. */
  ApplicationWebhookInstalled: {
    fields: { gitProviderId: z.uuid() },
    sentence: ({ applicationId, gitProviderId }) =>
      `installed the webhook of application ${applicationId} at git provider ${gitProviderId}`,
  },
})

/** One stream for each application: no rule spans two of them but names and counts, which have their own. */
export const applicationEvents = stream('application', {
  ...events,
  ...addressEvents,
  ...dataEvents,
  ...previewSettingEvents,
})
