/** The forms that values of a Compose file may have, and what the panel makes of them. */
import { z } from 'zod'
import { REPOSITORY_PATH } from '../../../tasks/builds.ts'
import { containerPort, mountPath, ServiceName, SERVICES_MAX, VOLUMES_MAX } from '../../../tasks/releases.ts'
import { argv, VOLUME_NAME } from '../input.ts'
import { issue } from './refusals.ts'
import { mebibytesIn, secondsIn, wordsIn } from './words.ts'

const VARIABLES_MAX = 500
const PORTS_MAX = 50
const SECONDS_MAX = 600

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)
export const seconds = z.string().transform((text, context) => {
  const amount = secondsIn(text)
  if (amount === undefined || amount > SECONDS_MAX)
    return issue(context, 'FORM', `must be a time of at most ${SECONDS_MAX} seconds, such as 1m30s`)
  return amount
})
export const memoryMiB = z
  .union([z.string(), z.int()])
  .transform((size, context) => mebibytesIn(String(size)) ?? issue(context, 'FORM', 'must be a size such as 512m'))
  .pipe(
    z
      .int()
      .min(16)
      .max(2 ** 30),
  )
export const cpuMillis = z
  .union([z.string().regex(/^\d{1,4}(?:\.\d{1,6})?$/), z.number()])
  .transform((cpus) => Math.round(Number(cpus) * 1_000))
  .pipe(
    z
      .int()
      .min(50)
      .max(2 ** 30),
  )

/** As a list, or as one text that is split into words. No shell runs it. */
export const command = z.union([
  argv,
  z
    .string()
    .transform((text, context) => wordsIn(text) ?? issue(context, 'FORM', 'has a quote that is not closed'))
    .pipe(argv),
])

const variableName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
const Variable = z.strictObject({
  name: variableName,
  value: z
    .string()
    .max(32_768)
    .refine((text) => !text.includes('\0'), 'must not have a NUL character'),
})
type Variable = z.output<typeof Variable>

function variableIn(text: string, context: z.RefinementCtx): Variable {
  const at = text.indexOf('=')
  if (at < 0) return issue(context, 'HOST_ENVIRONMENT', 'has no value, which Compose would take from the host')
  return { name: text.slice(0, at), value: text.slice(at + 1) }
}

/** `{NAME: value}`, or `['NAME=value']`. */
export const variables = z
  .union([
    z
      .record(
        z.string(),
        scalar.or(
          z
            .null()
            .transform((_none, context) =>
              issue(context, 'HOST_ENVIRONMENT', 'has no value, which Compose would take from the host'),
            ),
        ),
      )
      .transform((all) => Object.entries(all).map(([name, value]) => ({ name, value }))),
    z.array(z.string().transform(variableIn)),
  ])
  .pipe(z.array(Variable).max(VARIABLES_MAX))
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'names a variable twice')
  .refine((all) => !all.some(({ name }) => name.startsWith('DAYBOOK_')), 'names that begin with DAYBOOK_ are reserved')

/** `80`, `8080:80`, `127.0.0.1:8080:80/tcp`: the port of the container. Nothing is published. */
const shortPort = z
  .union([
    z.int(),
    z.string().regex(/^(?:(?:[0-9.]{1,15}:|\[[0-9a-f:.]{1,45}\]:)?\d{0,5}:)?\d{1,5}(?:\/(?:tcp|udp))?$/),
  ])
  .transform((text) => {
    const [port = '', protocol = 'tcp'] = String(text).split(':').at(-1)!.split('/')
    return { port: Number(port), protocol }
  })
const longPort = z
  .strictObject({
    target: z.int(),
    published: z.union([z.int(), z.string().regex(/^\d{1,5}$/)]).optional(),
    host_ip: z.string().optional(),
    protocol: z.enum(['tcp', 'udp']).default('tcp'),
    mode: z.enum(['host', 'ingress']).optional(),
    name: z.string().optional(),
    app_protocol: z.string().optional(),
  })
  .transform(({ target: port, protocol }) => ({ port, protocol }))
const port = z.union([shortPort, longPort]).pipe(z.object({ port: containerPort, protocol: z.string() }))
export const ports = z.array(port).max(PORTS_MAX)
export const exposed = z.array(shortPort.pipe(z.object({ port: containerPort, protocol: z.string() }))).max(PORTS_MAX)

export const volumeName = z.string().regex(VOLUME_NAME, 'must be a name of a-z, 0-9, _ and -')

/** `name:/path`. What begins with a slash, a dot or a tilde is a directory of the host. */
const shortVolume = z.string().transform((text, context) => {
  const [name = '', path, mode = 'rw', ...more] = text.split(':')
  if (/^[./~\\]|^[A-Za-z]$/.test(name))
    return issue(context, 'BIND_MOUNT', 'must be a named volume and its path, such as data:/var/lib/data')
  if (path === undefined || more.length > 0 || mode !== 'rw')
    return issue(context, 'VOLUME', 'must be a named volume and its path, such as data:/var/lib/data')
  return { name, mountPath: path }
})
const longVolume = z
  .strictObject({
    type: z.string().refine((type) => type === 'volume', {
      message: 'must be volume: no directory of the host is mounted',
      params: { rule: 'BIND_MOUNT' },
    }),
    source: z.string(),
    target: z.string(),
    read_only: z.literal(false).optional(),
  })
  .transform(({ source: name, target: mountPath }) => ({ name, mountPath }))
export const volumes = z
  .array(z.union([shortVolume, longVolume]).pipe(z.strictObject({ name: volumeName, mountPath })))
  .max(VOLUMES_MAX)
  .refine((all) => new Set(all.map(({ mountPath }) => mountPath)).size === all.length, 'uses a path twice')

const Dependency = z.strictObject({
  condition: z.enum(['service_started', 'service_healthy']).default('service_started'),
  restart: z.boolean().optional(),
  required: z.literal(true).optional(),
})
export const dependsOn = z.union([
  z
    .array(ServiceName)
    .max(SERVICES_MAX)
    .transform((names) => names.map((name) => ({ name, isHealthy: false }))),
  z
    .record(ServiceName, Dependency)
    .transform((all) =>
      Object.entries(all).map(([name, { condition }]) => ({ name, isHealthy: condition === 'service_healthy' })),
    ),
])

/** Below the source. */
const directory = z
  .string()
  .transform((text) => text.replace(/^(?:\.\/)+/, '').replace(/\/+$/, ''))
  .transform((text) => (text === '.' ? '' : text))
  .pipe(z.string().max(1_000).regex(REPOSITORY_PATH, 'must be a directory of the source'))
const file = directory.pipe(z.string().min(1))

const noBuild = { dockerfile: null, target: null, args: [] as Variable[] }
export const build = z.union([
  directory.transform((directory) => ({ ...noBuild, directory })),
  z
    .strictObject({
      context: directory.default(''),
      dockerfile: file.nullable().default(null),
      target: z
        .string()
        .max(100)
        .regex(/^\w[\w.-]*$/)
        .nullable()
        .default(null),
      args: variables.default([]),
    })
    .transform(({ context, ...build }) => ({ ...build, directory: context })),
])
