/** The routes by which somebody sees his sessions and ends them: the same in every realm, beside `second-factor.ts`. */
import type { SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import type { Unit } from '../commands/command-runner.ts'
import { route } from '../http/route.ts'
import type { Access, Route } from '../http/route.ts'
import { uuid } from '../lib/uuid.ts'
import type { ReadModel } from '../projections/read-model.ts'
import type { Realm } from './realm.ts'
import type { Held } from './session-rules.ts'

const Session = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  /** To the minute. */
  lastUsedAt: z.iso.datetime(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
})

type Item = z.output<typeof Session>
type Row = Omit<Item, 'lastUsedAt' | 'current'> & { readonly lastUsedAt: string | null }
type Rows = SelectQueryBuilder<any, any, any>

/** How a service lists. */
interface Listing {
  readonly query: z.ZodType
  readonly reply: (item: typeof Session) => z.ZodType
  /** @param asked the parsed query */
  readonly list: (rows: Rows, asked: any, shown: (rows: readonly Row[]) => Promise<Item[]>) => Promise<unknown>
}

interface OwnSessions {
  /** A session of the realm, for what is its holder's own. */
  readonly access: Access
  readonly table: ReadModel
  /** Its column that names the account. */
  readonly account: string
  /** When they were last used, under `telemetry`. */
  readonly uses: string
  readonly listing: Listing
  readonly endOthers: (unit: Unit, held: Held) => Promise<unknown>
  /** What becomes of the one that asks differs. @throws Rejection 404 for what is none of his */
  readonly end: { readonly does: string; readonly one: (unit: Unit, held: Held, id: string) => Promise<unknown> }
}

export const ownSessionRoutes = (
  realm: Realm,
  { access, table, account, uses, listing, endOthers, end }: OwnSessions,
): Route[] => [
  route(`GET ${realm.authPath}/sessions`, {
    does: 'List my sessions.',
    access,
    query: listing.query,
    reply: listing.reply(Session),
    handle({ read, vault, caller, query, now }) {
      const { accountId, sessionId } = realm.held(caller)
      const rows: Rows = table.in(read)
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
      await run((unit) => endOthers(unit, realm.held(caller)))
    },
  }),

  route(`DELETE ${realm.authPath}/sessions/:id`, {
    does: end.does,
    access,
    params: z.object({ id: uuid }),
    async handle({ run, caller, params }) {
      await run((unit) => end.one(unit, realm.held(caller), params.id))
    },
  }),
]
