/** The routes by which somebody sees his sessions and ends them: the same in every realm, beside `second-factor.ts`. */
import type { SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import type { UnitOfWork } from '../commands/command-runner.ts'
import { route } from '../http/route.ts'
import type { Access, Route } from '../http/route.ts'
import { uuid } from '../lib/uuid.ts'
import type { ReadModel } from '../projections/read-model.ts'
import type { Realm } from './realm.ts'
import type { SessionIdentity } from './session-rules.ts'

const SessionView = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  /** To the minute. */
  lastUsedAt: z.iso.datetime(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
})

type SessionItem = z.output<typeof SessionView>
type Row = Omit<SessionItem, 'lastUsedAt' | 'current'> & { readonly lastUsedAt: string | null }
type Rows = SelectQueryBuilder<any, any, any>

/** How a service lists. */
interface SessionListing {
  readonly query: z.ZodType
  readonly reply: (item: typeof SessionView) => z.ZodType
  /** @param asked the parsed query */
  readonly list: (rows: Rows, asked: any, shown: (rows: readonly Row[]) => Promise<SessionItem[]>) => Promise<unknown>
}

interface OwnSessionsSpec {
  /** A session of the realm, for what is its holder's own. */
  readonly access: Access
  readonly table: ReadModel
  /** Its column that names the account. */
  readonly account: string
  /** When they were last used, under `telemetry`. */
  readonly uses: string
  readonly listing: SessionListing
  readonly endOthers: (unit: UnitOfWork, held: SessionIdentity) => Promise<unknown>
  /** What becomes of the one that asks differs. @throws Rejection 404 for what is none of his */
  readonly end: {
    readonly does: string
    readonly one: (unit: UnitOfWork, held: SessionIdentity, id: string) => Promise<unknown>
  }
}

export const ownSessionRoutes = (
  realm: Realm,
  { access, table, account, uses, listing, endOthers, end }: OwnSessionsSpec,
): Route[] => [
  route(`GET ${realm.authPath}/sessions`, {
    does: 'List my sessions.',
    access,
    query: listing.query,
    reply: listing.reply(SessionView),
    handle({ read, vault, caller, query, now }) {
      const { accountId, sessionId } = realm.sessionIdentityOf(caller)
      const rows: Rows = table.queryIn(read)
      const live = rows
        .leftJoin(`telemetry.${uses} as use`, 'use.sessionId', 'id')
        .selectAll(table.name)
        .select('use.lastUsedAt')
        .where(account, '=', accountId)
        .where('expiresAt', '>', now.toISOString())
      return listing.list(live, query, async (found) => {
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
    does: 'End all my sessions but this one.',
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
