import { z } from 'zod'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { changeOf } from '#kernel/resource/change-of'
import { previewTable } from '#projections/panel/applications/previews'
import type { PreviewRow } from '#projections/panel/applications/previews'
import { deploymentTable } from '#projections/panel/deployments'
import { inApplication } from '../../access/application-access.ts'
import { changeApplication } from '../../access/application-routes.ts'
import { onPreview } from '../../access/preview-access.ts'
import { configuration, effectivePanelUrl } from '../../config/effective-config.ts'
import { DEPLOYMENT_STATES } from '../../deployments/events.ts'
import { mustHold } from '../../projects/rights/rules.ts'
import { deployingFor } from '../../workflows/deploying.ts'
import { mustChooseNarrow, mustLieApartFromApps } from '../../workflows/preview-domains.ts'
import { closePreview, configurePreviews } from '../../workflows/previews.ts'
import { principalOf } from '../../workflows/project-memberships.ts'
import { rightsInProject } from '../../workflows/server-access.ts'
import { applications } from '../decider.ts'
import type { Application } from '../decider.ts'
import { previewLabel } from '../place.ts'
import { previews } from './decider.ts'
import { previewFields } from './events.ts'

const LIMIT_MAX = 20
const IDLE_DAYS_MAX = 30
/** `pr-`, a number, `--`, a slug and a dot fit before it (RFC 1035, 2.3.4). */
const DOMAIN_MAX = 190
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`)

const settings = {
  enabled: z
    .boolean()
    .describe('Whether pull requests get previews. They are opened by the webhook of the application.'),
  baseDomain: z
    .string()
    .max(DOMAIN_MAX)
    .regex(DOMAIN, 'must be a domain in lower case, such as previews.example.com')
    .nullable()
    .describe('Previews are at `pr-<number>--<slug>.<baseDomain>`. All names under it must lead to the server.'),
  limit: z.int().min(1).max(LIMIT_MAX).describe('Of previews at once. More pull requests get none.'),
  idleDays: z.int().min(1).max(IDLE_DAYS_MAX).describe('A preview without new commits for so long is removed.'),
  setId: uuid
    .nullable()
    .describe(
      'The set whose variables previews get, and no others. Null: the variables of the application that are no secrets.',
    ),
}

const Preview = z
  .object({
    id: z.uuid(),
    pullRequest: z.int().describe('Its number. Of GitLab, that of the merge request.'),
    ref: z.string().describe('What is fetched: where its repository keeps its newest commit.'),
    url: z.string().nullable().describe('Null: the application has no port.'),
    deploymentId: z.uuid().nullable().describe('The newest one.'),
    status: z.enum(DEPLOYMENT_STATES).nullable().describe('Of its newest deployment.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().describe('When it was deployed last.'),
  })
  .meta({ id: 'Preview' })

const Previews = z.object({ ...settings, previews: z.array(Preview) }).meta({ id: 'ApplicationPreviews' })

const version = recordVersion(
  z.object(previewFields),
  async (unit, { params }) => (await unit.look(applications, params['id']))?.previews,
)

const SHOWN_MAX = 100

type Reading = Pick<HandlerContext, 'read'>

/** In the order of their pull requests. */
async function shownPreviews({ read }: Reading, application: Application): Promise<z.input<typeof Preview>[]> {
  const rows = await previewTable
    .queryIn(read)
    .leftJoin(deploymentTable.as('deployment'), 'deployment.id', 'previews.deploymentId')
    .where('previews.applicationId', '=', application.id)
    .selectAll('previews')
    .select('deployment.status')
    .orderBy('previews.pullRequest')
    .limit(SHOWN_MAX)
    .execute()
  return rows.map(({ status, ...row }) => toPreview(row, status, application))
}

const toPreview = (
  { id, pullRequest, ref, deploymentId, createdAt, updatedAt }: PreviewRow,
  status: z.input<typeof Preview>['status'],
  application: Application,
): z.input<typeof Preview> => ({
  id,
  pullRequest,
  ref,
  url: urlOf(application, pullRequest),
  deploymentId,
  status,
  createdAt,
  updatedAt,
})

const urlOf = (application: Application, pullRequest: number): string | null => {
  const {
    port,
    previews: { baseDomain },
  } = application
  return port === null || baseDomain === null
    ? null
    : `http://${previewLabel(application, { pullRequest })}.${baseDomain}`
}

const shown = async (call: Reading, application: Application): Promise<z.input<typeof Previews>> => ({
  ...application.previews,
  previews: await shownPreviews(call, application),
})

async function panelHostOf(service: HandlerContext['service']): Promise<string> {
  const { environment, decided } = service(configuration)
  return new URL(effectivePanelUrl(environment, await decided())).hostname
}

export const applicationPreviewRoutes = [
  route('GET /api/applications/:id/previews', {
    does: 'Get how the application has previews of its pull requests, and those that are there.',
    access: inApplication('apps:view'),
    version,
    reply: Previews,
    async handle(call) {
      return shown(call, found(await call.run((unit) => unit.look(applications, call.params.id))))
    },
  }),

  changeApplication('PATCH /api/applications/:id/previews', inApplication('apps:create'), {
    does: 'Turn previews of pull requests on or off, and set their domain, limit, idle days and variables. Off removes those that are there.',
    refuses: [409],
    body: changeOf(settings),
    version,
    reply: Previews,
    async decide({ unit, application: { id, environmentId, previews: before }, body, read, rights, caller, service }) {
      if (body.setId !== undefined) mustHold(rights, 'apps:env', environmentId)
      const { baseDomain: domain = body.enabled ? before.baseDomain : null } = body
      if (domain !== null) await mustLieApartFromApps(unit, domain)
      if (domain !== null && domain !== before.baseDomain)
        await mustChooseNarrow(unit, caller, { domain, panelHost: await panelHostOf(service) })
      await configurePreviews(unit, id, { changes: body, caller })
      return shown({ read }, found(await unit.load(applications, id)))
    },
  }),

  route('DELETE /api/applications/previews/:previewId', {
    does: 'Remove a preview with its containers, images, volumes and address. New commits in its pull request open it again.',
    access: onPreview,
    async handle({ run, read, vault, caller, params: { previewId }, ruleResult: { applicationId } }) {
      const deploying = await deployingFor({ read, vault })
      await run(async (unit) => {
        const by = await principalOf(unit, caller)
        const application = found(await unit.load(applications, applicationId))
        const { projectId, environmentId } = application
        mustHold(await rightsInProject(unit, projectId, by), 'apps:deploy', environmentId)
        const preview = found((await unit.load(previews, applicationId)).open[previewId])
        await closePreview({ unit, ...deploying }, application, preview, 'REMOVED')
      })
    },
  }),
]
