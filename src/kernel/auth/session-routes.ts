/**
 * The routes to list and end the caller's own sessions: the same in every realm, beside
 * `second-factor-routes.ts`.
 */
import type { SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import type { UnitOfWork } from '../commands/command-runner.ts'
import { route } from '../http/route.ts'
import type { Access, Route } from '../http/route.ts'
import { uuid } from '../lib/uuid.ts'
import type { ReadModel } from '../projections/read-model.ts'
import type { ListContract } from '../resource/list-route.ts'
import type { Realm } from './realm.ts'
import type { SessionIdentity } from './session-rules.ts'

const SessionView = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  /** To the minute. */
  lastUsedAt: z.iso.datetime(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** Whether it is the session of this request. */
  current: z.boolean(),
})

type SessionItem = z.output<typeof SessionView>
type Row = Omit<SessionItem, 'lastUsedAt' | 'current'> & { readonly lastUsedAt: string | null }
type Rows = SelectQueryBuilder<any, any, any>

interface OwnSessionsSpec {
  /** Sessions of the realm, for the caller's own account. */
  readonly access: Access
  readonly table: ReadModel
  /** The column that contains the account's id. */
  readonly account: string
  /** The table in `telemetry` with their last uses. */
  readonly uses: string
  /** How the service lists. */
  readonly lists: ListContract
  readonly endOthers: (unit: UnitOfWork, held: SessionIdentity) => Promise<unknown>
  /**
   * Ends one session; the rules for the caller's own session differ by realm.
   * @throws Rejection 404 if it is not a session of the caller
   */
  readonly end: {
    readonly does: string
    readonly one: (unit: UnitOfWork, held: SessionIdentity, id: string) => Promise<unknown>
  }
}

export const ownSessionRoutes = (
  realm: Realm,
  { access, table, account, uses, lists, endOthers, end }: OwnSessionsSpec,
): Route[] => [
  route(`GET ${realm.authPath}/sessions`, {
    does: 'List my sessions.',
    access,
    query: lists.query,
    reply: lists.reply(SessionView),
    handle({ read, vault, caller, query, now }) {
      const { accountId, sessionId } = realm.sessionIdentityOf(caller)
      const rows: Rows = table.queryIn(read)
      const live = rows
        .leftJoin(`telemetry.${uses} as use`, 'use.sessionId', 'id')
        .selectAll(table.name)
        .select('use.lastUsedAt')
        .where(account, '=', accountId)
        .where('expiresAt', '>', now.toISOString())
      return lists.answer(live, query, async (found: readonly Row[]): Promise<SessionItem[]> => {
        const opened = await table.open(vault, found)
        return opened.map(({ id, createdAt, lastUsedAt, ip, userAgent }) => ({
          id,
          createdAt,
          lastUsedAt: lastUsedAt ?? createdAt,
          ip,
          userAgent,
          current: id === sessionId,
        }))
      })
    },
  }),

  route(`DELETE ${realm.authPath}/sessions`, {
    does: 'End all my sessions except this one.',
    access,
    async handle({ run, caller }) {
      await run((unit) => endOthers(unit, realm.sessionIdentityOf(caller)))
    },
  }),

  route(`DELETE ${realm.authPath}/sessions/:id`, {
    does: end.does,
    access,
    params: z.object({ id: uuid }),
    async handle({ run, caller, params }) {
      await run((unit) => end.one(unit, realm.sessionIdentityOf(caller), params.id))
    },
  }),
]
