/**
 * Decisions on an application, `/api/applications/:id/…`. They read the account, teams and key of the caller and its
 * rights again in their unit of work, because these may have changed since the gate.
 */
import type { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type {
  Caller,
  HandlerContext,
  HandlerResult,
  ParamsOf,
  ParsedOf,
  Route,
  RouteLine,
  RouteSpec,
} from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { applications } from '../applications/decider.ts'
import type { Application } from '../applications/decider.ts'
import { mustHold } from '../projects/rights/rules.ts'
import { principalOf } from '../workflows/project-memberships.ts'
import { rightsInProject } from '../workflows/server-access.ts'
import type { ApplicationAccess } from './application-access.ts'
import type { Rights } from './rights.ts'

type Schema = z.ZodType | undefined

interface Deciding<Params, Query, Body> extends Pick<
  HandlerContext<Params, Query, Body>,
  'params' | 'query' | 'body' | 'caller' | 'read' | 'vault' | 'service'
> {
  readonly unit: UnitOfWork
  readonly application: Application
  /** The caller's rights in its project, as this unit of work reads them. */
  readonly rights: Rights
}

interface DecisionSpec<Q extends Schema, B extends Schema, R extends Schema, Line> extends Omit<
  RouteSpec<undefined, Q, B, R, Line>,
  'access' | 'handle'
> {
  /** Runs in one unit of work, which may run it several times. */
  readonly decide: (
    deciding: Deciding<ParamsOf<undefined, Line>, ParsedOf<Q>, ParsedOf<B>>,
  ) => Promise<R extends undefined ? unknown : HandlerResult<R>>
  /** Handler for `catch`. */
  readonly onError?: (error: unknown) => never
}

/** @throws Rejection 401 · 403 · 404 */
export async function seenAgain(
  unit: UnitOfWork,
  caller: Caller,
  id: string,
  { holds }: Pick<ApplicationAccess, 'holds'>,
): Promise<{ readonly application: Application; readonly rights: Rights }> {
  const by = await principalOf(unit, caller)
  const application = found(await unit.load(applications, id))
  const rights = await rightsInProject(unit, application.projectId, by)
  for (const permission of holds) mustHold(rights, permission, application.environmentId)
  return { application, rights }
}

/** @param access what the caller must hold, as `application-access.ts` declares it */
export const changeApplication = <
  Line extends RouteLine,
  Q extends Schema = undefined,
  B extends Schema = undefined,
  R extends Schema = undefined,
>(
  line: Line,
  access: ApplicationAccess,
  { decide, onError, ...spec }: DecisionSpec<Q, B, R, Line>,
): Route =>
  route<undefined, Q, B, R, Line>(line, {
    ...spec,
    access,
    async handle({ run, params, query, body, caller, read, vault, service }) {
      const { id } = params as { readonly id: string }
      const deciding = run(async (unit) => {
        const { application, rights } = await seenAgain(unit, caller, id, access)
        const decided = await decide({ unit, application, rights, params, query, body, caller, read, vault, service })
        return (spec.reply ? decided : undefined) as HandlerResult<R>
      })
      return onError ? deciding.catch(onError) : deciding
    },
  })
