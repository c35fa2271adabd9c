/** What a Compose file may say. It is a list of what is allowed: every other key is refused. */
import { z } from 'zod'
import { REPLICAS_MAX, ServiceName, SERVICES_MAX } from '../../../tasks/releases.ts'
import { imageName } from '../input.ts'
import {
  build,
  command,
  cpuMillis,
  dependsOn,
  exposed,
  memoryMiB,
  ports,
  seconds,
  variables,
  volumeName,
  volumes,
} from './forms.ts'
import { health } from './health.ts'

const replicas = z.int().min(1).max(REPLICAS_MAX)

const Service = z.strictObject({
  image: imageName.optional(),
  build: build.optional(),
  command: command.nullish(),
  environment: variables.default([]),
  ports: ports.default([]),
  expose: exposed.default([]),
  volumes: volumes.default([]),
  depends_on: dependsOn.default([]),
  healthcheck: health.optional(),
  stop_grace_period: seconds.optional(),
  scale: replicas.optional(),
  mem_limit: memoryMiB.optional(),
  cpus: cpuMillis.optional(),
  deploy: z
    .strictObject({
      replicas: replicas.optional(),
      resources: z
        .strictObject({ limits: z.strictObject({ cpus: cpuMillis, memory: memoryMiB }).partial().optional() })
        .optional(),
    })
    .optional(),
  /** Containers of applications are always started again. */
  restart: z.string().optional(),
})

const few = (most: number) => (all: object) => Object.keys(all).length <= most

export const ComposeFile = z.strictObject({
  /** Both mean nothing here. */
  version: z.string().optional(),
  name: z.string().optional(),
  services: z
    .record(ServiceName, Service)
    .refine(few(SERVICES_MAX), `must be at most ${SERVICES_MAX}`)
    .refine((all) => Object.keys(all).length > 0, 'must have a service'),
  volumes: z
    .record(volumeName, z.strictObject({}).nullable())
    .refine(few(SERVICES_MAX), `must be at most ${SERVICES_MAX}`)
    .nullish(),
})
export type ComposeFile = z.output<typeof ComposeFile>
export type FileService = z.output<typeof Service>
