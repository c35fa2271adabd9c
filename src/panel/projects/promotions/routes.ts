/** What runs in one environment comes to run, with the same images, in another one. */
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { applicationTable } from '#projections/panel/applications'
import { promotion } from '../../access/project-access.ts'
import type { Rights } from '../../access/rights.ts'
import { panelPort } from '../../servers/ports/panel-port.ts'
import { rejectTakenApplicationName } from '../../workflows/applications.ts'
import { principalOf } from '../../workflows/project-memberships.ts'
import { promoteApplication } from '../../workflows/promote-application.ts'
import type { Promotion } from '../../workflows/promote-application.ts'
import { rightsInProject } from '../../workflows/server-access.ts'
import { mustHold } from '../rights/rules.ts'

const APPLICATIONS_MAX = 100

const Promote = z
  .strictObject({
    applicationIds: z
      .array(uuid)
      .min(1)
      .max(APPLICATIONS_MAX)
      .optional()
      .describe('Of the one environment. Absent: all of its applications.'),
    create: z
      .boolean()
      .default(false)
      .describe(
        'Whether applications that the other environment lacks are made as copies. It needs apps:create and apps:env.',
      ),
    dryRun: z.boolean().default(false).describe('Whether to tell only what would be done.'),
  })
  .meta({ examples: [{ create: true, dryRun: true }] })

const Promoted = z
  .object({
    from: z.uuid(),
    to: z.uuid().nullable().describe('The application of the same name. Null: there is none, or it would be created.'),
    deploymentId: z.uuid().nullable().describe('Null: nothing is promoted, or this is a dry run.'),
    reason: z.object({ code: z.string(), message: z.string() }).nullable().describe('Why it is not promoted.'),
  })
  .meta({ id: 'Promotion' })

/** Names are compared in this form, as the unique constraint on them does. */
const compared = (name: string): string => name.normalize('NFKC').toLowerCase()

interface Pair {
  readonly from: string
  readonly to: string | undefined
}

const applicationsIn = (read: ReadDatabase, environmentId: string) =>
  applicationTable
    .queryIn(read)
    .select(['id', 'name'])
    .where('environmentId', '=', environmentId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** @throws Rejection 400 UNKNOWN_APPLICATION */
async function pairsOf(
  read: ReadDatabase,
  { envId, dstEnvId }: { readonly envId: string; readonly dstEnvId: string },
  ids: readonly string[] | undefined,
): Promise<Pair[]> {
  const [all, others] = await Promise.all([applicationsIn(read, envId), applicationsIn(read, dstEnvId)])
  if (ids && !ids.every((asked) => all.some(({ id }) => id === asked)))
    reject('invalid', 'No application of the environment has this id', 'UNKNOWN_APPLICATION')
  const byName = new Map(others.map(({ id, name }) => [compared(name), id]))
  const chosen = all.filter(({ id }) => ids?.includes(id) ?? true)
  return chosen.map(({ id, name }) => ({ from: id, to: byName.get(compared(name)) }))
}

/** Ends the unit of work, so that nothing is written. */
class DryRun extends Error {
  readonly promoted: readonly Promotion[]

  constructor(promoted: readonly Promotion[]) {
    super('A dry run')
    this.promoted = promoted
  }
}

/** Deployments and copies that were not made have no ids. */
const withoutIds = (promoted: readonly Promotion[], pairs: readonly Pair[]): Promotion[] =>
  promoted.map((each, nth) => ({ ...each, to: pairs[nth]!.to ?? null, deploymentId: null }))

interface Places {
  readonly envId: string
  readonly dstEnvId: string
  readonly create: boolean
}

/** A copy has the variables of its source. */
function mustHoldAll(rights: Rights, { envId, dstEnvId, create }: Places): void {
  mustHold(rights, 'apps:view', envId)
  mustHold(rights, 'apps:deploy', dstEnvId)
  if (!create) return
  mustHold(rights, 'apps:env', envId)
  for (const permission of ['apps:create', 'apps:env'] as const) mustHold(rights, permission, dstEnvId)
}

export const promotionRoutes = [
  route('POST /api/projects/:id/environments/:envId/promote-to/:dstEnvId', {
    does: 'Run the images of what runs in an environment in another one, by applications of the same name. Nothing is built.',
    access: promotion,
    isLimited: true,
    refuses: [409],
    status: 202,
    body: Promote,
    reply: z.array(Promoted),
    async handle({ run, read, caller, params, body: { applicationIds, create, dryRun }, service }) {
      const { id: projectId, envId, dstEnvId } = params
      const pairs = await pairsOf(read, params, applicationIds)
      if (envId === dstEnvId) reject('invalid', 'Both environments are the same one', 'SAME_ENVIRONMENT')
      const promoting = run(async (unit) => {
        const rights = await rightsInProject(unit, projectId, await principalOf(unit, caller))
        mustHoldAll(rights, { envId, dstEnvId, create })
        const asked = { caller, environmentId: dstEnvId, create, panelPort: service(panelPort) }
        const promoted: Promotion[] = []
        for (const pair of pairs) promoted.push(await promoteApplication(unit, { ...asked, ...pair }))
        if (dryRun) throw new DryRun(promoted)
        return promoted
      })
      return promoting.catch((error: unknown) =>
        error instanceof DryRun ? withoutIds(error.promoted, pairs) : rejectTakenApplicationName(error),
      )
    },
  }),
]
