/** How the image of a deployment comes: fetched and built on the server that runs it, or pulled from a registry. */
import { z } from 'zod'
import { uuid } from '#kernel/lib/uuid'
import { ImageId, ImageName } from './engine.ts'
import { taskKind } from './kind.ts'
import { containerPort, deployed, installation, laneOf, ServiceName } from './releases.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** A branch or a tag as git allows them, without what programs could take for something else. Source: git-check-ref-format. */
export const REF = /^(?![-/.])(?![\s\S]*(?:\/\.|\.\.|\/\/|@\{|\.lock(?:\/|$)|[./]$))[^\p{Cc} ~^:?*[\\]{1,200}$/u
/** Below the repository; empty for the repository itself. */
export const REPOSITORY_PATH =
  /^(?:(?![-.]{1,2}(?:\/|$)|-)[^/\0\\\p{Cc}]{1,200}(?:\/(?!\.{1,2}(?:\/|$)|-)[^/\0\\\p{Cc}]{1,200}){0,30})?$/u

export const FACT_FILES_MAX = 60
export const FACT_ENTRIES_MAX = 2_000
/** Of all texts together. */
export const FACT_BYTES_MAX = 262_144
const PORTS_MAX = 50
const VARIABLES_MAX = 2_000
const WATCHED_MAX = 20

const path = z.string().max(1_000).regex(REPOSITORY_PATH)
const commit = z.string().regex(COMMIT)
const ports = z.array(containerPort).max(PORTS_MAX)
const kept = z.string().max(300)

const deployment = { installation, workload: deployed, deploymentId: uuid }
/** The secrets of a fetch: how to sign in, and which addresses that are not public may be dialled. */
export const FetchSecrets = z.strictObject({
  login: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('NONE') }),
    z.strictObject({ kind: z.literal('PASSWORD'), username: z.string(), password: z.string() }),
    z.strictObject({
      kind: z.literal('KEY'),
      privateKey: z.string(),
      /** A line of known_hosts without its name. Null: the first one that the host shows is told and pinned. */
      hostKey: z.string().nullable(),
    }),
  ]),
  /** Addresses and blocks of addresses, as the setting GIT_ALLOW names them. */
  allow: z.array(z.string().max(100)).max(100),
})
export type FetchSecrets = z.output<typeof FetchSecrets>

export const SourceFacts = z.strictObject({
  /** Below the directory, at most two levels deep. Directories end with a slash. */
  entries: z.array(z.string().max(500)).max(FACT_ENTRIES_MAX),
  /** Manifests, Dockerfiles and Compose files. */
  files: z.array(z.strictObject({ path: z.string().max(500), text: z.string() })).max(FACT_FILES_MAX),
})
export type SourceFacts = z.output<typeof SourceFacts>

/**
 * The tree of a commit is on the host, for the build of the deployment.
 * Fails with NO_SUCH_REF, LOGIN_REFUSED, ADDRESS_REFUSED, UNREACHABLE, HOST_KEY_CHANGED, NO_SUCH_DIRECTORY, SOURCE_TOO_LARGE,
 * NO_PROGRAM, REFUSED_SOURCE (git refuses what it has fetched).
 */
export const gitFetch = taskKind('git.fetch', 1, {
  payload: z.strictObject({
    ...deployment,
    /** https://… or ssh://…; http://… where its address is allowed by the secrets. Without a login in it. */
    url: z.string().max(1_000),
    /** A branch, a tag, a commit, or a whole name such as refs/pull/7/head. */
    ref: z.string().max(200).regex(REF),
    directory: path,
    /** Whether anything below the paths differs from the commit; null or no paths: it does. */
    watch: z.strictObject({ from: commit.nullable(), paths: z.array(path).max(WATCHED_MAX) }),
  }),
  result: z.strictObject({
    commit,
    /** The first line of its message. */
    subject: kept,
    changed: z.boolean(),
    /** Of SSH: that the host has shown. */
    hostKey: z.string().max(2_000).nullable(),
    facts: SourceFacts,
  }),
  lane: ({ workload }) => laneOf(workload),
  pool: 'io',
  needs: [],
  deadlineMs: HOUR_MS,
  runMs: () => 10 * MINUTE_MS,
  attempts: 2,
  retryOn: ['UNREACHABLE'],
  onRestart: 'repeat',
  shows: ['deploymentId', 'commit', 'subject'],
  // Files of a repository.
  isResultFiled: true,
})

const RegistryLogin = z.strictObject({ address: z.string().max(300), username: z.string(), password: z.string() })

/** The secrets of a build. Secrets reach its steps by mounts, and neither arguments nor layers. */
export const BuildSecrets = z.strictObject({
  /** The text of the Dockerfile. Null: the payload names a file of the source. */
  dockerfile: z.string().nullable(),
  args: z.array(z.strictObject({ name: z.string().max(256), value: z.string() })).max(VARIABLES_MAX),
  secrets: z.array(z.strictObject({ name: z.string().max(256), value: z.string() })).max(VARIABLES_MAX),
  registries: z.array(RegistryLogin).max(20),
})
export type BuildSecrets = z.output<typeof BuildSecrets>

export const BUILDERS = ['BUILDKIT', 'CLASSIC'] as const

/**
 * Builds the image of one service. Its log is that of the build.
 * Fails with BUILD_FAILED, BUILDER_CLASSIC (secrets need BuildKit), SOURCE_GONE (fetch again), NO_DOCKERFILE, LINK_OUTSIDE,
 * SOURCE_TOO_LARGE, FRONTEND_REFUSED (the Dockerfile asks for a builder of its own), BASE_REFUSED (the registry does
 * not show an image, named by its digest, to this build), ENGINE_LOST.
 */
export const imageBuild = taskKind('image.build', 1, {
  payload: z.strictObject({
    ...deployment,
    service: ServiceName,
    /** FETCHED: what `git.fetch` of the deployment has left. EMPTY: nothing. */
    context: z.enum(['FETCHED', 'EMPTY']),
    directory: path,
    /** Below the directory. Null: its text is among the secrets. */
    dockerfile: path.min(1).nullable(),
    /** Null: the last stage. */
    target: z
      .string()
      .max(100)
      .regex(/^\w[\w.-]*$/)
      .nullable(),
    tag: ImageName,
    /** Images that the operator has named: a build of these alone takes them from the host. Any other asks the registries. */
    localImages: z.array(z.string().max(300)).max(20).optional(),
    timeoutSeconds: z.int().min(1).max(7_200),
  }),
  result: z.strictObject({
    imageId: ImageId,
    bytes: z.int().min(0),
    /** That the image exposes. */
    ports,
    builder: z.enum(BUILDERS),
    cachedSteps: z.int().min(0),
  }),
  lane: ({ workload }) => laneOf(workload),
  pool: 'build',
  needs: ['engine'],
  deadlineMs: HOUR_MS,
  runMs: ({ timeoutSeconds }) => timeoutSeconds * 1_000,
  attempts: 2,
  retryOn: ['ENGINE_LOST'],
  onRestart: 'repeat',
  shows: ['deploymentId', 'service', 'imageId', 'bytes', 'builder', 'cachedSteps'],
})

/** What the names of all images of a workload begin with. */
export const imageNamesOf = ({ kind, id }: z.output<typeof deployed>): string => `daybook/${kind.toLowerCase()}-${id}/`

/**
 * The name that the image of a service is kept under. What the agent removes with a workload are the names that its id stands
 * in: others may keep the same image.
 * @param mark that cannot be guessed: who knows the name of an image could build on it. Names of earlier versions have none.
 */
export const imageNameOf = (
  workload: z.output<typeof deployed>,
  { deploymentId, service, mark }: { readonly deploymentId: string; readonly service: string; readonly mark: string },
): string => `${imageNamesOf(workload)}${service}:${deploymentId}-${mark}`

const UUID_CHARACTERS = 36

/** The deployment in such a name, also in one without a mark. */
export const deploymentInName = (name: string): string => {
  const at = name.lastIndexOf(':') + 1
  return name.slice(at, at + UUID_CHARACTERS)
}

/** The secrets of a pull. */
export const PullSecrets = z.strictObject({ registry: RegistryLogin.nullable() })
export type PullSecrets = z.output<typeof PullSecrets>

/**
 * The image is on the host, and is kept under the tag. Its registry is asked always, so that no image comes of the host that
 * another login has brought there.
 * Fails with NO_SUCH_IMAGE, LOGIN_REFUSED, REGISTRY_UNREACHABLE.
 */
export const imagePull = taskKind('image.pull', 1, {
  payload: z.strictObject({
    ...deployment,
    /** As an application names it. With `from`: the id of an image that the host has. */
    reference: z.string().max(300),
    /** The workload whose image it is. */
    from: deployed.optional(),
    tag: ImageName,
  }),
  result: z.strictObject({
    imageId: ImageId,
    /** Null: it came from no registry. */
    repoDigest: z.string().max(400).nullable(),
    ports,
  }),
  lane: ({ workload }) => laneOf(workload),
  pool: 'io',
  needs: ['engine'],
  deadlineMs: HOUR_MS,
  runMs: () => 15 * MINUTE_MS,
  attempts: 2,
  retryOn: ['ENGINE_DOWN', 'REGISTRY_UNREACHABLE'],
  onRestart: 'repeat',
  shows: ['deploymentId', 'reference', 'imageId', 'repoDigest'],
})
