/**
 * Images that a Dockerfile names by their digests. Both builders take those that the engine has without asking their
 * registry, though another workload has pulled them: the agent asks it first, with the login of the build. Sources: Docker
 * Engine API 1.41, DistributionInspect; Dockerfile reference, "FROM", "ARG", "COPY --from" and "RUN --mount".
 */
import type { BuildSecrets } from '../../tasks/builds.ts'
import { registryAuth } from '../engine/pull-image.ts'
import type { AgentHost } from '../host/setup.ts'
import { TaskFailure } from '../performer.ts'
import { imageReference } from '../releases/image-reference.ts'
import { loginAt } from './registry-hosts.ts'

/** Each is a question to a registry. */
const DIGESTS_MAX = 50
const ASK_MS = 30_000
const OK = 200

const CONTINUED = /[\\`][ \t]*\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*/g
const FROM = /^\s*FROM\s+(?:--platform=\S+\s+)*(.*)$/i
const ARG = /^\s*ARG\s+(.*)$/i
const SOURCES = /--from=\S*|--mount=\S*/gi
/** Of a mount, what names an image. */
const FROM_OF_MOUNT = /(?:^--from=|[=,"']from=)([^,]*)/gi
const BY_DIGEST = /[\w.:/[\]-]+@sha256:[0-9a-f]{64}(?![0-9a-f])/g

/**
 * What cannot be told for certain is refused: a name that is put together of parts with an `@`.
 * @returns names with digests, of which a build may take the images
 * @throws TaskFailure BASE_REFUSED
 */
export function imagesByDigest(dockerfile: string, args: BuildSecrets['args']): string[] {
  const lines = dockerfile.replaceAll(CONTINUED, '').split(/\r?\n/)
  const bases = lines.flatMap((line) => FROM.exec(line)?.[1] ?? [])
  const sources = lines
    .flatMap((line) => line.match(SOURCES) ?? [])
    .flatMap((option) => [...option.matchAll(FROM_OF_MOUNT)].map(([, name]) => name!))
  // Arguments before the first FROM are all that it knows. Other sources know none.
  const first = lines.findIndex((line) => FROM.test(line))
  const declared = lines.slice(0, Math.max(0, first)).flatMap((line) => ARG.exec(line)?.[1] ?? [])
  const given = args.filter(({ name }) => declared.some((text) => text.includes(name))).map(({ value }) => value)
  const parts = bases.some((base) => base.includes('$')) ? [...declared, ...given] : []
  const named = [...bases, ...sources, ...parts]
  if (sources.some((name) => name.includes('$')) || named.some((text) => text.replaceAll(BY_DIGEST, '').includes('@')))
    throw refused('The Dockerfile puts the name of an image with a digest together: write it whole, in FROM or ARG')
  const images = [...new Set(named.flatMap((text) => text.match(BY_DIGEST) ?? []))]
  if (images.length > DIGESTS_MAX) throw refused(`The Dockerfile names more than ${DIGESTS_MAX} images by digests`)
  return images
}

const refused = (message: string): TaskFailure => new TaskFailure('BASE_REFUSED', message)

/** @param localImages of the operator: any build may take them @throws TaskFailure BASE_REFUSED */
export async function mustBeShown(
  { call }: Pick<AgentHost, 'call'>,
  images: readonly string[],
  { registries, localImages }: Pick<BuildSecrets, 'registries'> & { readonly localImages: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  for (const image of images) {
    if (localImages.includes(image)) continue
    const named = imageReference(image)
    if (!named) throw refused(`${image} is no name of an image`)
    const login = loginAt(registries, named.host)
    const headers = login
      ? registryAuth({ username: login.username, password: login.password, serveraddress: named.host })
      : {}
    const stop = AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)])
    const path = `/distribution/${named.repo}@${named.tag}/json`
    const { status } = await call('GET', path, stop, undefined, headers)
    if (status !== OK)
      throw refused(`The registry of ${image} does not show it to this build: name a registry with its login`)
  }
}
