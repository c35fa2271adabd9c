/** What repositories hold, before an application is made of them. */
import { z } from 'zod'
import { enforceLimit, forgetIdleAttempts } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { settingOf } from '#projections/panel/settings'
import { session } from '../../access/access.ts'
import { gitProviderUser } from '../../access/git-provider-access.ts'
import { userCallerOf } from '../../access/user-caller.ts'
import { baseImagesIn } from '../../applications/detector/base-images.ts'
import { SOURCE_KINDS } from '../../applications/detector/detect.ts'
import type { Detected } from '../../applications/detector/detect.ts'
import type { DetectorOptions } from '../../applications/detector/ecosystem.ts'
import { isOverSsh, isRepositoryUrl } from '../../applications/repository-url.ts'
import { refuseLiteralAddress } from '../connect.ts'
import { gitReach } from '../forges.ts'
import { filePath, refName, repositoryName } from '../input.ts'
import { publicRepository } from '../public-repositories.ts'
import { readerFor } from '../reader.ts'
import { detectAt, scanAt } from '../source-facts.ts'
import type { DetectedAt } from '../source-facts.ts'

const SCANS: CallerLimit = { name: 'git-scan', windowMax: 20, windowSeconds: 60 }

const detectedFields = {
  kind: z.enum(SOURCE_KINDS),
  dockerfile: z
    .string()
    .nullable()
    .describe('The Dockerfile that is there, or the one that would be made. Null: none.'),
  port: z.int().nullable().describe('The port that it serves. Null: not known.'),
  notes: z.array(z.string()).describe('What was assumed.'),
}
const DetectedView = z.object(detectedFields).meta({ id: 'DetectedSource' })
const FoundApplication = z.object({ directory: z.string(), ...detectedFields }).meta({ id: 'FoundApplication' })

const Place = z.strictObject({
  repo: repositoryName,
  ref: refName.optional(),
  directory: filePath.or(z.literal('')).default(''),
})
type Place = z.output<typeof Place>

const PublicUrl = z.strictObject({
  url: z
    .string()
    .max(500)
    .regex(/^https?:\/\//, 'must be like https://github.com/team/shop.git')
    .refine((url) => isRepositoryUrl(url) && !isOverSsh(url), 'must be like https://github.com/team/shop.git'),
  branch: refName.optional(),
})

const optionsOf = async ({ read }: Pick<HandlerContext, 'read'>): Promise<DetectorOptions> => ({
  baseImages: baseImagesIn(await settingOf(read, 'baseImages')),
  port: null,
  buildArgs: [],
})

const placeOf = ({ repo, ref, directory: path }: Place) => ({ repo, ref, path })
const toDetected = ({ notes, ...detected }: Detected) => ({ ...detected, notes: [...notes] })
const toFound = ({ directory, ...detected }: DetectedAt) => ({ directory, ...toDetected(detected) })

export const gitDetectionRoutes = [
  route('GET /api/git-providers/:id/detect', {
    does: 'Recognise what a directory of a repository holds, and show the Dockerfile that would be made for it.',
    access: gitProviderUser,
    refuses: [409],
    query: Place,
    reply: DetectedView,
    async handle(call) {
      const [reader, options] = [await readerFor(call, call.query.repo), await optionsOf(call)]
      return toDetected(await call.waitFor(() => detectAt(reader, placeOf(call.query), options)))
    },
  }),

  route('GET /api/git-providers/:id/scan-monorepo', {
    does: 'Find applications in the directories of a repository, at most 50.',
    access: gitProviderUser,
    refuses: [409],
    query: Place,
    reply: z.array(FoundApplication),
    async handle(call) {
      const [reader, options] = [await readerFor(call, call.query.repo), await optionsOf(call)]
      return (await call.waitFor(() => scanAt(reader, placeOf(call.query), options))).map(toFound)
    },
  }),

  route('POST /api/git-providers/scan-monorepo-url', {
    does: 'Find applications in a public repository of GitHub, GitLab or Bitbucket, at most 50. Changes nothing.',
    access: session,
    refuses: [404, 409, 429],
    body: PublicUrl,
    reply: z.array(FoundApplication),
    async handle(call) {
      const { url, branch: ref } = call.body
      await enforceLimit(call, SCANS, userCallerOf(call.caller).userId)
      await forgetIdleAttempts(call, SCANS)
      refuseLiteralAddress(url, call.service(gitReach))
      const { forge, repo } = publicRepository(call, url)
      const options = await optionsOf(call)
      return (await call.waitFor(() => scanAt(forge, { repo, ref, path: '' }, options))).map(toFound)
    },
  }),
]
