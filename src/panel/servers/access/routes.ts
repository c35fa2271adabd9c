import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { serverAccessTable } from '#projections/panel/servers'
import { serverManager, serverViewer } from '../../access/server-access.ts'
import { mustExist, mustManageServer } from '../../workflows/server-access.ts'
import { serverAccess } from './decider.ts'
import { accessRuleFields } from './events.ts'

const AccessRule = z
  .object({
    id: z.uuid(),
    ...accessRuleFields,
    isGone: z
      .boolean()
      .describe(
        'Whether the account, team or project ceased to exist. The rule then gives nothing and keeps the server closed.',
      ),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ServerAccessRule' })

const level = accessRuleFields.level
const subject = { userId: uuid.optional(), teamId: uuid.optional(), projectId: uuid.optional() }

const NewRule = z
  .strictObject({ ...subject, level })
  .refine(
    ({ userId, teamId, projectId }) => [userId, teamId, projectId].filter((id) => id !== undefined).length === 1,
    'Give exactly one of userId, teamId and projectId',
  )
  .describe('For one of userId, teamId and projectId. A rule for a project is for those who deploy in it.')

const loadRule = async (unit: UnitOfWork, serverId: string, ruleId: string) =>
  found((await unit.load(serverAccess, serverId))[ruleId])

const isOpen = (rules: object): boolean => Object.keys(rules).length === 0

export const serverAccessRoutes = [
  route('GET /api/servers/:id/access', {
    does: 'List the access rules of a server. Without any, every account may use it.',
    access: serverViewer,
    reply: z.object({ isOpen: z.boolean(), rules: z.array(AccessRule) }),
    async handle({ read, params }) {
      const own = serverAccessTable.queryIn(read).selectAll().where('serverId', '=', params.id)
      const rules = await own.orderBy('createdAt').orderBy('id').execute()
      return { isOpen: isOpen(rules), rules }
    },
  }),

  route('POST /api/servers/:id/access', {
    does: 'Add an access rule. The first one closes the server to all others. Giving MANAGE needs servers:manage.',
    access: serverManager,
    status: 201,
    body: NewRule,
    reply: AccessRule,
    handle: ({ run, caller, params: { id: serverId }, body }) =>
      run(async (unit) => {
        const { isManager, by } = await mustManageServer(unit, caller, serverId)
        const { userId = null, teamId = null, projectId = null } = body
        const [ruleId, of] = [unit.newId(), { userId, teamId, projectId }]
        await mustExist(unit, by, of)
        const ask = { serverId, ruleId, subject: of, level: body.level, by: { isManager } }
        await unit.decide(serverAccess, serverId, 'Grant', ask)
        return loadRule(unit, serverId, ruleId)
      }),
  }),

  route('PATCH /api/servers/:id/access/:ruleId', {
    does: 'Change the level of an access rule. Giving or taking MANAGE needs servers:manage.',
    access: serverManager,
    body: z.strictObject({ level }),
    reply: AccessRule,
    handle: ({ run, caller, params: { id: serverId, ruleId }, body }) =>
      run(async (unit) => {
        const { isManager } = await mustManageServer(unit, caller, serverId)
        await unit.decide(serverAccess, serverId, 'ChangeLevel', { serverId, ruleId, ...body, by: { isManager } })
        return loadRule(unit, serverId, ruleId)
      }),
  }),

  route('DELETE /api/servers/:id/access/:ruleId', {
    does: 'Remove an access rule. Removing the last one opens the server to every account, which the reply says.',
    access: serverManager,
    reply: z.object({ isOpen: z.boolean() }),
    handle: ({ run, caller, params: { id: serverId, ruleId } }) =>
      run(async (unit) => {
        const { isManager } = await mustManageServer(unit, caller, serverId)
        await unit.decide(serverAccess, serverId, 'Revoke', { serverId, ruleId, by: { isManager } })
        return { isOpen: isOpen(await unit.load(serverAccess, serverId)) }
      }),
  }),
]
