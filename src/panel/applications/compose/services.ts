/** The services of a Compose file, in the terms of a release. */
import type { ReleaseHealth } from '../../../tasks/releases.ts'
import { composeDocument } from './document.ts'
import { BY_IMAGE } from './health.ts'
import { refuseCompose, refuseIssues } from './refusals.ts'
import { ComposeFile } from './schema.ts'
import type { FileService } from './schema.ts'

export interface ComposeBuild {
  /** Below the directory of the source; empty: that directory. */
  readonly directory: string
  /** Below the directory of the build. Null: `Dockerfile`. */
  readonly dockerfile: string | null
  /** Null: the last stage. */
  readonly target: string | null
  readonly args: readonly { readonly name: string; readonly value: string }[]
}

export interface ComposeService {
  readonly name: string
  /** Null: it is built. One of the two is null. */
  readonly image: string | null
  readonly build: ComposeBuild | null
  /** Null: that of the image. */
  readonly command: readonly string[] | null
  readonly environment: readonly { readonly name: string; readonly value: string }[]
  /** The first TCP port. Null: it names none. */
  readonly port: number | null
  /** Null, as the amounts below: the file does not say it. */
  readonly replicas: number | null
  readonly memoryMiB: number | null
  readonly cpuMillis: number | null
  readonly volumes: readonly { readonly name: string; readonly mountPath: string }[]
  readonly health: ReleaseHealth | null
  readonly stopSeconds: number | null
  readonly dependsOn: readonly string[]
}

/**
 * Of a text that was checked by nothing before.
 * @throws Rejection 400 COMPOSE_REFUSED
 */
export function composeServices(text: string): ComposeService[] {
  const parsed = ComposeFile.safeParse(composeDocument(text))
  if (!parsed.success) return refuseIssues(parsed.error.issues)
  const { services, volumes } = parsed.data
  const awaited = new Set(
    Object.values(services).flatMap(({ depends_on: all }) =>
      all.filter(({ isHealthy }) => isHealthy).map(({ name }) => name),
    ),
  )
  const all = Object.entries(services).map(([name, service]) => toService(name, service, awaited.has(name)))
  refuseUnknownVolumes(all, volumes ?? {})
  refuseWrongOrder(all)
  return all
}

function toService(name: string, file: FileService, isAwaited: boolean): ComposeService {
  const { image = null, build = null, deploy, ports, expose } = file
  if ((image === null) === (build === null))
    refuseCompose(['services', name], 'IMAGE_OR_BUILD', 'a service has either image or build')
  const limits = deploy?.resources?.limits
  return {
    name,
    image,
    build,
    command: file.command ?? null,
    environment: file.environment,
    port: [...ports, ...expose].find(({ protocol }) => protocol === 'tcp')?.port ?? null,
    replicas: deploy?.replicas ?? file.scale ?? null,
    memoryMiB: limits?.memory ?? file.mem_limit ?? null,
    cpuMillis: limits?.cpus ?? file.cpus ?? null,
    volumes: file.volumes,
    health: file.healthcheck ?? (isAwaited ? BY_IMAGE : null),
    stopSeconds: file.stop_grace_period ?? null,
    dependsOn: [...new Set(file.depends_on.map(({ name }) => name))],
  }
}

function refuseUnknownVolumes(all: readonly ComposeService[], declared: NonNullable<ComposeFile['volumes']>): void {
  for (const { name, volumes } of all)
    for (const volume of volumes)
      if (!Object.hasOwn(declared, volume.name))
        refuseCompose(['services', name, 'volumes'], 'VOLUME', `the file declares no volume ${volume.name}`)
}

function refuseWrongOrder(all: readonly ComposeService[]): void {
  let waiting = new Map(all.map(({ name, dependsOn }) => [name, dependsOn]))
  for (const [name, dependsOn] of waiting)
    for (const other of dependsOn)
      if (!waiting.has(other))
        refuseCompose(['services', name, 'depends_on'], 'DEPENDENCY', `the file has no service ${other}`)
  while (waiting.size > 0) {
    const left = new Map([...waiting].filter(([, names]) => names.some((name) => waiting.has(name))))
    if (left.size === waiting.size)
      refuseCompose(['services', [...left.keys()][0]!, 'depends_on'], 'DEPENDENCY', 'services wait for each other')
    waiting = left
  }
}
