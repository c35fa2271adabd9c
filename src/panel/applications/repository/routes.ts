/** What an application has to do with its repository: branches, and whether a push deploys. */
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { inApplication } from '../../access/application-access.ts'
import { changeApplication } from '../../access/application-routes.ts'
import { applications } from '../decider.ts'
import { branchesOf } from './branches.ts'

const Branch = z
  .object({
    name: z.string(),
    commit: z.string().describe('The id of its newest commit.'),
    isDefault: z.boolean(),
  })
  .meta({ id: 'GitBranch' })

const AutoDeploy = z.object({ autoDeploy: z.boolean() })

export const applicationRepositoryRoutes = [
  route('GET /api/applications/:id/branches', {
    does: 'List branches of the repository of an application, at most 1,000, as its git provider gives them.',
    access: inApplication('apps:deploy'),
    refuses: [409],
    query: z.strictObject({ search: z.string().trim().max(100).default('') }),
    reply: z.array(Branch),
    handle: async (call) => [...(await branchesOf(call, call.ruleResult.application.source, call.query.search))],
  }),

  changeApplication('PATCH /api/applications/:id/auto-deploy', inApplication('apps:create'), {
    does: 'Choose whether a push to its branch deploys an application.',
    refuses: [409],
    body: z.strictObject({ enabled: z.boolean() }),
    reply: AutoDeploy,
    async decide({ unit, application: { id }, body }) {
      await unit.decide(applications, id, 'SetAutoDeploy', body)
      return { autoDeploy: (await unit.load(applications, id))!.autoDeploy }
    },
  }),
]
