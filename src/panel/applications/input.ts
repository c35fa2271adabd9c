/** What requests say about an application. */
import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { changeOf } from '#kernel/resource/change-of'
import { HEALTH_CHECKS } from './events.ts'
import type { ApplicationValues } from './events.ts'

const AMOUNT_MAX = 2 ** 30
const ARGUMENT_MAX = 4_096
const REPLICAS_MAX = 8

/** `registry.example:5000/team/app:1.2`, with a digest beside or instead of the tag, or the id of an image on the server. */
const IMAGE =
  /^(?:sha256:[0-9a-f]{64}|(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?)$/

export const imageName = z.string().trim().max(300).regex(IMAGE, 'must name an image, such as ghcr.io/team/app:1.2')

const source = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('IMAGE').describe('An image that is there.'),
    image: imageName,
    registryId: uuid.nullable().default(null),
  }),
])

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
  keepImages: z.int().min(1).max(20).default(5),
}

const slug = z
  .string()
  .max(40)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'Use lower-case letters, digits, and hyphens between them')

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

/** @throws Rejection 400 CHECK_NEEDS_PORT */
export function mustBeCheckable({
  port,
  healthCheck: { kind },
}: Pick<ApplicationValues, 'port' | 'healthCheck'>): void {
  if (port === null && (kind === 'HTTP' || kind === 'TCP'))
    reject('invalid', `A health check of the kind ${kind} needs the port of the application`, 'CHECK_NEEDS_PORT')
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
