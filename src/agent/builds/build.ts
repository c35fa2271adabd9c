/** Builds the image of one service of a deployment. */
import { BuildSecrets, imageBuild } from '../../tasks/builds.ts'
import { askEngine } from '../engine/ask-engine.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer } from '../performer.ts'
import { sourceDirectory } from '../sources/source-directories.ts'
import { builderClassic } from './build-failure.ts'
import { buildByBuildKit } from './buildkit.ts'
import { builtImage } from './built-image.ts'
import { buildByClassic } from './classic.ts'
import { emptyContext, sourceContext } from './context.ts'
import type { BuildContext } from './context.ts'
import { imagesByDigest, mustBeShown } from './digests.ts'
import { refuseFrontends } from './dockerfile.ts'
import { engineLost } from './engine-build.ts'
import type { BuildHost, BuildWork } from './engine-build.ts'

export const buildPerformer = (host: BuildHost): Performer =>
  performer(
    imageBuild,
    async (work) => {
      const { taskId, payload, signal, say } = work
      const secrets = BuildSecrets.parse(work.secrets)
      const builder = await builderOf(host, signal)
      const find = () => builtImage(host.call, payload.tag, taskId, signal)
      const before = await find()
      if (before) {
        await say('The image of this build is there already')
        return { ...before, builder, cachedSteps: 0 }
      }
      if (builder === 'CLASSIC' && secrets.secrets.length > 0) throw builderClassic()
      const context = await contextOf(host, work, secrets)
      try {
        refuseFrontends(context.text)
        const localImages = payload.localImages ?? []
        await mustBeShown(host, imagesByDigest(context.text, secrets.args), { ...secrets, localImages }, signal)
        const build = builder === 'CLASSIC' ? buildByClassic : buildByBuildKit
        const cachedSteps = await build(host, work, secrets, context)
        const image = await find()
        if (!image) throw engineLost()
        return { ...image, builder, cachedSteps }
      } finally {
        await context.close()
      }
    },
    {
      redacts(secrets) {
        const { secrets: values, registries } = BuildSecrets.parse(secrets)
        return [...values.map(({ value }) => value), ...registries.map(({ password }) => password)]
      },
    },
  )

/** Engines before 23 name a builder only if their operator has chosen one, and have both. */
async function builderOf({ call }: BuildHost, signal: AbortSignal): Promise<'BUILDKIT' | 'CLASSIC'> {
  const { headers } = await askEngine(call, signal)('GET', '/_ping')
  return headers?.['builder-version'] === '1' ? 'CLASSIC' : 'BUILDKIT'
}

async function contextOf(host: BuildHost, { payload }: BuildWork, secrets: BuildSecrets): Promise<BuildContext> {
  const { workload, deploymentId, directory, dockerfile } = payload
  const text = dockerfile === null ? secrets.dockerfile : undefined
  if (text === null) throw noDockerfile()
  if (payload.context === 'FETCHED') {
    const of = text === undefined ? { path: dockerfile! } : { text }
    return sourceContext(sourceDirectory(host.directory, workload, deploymentId), directory, of)
  }
  if (text === undefined) throw noDockerfile()
  return emptyContext(text)
}

const noDockerfile = (): TaskFailure =>
  new TaskFailure('NO_DOCKERFILE', 'The build has neither the text of a Dockerfile nor a source with one')
