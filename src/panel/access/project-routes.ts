/**
 * Routes of a project, `/api/projects/:id/…`, with one access. The gate checks the id and what the access asks; most
 * ask for rights in the project, and answer 404 for a project that the caller does not see. A decision reads the account, teams and key of
 * the caller again in its unit of work, because its rights may have changed since the gate.
 */
import type { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type { HandlerContext, HandlerResult, ParamsOf, ParsedOf, Route, RouteLine, RouteSpec } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import type { Columns, ReadModel } from '#kernel/projections/read-model'
import { listRoute } from '#kernel/resource/list-route'
import type { ListContract, Listed, ListRouteSpec } from '#kernel/resource/list-route'
import { projects } from '../projects/decider.ts'
import { rightsOf } from '../projects/rights/rules.ts'
import type { Principal, UserPrincipal } from '../projects/rights/rules.ts'
import { principalOf, userPrincipalOf } from '../workflows/project-memberships.ts'
import { KEY } from './access.ts'
import { panelLists } from './panel-lists.ts'
import type { ProjectAccess } from './project-access.ts'
import type { Rights } from './rights.ts'

type Schema = z.ZodType | undefined

interface Deciding<By extends Principal, Params, Query, Body> extends Pick<
  HandlerContext<Params, Query, Body>,
  'params' | 'query' | 'body' | 'caller' | 'vault'
> {
  readonly unit: UnitOfWork
  readonly projectId: string
  /** The caller as this unit of work reads it. */
  readonly by: By
  /**
   * The caller's rights in the project, as this unit of work reads them.
   * @throws Rejection 404 if the project does not exist
   */
  rights(): Promise<Rights>
}

interface DecisionSpec<By extends Principal, Q extends Schema, B extends Schema, R extends Schema, Line> extends Omit<
  RouteSpec<undefined, Q, B, R, Line>,
  'access' | 'handle'
> {
  /** Runs in one unit of work, which may run it several times. */
  readonly decide: (
    deciding: Deciding<By, ParamsOf<undefined, Line>, ParsedOf<Q>, ParsedOf<B>>,
  ) => Promise<R extends undefined ? unknown : HandlerResult<R>>
}

/** @param access what the caller must hold, as `project-access.ts` declares it */
export function projectRoutes<By extends Principal = UserPrincipal>(access: ProjectAccess<By>) {
  return {
    /**
     * A list of the rows that the project has in a table.
     * @param lists the parameters and the order of the list; by default it has no filters and shows the newest first
     */
    list<
      C extends Columns,
      Row extends Ordered & { readonly projectId: string },
      Name extends string,
      Item extends z.ZodType,
      Query extends z.ZodType,
      Ordered extends object = Listed,
    >(
      line: RouteLine,
      table: ReadModel<C, Row, Name>,
      spec: Omit<ListRouteSpec<Name, Row, Item, { readonly id: string }, z.output<Query>>, 'access'>,
      lists: ListContract<Query, Ordered> = panelLists as unknown as ListContract<Query, Ordered>,
    ): Route {
      const only: typeof spec.only = (rows, call) => {
        const own = rows.where('projectId', '=', call.params.id as never)
        return spec.only?.(own, call) ?? own
      }
      return listRoute(line, table, lists, { ...spec, access, only })
    },

    /** A decision on the project, in one unit of work. */
    change: <
      Line extends RouteLine,
      Q extends Schema = undefined,
      B extends Schema = undefined,
      R extends Schema = undefined,
    >(
      line: Line,
      { decide, ...spec }: DecisionSpec<By, Q, B, R, Line>,
    ): Route =>
      route<undefined, Q, B, R, Line>(line, {
        ...spec,
        access,
        handle: ({ run, params, query, body, caller, vault }) =>
          run(async (unit) => {
            const { id: projectId } = params as { readonly id: string }
            const readBy = access.kinds.includes(KEY) ? principalOf : userPrincipalOf
            // The kinds of callers that the access lets in have such principals.
            const by = (await readBy(unit, caller)) as By
            const rights = async () => rightsOf(found(await unit.look(projects, projectId)), by)
            const decided = await decide({ unit, projectId, by, rights, params, query, body, caller, vault })
            return (spec.reply ? decided : undefined) as HandlerResult<R>
          }),
      }),
  }
}
