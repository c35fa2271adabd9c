/** The Compose file and the Dockerfile that an application keeps itself. */
import { z } from 'zod'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import { inApplication } from '../../access/application-access.ts'
import { changeApplication } from '../../access/application-routes.ts'
import { writeApplicationFile } from '../../workflows/applications.ts'
import { COMPOSE_BYTES_MAX } from '../compose/document.ts'
import { applications, FILE_FIELDS } from '../decider.ts'
import type { Application } from '../decider.ts'
import type { APPLICATION_FILES } from '../events.ts'

/** Room for 256 KiB as JSON. */
const BODY_BYTES_MAX = 1_048_576

type File = (typeof APPLICATION_FILES)[number]

const FileView = z
  .object({
    content: z.string().nullable().describe('Null: nothing is kept here.'),
    source: z
      .enum(['STORED', 'REPOSITORY', 'GENERATED'])
      .describe(
        'Where a deployment takes it from. GENERATED: it is made for what is found, unless the repository has one.',
      ),
  })
  .meta({ id: 'ApplicationFile' })

const FileText = z.strictObject({
  content: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= COMPOSE_BYTES_MAX, 'must have at most 256 KiB')
    .refine((text) => !text.includes('\0'), 'must not have a NUL character')
    .nullable()
    .describe('Null: nothing is kept here, and the file of the repository counts.'),
})

function sourceOf({ source }: Application, file: File): z.input<typeof FileView>['source'] {
  if (source.kind !== 'GIT') return 'STORED'
  const isMade = source.build === 'STATIC' || (source.build === 'AUTO' && source.path === null)
  return file === 'DOCKERFILE' && isMade ? 'GENERATED' : 'REPOSITORY'
}

function viewOf(application: Application, file: File): z.input<typeof FileView> {
  const content = application.files[FILE_FIELDS[file]]
  return { content, source: content === null ? sourceOf(application, file) : 'STORED' }
}

const versionOf = (file: File) =>
  recordVersion(FileView, async (unit, { params }) => {
    const application = await unit.look(applications, params['id'])
    return application && viewOf(application, file)
  })
const [composeVersion, dockerfileVersion] = [versionOf('COMPOSE'), versionOf('DOCKERFILE')]

const read = inApplication('apps:env')
const write = inApplication('apps:create')
const replies = { bodyMax: BODY_BYTES_MAX, body: FileText, shownOnce: ['content'], reply: FileView }

export const applicationFileRoutes = [
  route('GET /api/applications/:id/files/compose', {
    does: 'Get the Compose file that an application keeps.',
    access: read,
    version: composeVersion,
    reply: FileView,
    handle: ({ run, params: { id } }) => run(async (unit) => viewOf((await unit.look(applications, id))!, 'COMPOSE')),
  }),

  changeApplication('PATCH /api/applications/:id/files/compose', write, {
    does: 'Write the Compose file of an application, or remove it. The next deployment uses it.',
    ...replies,
    version: composeVersion,
    async decide({ unit, application: { id }, body: { content } }) {
      await writeApplicationFile(unit, id, { file: 'COMPOSE', content })
      return viewOf((await unit.load(applications, id))!, 'COMPOSE')
    },
  }),

  route('GET /api/applications/:id/files/dockerfile', {
    does: 'Get the Dockerfile that an application keeps.',
    access: read,
    version: dockerfileVersion,
    reply: FileView,
    handle: ({ run, params: { id } }) =>
      run(async (unit) => viewOf((await unit.look(applications, id))!, 'DOCKERFILE')),
  }),

  changeApplication('PATCH /api/applications/:id/files/dockerfile', write, {
    does: 'Write the Dockerfile of an application, or remove it. The next build uses it.',
    ...replies,
    version: dockerfileVersion,
    async decide({ unit, application: { id }, body: { content } }) {
      await writeApplicationFile(unit, id, { file: 'DOCKERFILE', content })
      return viewOf((await unit.load(applications, id))!, 'DOCKERFILE')
    },
  }),
]
