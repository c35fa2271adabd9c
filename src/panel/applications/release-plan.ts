/** What is built and started for one deployment of an application or a preview, for each of its sources. Pure. */
import { reject } from '#kernel/lib/rejection'
import type { SourceFacts } from '../../tasks/builds.ts'
import { ONLY_SERVICE } from '../../tasks/releases.ts'
import type { ReleaseService } from '../../tasks/releases.ts'
import { composeServices } from './compose/services.ts'
import type { ComposeBuild } from './compose/services.ts'
import { baseImagesIn } from './detector/base-images.ts'
import { COMPOSE_NAMES, DOCKERFILE, generated } from './detector/detect.ts'
import { sourceFiles } from './detector/source-files.ts'
import { staticFiles } from './detector/static.ts'
import { imageName } from './input.ts'
import type { Place } from './place.ts'
import { plannedServices } from './planned-services.ts'
import type { SizedService } from './planned-services.ts'
import { isComposed, mustBeAllowed } from './policy.ts'
import { rolloverOf } from './rollover.ts'

type GitSource = Extract<Place['source'], { kind: 'GIT' }>
type Variables = readonly { readonly name: string; readonly value: string }[]

/** What has come of the source. */
export interface PlanInput {
  /** Of GIT: what `git.fetch` has found, below its directory. */
  readonly facts?: SourceFacts
  /** Instead of the Compose file of the application or of its repository. */
  readonly composeText?: string
  /** Instead of the image of the source. */
  readonly image?: string
  /** Instead of any other image: the id of one that is there already, for an application of one image. */
  readonly imageId?: string
}

export interface PlanSettings {
  /** The setting of that name. */
  readonly baseImages: string
  /** Names of variables that are given to the build. */
  readonly buildArgs?: readonly string[]
}

export interface PlannedBuild {
  readonly service: string
  readonly context: 'FETCHED' | 'EMPTY'
  /** Below the repository. */
  readonly directory: string
  /** Below the directory. Null: its text is `dockerfileText`. */
  readonly dockerfile: string | null
  readonly dockerfileText: string | null
  readonly target: string | null
  readonly args: Variables
}

/** `buildOf` names the service of a build. Of it and `image`, one is null. */
export interface PlannedService extends Omit<ReleaseService, 'imageId' | 'published'> {
  readonly buildOf: string | null
  readonly image: string | null
  /** That the Compose file says, before all variables of the application. */
  readonly environment: Variables
  readonly isHttp: boolean
}

export interface ReleasePlan {
  readonly builds: readonly PlannedBuild[]
  readonly services: readonly PlannedService[]
  readonly rollover: 'START_FIRST' | 'STOP_FIRST'
}

/**
 * @throws Rejection 400 as `mustBeAllowed` · IMAGE_REFUSED · 409 NOTHING_TO_DEPLOY · NOT_DETECTED · NO_COMPOSE_FILE
 */
export function releasePlanOf(application: Place, input: PlanInput, settings: PlanSettings): ReleasePlan {
  const isWhole = input.imageId === undefined && isComposed(application.source)
  const compose = isWhole ? composeTextOf(application, input) : null
  mustBeAllowed(application, { compose })
  const plan = compose === null ? ofOneImage(application, input, settings) : ofCompose(application, compose)
  return { ...plan, rollover: rolloverOf(application, plan) }
}

type Plan = Omit<ReleasePlan, 'rollover'>

function ofOneImage(application: Place, input: PlanInput, settings: PlanSettings): Plan {
  const { slug, volumes, healthCheck: health } = application
  const { facts } = input
  const given = input.imageId ?? namedImageOf(application, input)
  const build = given === null ? buildOf(application, facts, settings) : undefined
  const service: PlannedService = {
    name: ONLY_SERVICE,
    buildOf: build ? ONLY_SERVICE : null,
    image: given,
    command: application.command,
    environment: [],
    isHttp: application.port !== null,
    port: application.port,
    replicas: application.replicas,
    memoryMiB: application.memoryMiB,
    cpuMillis: application.cpuMillis,
    volumes: volumes.map(({ name, mountPath }) => ({ volume: volumeOf(application, name), mountPath })),
    health,
    stopSeconds: application.stopSeconds,
    dependsOn: [],
    aliases: [slug],
  }
  return { builds: build ? [build] : [], services: [service] }
}

/** Null: it is built. An earlier version took ids of images too, which may be those of others. */
function namedImageOf({ source }: Place, { image }: PlanInput): string | null {
  const named = image ?? (source.kind === 'IMAGE' ? source.image : null)
  return named === null || imageName.safeParse(named).success
    ? named
    : reject('invalid', 'The image must be named as its registry names it, not by an id', 'IMAGE_REFUSED')
}

/** The first one of its name: restoring a backup makes one with the next number. */
const volumeOf = ({ workload: { id } }: Place, name: string): string => `${id}-${name}-1`

const ONE_BUILD = { service: ONLY_SERVICE, target: null, args: [] } as const
const byText = (text: string, directory: string, context: PlannedBuild['context']): PlannedBuild => ({
  ...ONE_BUILD,
  context,
  directory,
  dockerfile: null,
  dockerfileText: text,
})

function buildOf(application: Place, facts: SourceFacts | undefined, settings: PlanSettings): PlannedBuild {
  const { source, files } = application
  if (source.kind === 'GIT') return buildOfGit(application, source, { facts: facts ?? NO_FACTS, settings })
  return files.dockerfile === null
    ? reject('conflict', 'The application has no Dockerfile yet: write it first', 'NOTHING_TO_DEPLOY')
    : byText(files.dockerfile, '', 'EMPTY')
}

const NO_FACTS: SourceFacts = { entries: [], files: [] }

interface Found {
  readonly facts: SourceFacts
  readonly settings: PlanSettings
}

function buildOfGit({ files, port }: Place, source: GitSource, { facts, settings }: Found): PlannedBuild {
  const { build, path, directory } = source
  if (files.dockerfile !== null && build !== 'STATIC') return byText(files.dockerfile, directory, 'FETCHED')
  const dockerfile = path ?? DOCKERFILE
  if (build === 'DOCKERFILE' || (build === 'AUTO' && (path !== null || sourceFiles(facts).has(DOCKERFILE))))
    return { ...ONE_BUILD, context: 'FETCHED', directory, dockerfile, dockerfileText: null }
  const options = { baseImages: baseImagesIn(settings.baseImages), port, buildArgs: settings.buildArgs ?? [] }
  const made = build === 'STATIC' ? staticFiles(sourceFiles(facts), options) : generated(facts, options)
  if (typeof made?.dockerfile === 'string') return byText(made.dockerfile, directory, 'FETCHED')
  const missing = build === 'STATIC' ? 'index.html' : 'Dockerfile, and nothing else that can be built'
  return reject('conflict', `The directory of the repository has no ${missing}`, 'NOT_DETECTED')
}

/** @throws Rejection 409 NO_COMPOSE_FILE */
function composeTextOf({ source, files }: Place, { composeText, facts = NO_FACTS }: PlanInput): string {
  const known = sourceFiles(facts)
  const names = source.kind === 'GIT' && source.path !== null ? [source.path] : COMPOSE_NAMES
  const inRepository = names.map((name) => known.textOf(name)).find((text) => text !== undefined)
  const text = composeText ?? files.compose ?? inRepository
  return text ?? reject('conflict', 'There is no Compose file yet: write it first, or name its path', 'NO_COMPOSE_FILE')
}

function ofCompose(application: Place, text: string): Plan {
  const all = plannedServices(application, composeServices(text))
  const directory = application.source.kind === 'GIT' ? application.source.directory : ''
  return {
    builds: all.flatMap(({ name, build }) => (build ? [toBuild(name, build, directory)] : [])),
    services: all.map((each) => toService(application, each)),
  }
}

const toBuild = (service: string, build: ComposeBuild, above: string): PlannedBuild => ({
  service,
  context: 'FETCHED',
  directory: [above, build.directory].filter((each) => each !== '').join('/'),
  dockerfile: build.dockerfile ?? DOCKERFILE,
  dockerfileText: null,
  target: build.target,
  args: build.args,
})

function toService(application: Place, { build, ...service }: SizedService): PlannedService {
  const { name, isHttp, command, volumes, dependsOn } = service
  return {
    ...service,
    buildOf: build ? name : null,
    command: command && [...command],
    volumes: volumes.map((each) => ({ volume: volumeOf(application, each.name), mountPath: each.mountPath })),
    dependsOn: [...dependsOn],
    aliases: isHttp && application.slug !== name ? [name, application.slug] : [name],
  }
}
