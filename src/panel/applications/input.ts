/** What requests say about an application. */
import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
import { uuid } from '#kernel/lib/uuid'
import { changeOf } from '#kernel/resource/change-of'
import { REF, REPOSITORY_PATH } from '../../tasks/builds.ts'
import { KEPT_IMAGES_MAX, mountPath, REPLICAS_MAX, ServiceName, VOLUMES_MAX } from '../../tasks/releases.ts'
import { GIT_BUILDS, HEALTH_CHECKS, ROLLOVERS } from './events.ts'
import type { ApplicationValues } from './events.ts'
import { isRepositoryUrl } from './repository-url.ts'

const AMOUNT_MAX = 2 ** 30
const ARGUMENT_MAX = 4_096
export const VOLUME_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/

/**
 * `registry.example:5000/team/app:1.2`, with a digest beside or instead of the tag. The id of an image on the server is none:
 * it may be another tenant's.
 */
const IMAGE =
  /^(?!sha256(?::|$))(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/

export const imageName = z.string().trim().max(300).regex(IMAGE, 'must name an image, such as ghcr.io/team/app:1.2')

const path = z.string().max(1_000).regex(REPOSITORY_PATH, 'must be a path in the repository, without . or ..')
const service = ServiceName.nullable()
  .default(null)
  .describe('The service of the Compose file that serves HTTP. Null: its only one.')

const gitSource = z
  .strictObject({
    kind: z.literal('GIT').describe('A repository, from which each push can be deployed.'),
    providerId: uuid.nullable().default(null).describe('The git provider whose credentials are used. Null: none.'),
    url: z
      .string()
      .max(500)
      .refine(isRepositoryUrl, 'must be like https://host/team/shop.git or ssh://git@host/team/shop.git'),
    branch: z.string().max(200).regex(REF, 'must be the name of a branch or a tag'),
    directory: path.default('').describe('What is built, below the repository.'),
    build: z
      .enum(GIT_BUILDS)
      .default('AUTO')
      .describe('AUTO: by the Dockerfile there, or by one that is made for what is found.'),
    path: path
      .min(1)
      .nullable()
      .default(null)
      .describe('Of the Dockerfile or the Compose file, below the directory. Null: its usual name.'),
    watchPaths: z
      .array(path.min(1))
      .max(20)
      .default([])
      .describe('A push that changes nothing below them deploys nothing. Empty: each push does.'),
    service,
  })
  .superRefine(({ build, path, service }, issues) => {
    if (path !== null && build === 'STATIC')
      issues.addIssue({ code: 'custom', path: ['path'], message: 'belongs to the builds DOCKERFILE, COMPOSE and AUTO' })
    if (service !== null && build !== 'COMPOSE')
      issues.addIssue({ code: 'custom', path: ['service'], message: 'belongs to the build COMPOSE' })
  })

const source = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('IMAGE').describe('An image of a registry.'),
    image: imageName,
    registryId: uuid.nullable().default(null),
  }),
  gitSource,
  z.strictObject({ kind: z.literal('DOCKERFILE').describe('A Dockerfile that is written here, without other files.') }),
  z.strictObject({ kind: z.literal('COMPOSE').describe('A Compose file that is written here.'), service }),
])

const volume = z.strictObject({
  name: z.string().regex(VOLUME_NAME, 'must be a name of a-z, 0-9, _ and -, of at most 40 characters'),
  mountPath,
  shared: z
    .boolean()
    .default(false)
    .describe('Whether containers of two releases may use it at the same time. If not, the old one stops first.'),
})

const argument = z
  .string()
  .max(ARGUMENT_MAX)
  .refine((text) => !text.includes('\0'), 'must not have a NUL character')
/** A program and its arguments. */
export const argv = z.array(argument).min(1).max(64)

const PATH = /^\/[\x21-\x7e]*$/

const healthCheck = z
  .strictObject({
    kind: z.enum(HEALTH_CHECKS).describe('IMAGE: what the image itself says. NONE: a container that runs is healthy.'),
    path: z
      .string()
      .max(500)
      .regex(PATH, 'must begin with / and have no spaces')
      .nullable()
      .default(null)
      .describe('The path that is asked, of the kind HTTP. Any status below 500 is healthy.'),
    command: argv.nullable().default(null).describe('Program and arguments, of the kind COMMAND.'),
    intervalSeconds: z.int().min(1).max(60).default(2).describe('The time between two checks, in seconds.'),
    timeoutSeconds: z.int().min(1).max(60).default(5).describe('How long one check may take, in seconds.'),
    startSeconds: z
      .int()
      .min(1)
      .max(600)
      .default(60)
      .describe('How long a new container may take until it is healthy, in seconds.'),
    successes: z.int().min(1).max(10).default(1).describe('How many checks in a row must succeed.'),
  })
  .superRefine(({ kind, path, command }, issues) => {
    if (path !== null && kind !== 'HTTP')
      issues.addIssue({ code: 'custom', path: ['path'], message: 'belongs to the kind HTTP' })
    if ((command === null) === (kind === 'COMMAND'))
      issues.addIssue({ code: 'custom', path: ['command'], message: 'belongs to the kind COMMAND, which needs it' })
  })
  .transform((check) => (check.kind === 'HTTP' ? { ...check, path: check.path ?? '/' } : check))

type HealthCheck = ApplicationValues['healthCheck']

const fields = {
  name: nameSchema(100),
  source,
  port: z.int().min(1).max(65_535).nullable().default(null),
  command: argv.nullable().describe('Program and arguments. Null: those of the image.').default(null),
  replicas: z.int().min(1).max(REPLICAS_MAX).default(1),
  memoryMiB: z.int().min(16).max(AMOUNT_MAX).default(512),
  cpuMillis: z.int().min(50).max(AMOUNT_MAX).default(1_000),
  drainSeconds: z.int().min(0).max(600).default(30),
  stopSeconds: z.int().min(1).max(600).default(10),
  keepImages: z.int().min(1).max(KEPT_IMAGES_MAX).default(5),
  volumes: z.array(volume).max(VOLUMES_MAX).default([]),
  rollover: z
    .enum(ROLLOVERS)
    .default('AUTO')
    .describe('AUTO: the new containers start before the old ones stop, unless a volume is not shared.'),
  buildTimeoutSeconds: z.int().min(1).max(7_200).default(1_800),
}

const slug = z
  .string()
  .max(40)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'Use lower-case letters, digits, and hyphens between them')
  .refine((text) => !/^pr-\d+--/.test(text), 'Names that begin with pr-<number>-- are those of previews')

export const NewApplication = z
  .strictObject({
    projectId: uuid,
    environmentId: uuid,
    serverId: uuid.optional(),
    slug: slug.optional(),
    ...fields,
    healthCheck: healthCheck.optional(),
  })
  .meta({
    examples: [
      {
        projectId: '01890000-0000-7000-8000-000000000001',
        environmentId: '01890000-0000-7000-8000-000000000002',
        name: 'Shop',
        source: { kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' },
        port: 8_080,
      },
    ],
  })
type NewApplication = z.output<typeof NewApplication>

export const ApplicationChange = changeOf({ ...fields, healthCheck })

const checkFor = (port: number | null): HealthCheck => healthCheck.parse({ kind: port === null ? 'NONE' : 'HTTP' })

/** An application with a port is checked by HTTP, unless the request says otherwise. */
export const valuesOfNew = (body: NewApplication): ApplicationValues => {
  const { projectId: _p, environmentId: _e, serverId: _s, slug: _g, ...values } = body
  return { ...values, healthCheck: body.healthCheck ?? checkFor(body.port) }
}

const SLUG_MAX = 32

/** From the letters and digits of a name; an application without any has the slug `app`. */
export function slugFrom(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['app']
  return words.join('-').slice(0, SLUG_MAX).replace(/-$/, '')
}
