/**
 * The routes to list and end the caller's own sessions: the same in every realm, beside
 * `second-factor-routes.ts`.
 */
import { z } from 'zod'
import type { UnitOfWork } from '../commands/command-runner.ts'
import { route } from '../http/route.ts'
import type { Access, Route } from '../http/route.ts'
import { uuid } from '../lib/uuid.ts'
import { otherTable, sql } from '../projections/read-model.ts'
import type { Columns, ReadModel, Table } from '../projections/read-model.ts'
import type { ListContract } from '../resource/list-route.ts'
import type { Realm } from './realm.ts'
import type { SessionIdentity } from './session-rules.ts'

const SessionView = z
  .object({
    id: z.uuid(),
    createdAt: z.iso.datetime(),
    /** To the minute. */
    lastUsedAt: z.iso.datetime(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    /** Whether it is the session of this request. */
    current: z.boolean(),
  })
  .meta({ id: 'Session' })

type SessionItem = z.output<typeof SessionView>
type SessionRow = Omit<SessionItem, 'lastUsedAt' | 'current'> & { readonly expiresAt: string }

interface SessionUse {
  readonly sessionId: string
  readonly lastUsedAt: string
}

interface OwnSessionsSpec<Account extends string, Query extends z.ZodType> {
  /** Sessions of the realm, for the caller's own account. */
  readonly access: Access
  readonly table: Pick<ReadModel<Columns, SessionRow & Readonly<Record<Account, string>>>, 'as' | 'open'>
  /** The column that contains the account's id. */
  readonly account: Account
  /** The table in `telemetry` with their last uses. */
  readonly uses: string
  /** How the service lists. */
  readonly lists: ListContract<Query>
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

export const ownSessionRoutes = <const Account extends string, Query extends z.ZodType>(
  realm: Realm,
  { access, table, account, uses, lists, endOthers, end }: OwnSessionsSpec<Account, Query>,
): Route[] => [
  route(`GET ${realm.authPath}/sessions`, {
    does: 'List my sessions.',
    access,
    query: lists.query,
    reply: lists.reply(SessionView),
    handle({ read, vault, caller, query, now }) {
      const sessions: Table<SessionRow> = table
      const { accountId, sessionId } = realm.sessionIdentityOf(caller)
      const live = read
        .selectFrom(sessions.as('session'))
        .leftJoin(otherTable<SessionUse>(`telemetry.${uses}`).as('use'), 'use.sessionId', 'session.id')
        .selectAll('session')
        .select('use.lastUsedAt')
        .where(sql.ref(account), '=', accountId)
        .where('expiresAt', '>', now.toISOString())
      return lists.answer(live, query as z.output<Query>, async (found) => {
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
