/** Lists over several projects: where the caller holds a permission. */
import type { ExpressionBuilder } from 'kysely'
import type { Caller } from '#kernel/http/route'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { ProjectPermission } from './permissions.ts'
import { actingUserIdOf, ownProjectIds, projectIdsOf, rightsIn } from './project-access.ts'
import { hasPermission } from './rights.ts'

export interface VisiblePlaces {
  /** Undefined: every project. */
  readonly projectIds: readonly string[] | undefined
  /** Of other projects. */
  readonly environmentIds: readonly string[]
}

/** Of rows that name their project and environment, those in the places. To be given to `where`. */
export const isIn =
  ({ projectIds, environmentIds }: VisiblePlaces) =>
  <DB, TB extends keyof DB>(is: ExpressionBuilder<DB, TB>) => {
    const among = (column: string, ids: readonly string[]) =>
      ids.length === 0 ? [] : [is(column as never, 'in', ids as never)]
    return projectIds === undefined
      ? is.and([])
      : is.or([...among('projectId', projectIds), ...among('environmentId', environmentIds)])
  }

interface Asked {
  readonly caller: Caller
  readonly permission: ProjectPermission
  /** `mine`: by own and team memberships. A MACHINE key has none, so it gets all that it can see. */
  readonly scope: 'mine' | 'all'
}

export async function visiblePlaces(read: ReadDatabase, { caller, permission, scope }: Asked): Promise<VisiblePlaces> {
  const [person, only] = [actingUserIdOf(caller), projectIdsOf(caller)]
  if (scope === 'all' || person === undefined) return { projectIds: only, environmentIds: [] }
  const own = await ownProjectIds(read, person).execute()
  const rights = await Promise.all(
    own.map(async ({ projectId }) => ({ projectId, held: await rightsIn(read, caller, projectId) })),
  )
  const whole = rights.filter(({ held }) => hasPermission(held, permission))
  const partly = rights.filter(({ held }) => !hasPermission(held, permission))
  return {
    projectIds: whole.map(({ projectId }) => projectId),
    environmentIds: partly.flatMap(({ held }) =>
      held
        .flatMap(({ environmentIds }) => environmentIds ?? [])
        .filter((environmentId) => hasPermission(held, permission, environmentId)),
    ),
  }
}
