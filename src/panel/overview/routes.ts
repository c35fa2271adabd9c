import { z } from 'zod'
import { route } from '#kernel/http/route'
import { countRows } from '#kernel/projections/count-rows'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { wideRead } from '#kernel/projections/wide-reads'
import { keysAt } from '#projections/panel/api-keys'
import { userSessionTable } from '#projections/panel/auth'
import { projectTable } from '#projections/panel/projects'
import { userTable } from '#projections/panel/users'
import { platform } from '../access/access.ts'
import { ACCOUNT_STATUSES, userFields } from '../users/events.ts'
import type { AccountStatus } from '../users/events.ts'

const SIGNUPS_SHOWN = 10

const Overview = z
  .object({
    users: z.object({ total: z.int(), byStatus: z.record(z.enum(ACCOUNT_STATUSES), z.int()) }),
    /** `unowned`: projects without an owner. */
    projects: z.object({ total: z.int(), unowned: z.int() }),
    apiKeys: z.object({ active: z.int() }),
    sessions: z.object({ active: z.int() }),
    /** The newest accounts. `email` and `name` are null if the caller lacks users:view. */
    recentSignups: z.array(
      z.object({
        id: z.uuid(),
        email: z.string().nullable(),
        name: z.string().nullable(),
        role: userFields.role,
        status: userFields.status,
        createdAt: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: 'Overview' })

async function usersByStatus(read: ReadDatabase): Promise<Record<AccountStatus, number>> {
  const rows = await userTable
    .queryIn(read)
    .select(['status', (is) => is.fn.countAll<number>().as('number')])
    .groupBy('status')
    .execute()
  const known = new Map(rows.map(({ status, number }) => [status, number]))
  return Object.fromEntries(ACCOUNT_STATUSES.map((status) => [status, known.get(status) ?? 0])) as Record<
    AccountStatus,
    number
  >
}

const newest = (read: ReadDatabase) =>
  userTable.queryIn(read).selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(SIGNUPS_SHOWN).execute()

export const overviewRoutes = [
  route('GET /api/admin/overview', {
    does: 'Count accounts, projects, active API keys and sessions, and list new accounts. Names need users:view.',
    access: platform('system:view'),
    reply: Overview,
    async handle({ read, vault, caller, now }) {
      const live = userSessionTable.queryIn(read).where('expiresAt', '>', now.toISOString())
      const active = keysAt(read, now).where('revokedAt', 'is', null)
      const [byStatus, projects, unowned, activeKeys, liveSessions] = await wideRead(() =>
        Promise.all([
          usersByStatus(read),
          countRows(projectTable.queryIn(read)),
          countRows(projectTable.queryIn(read).where('ownerId', 'is', null)),
          countRows(
            active.where((is) => is.or([is('expiresAt', 'is', null), is('expiresAt', '>', now.toISOString())])),
          ),
          countRows(live),
        ]),
      )
      const signups = await newest(read)
      const isShown = caller.can('users:view')
      const opened = isShown ? await userTable.open(vault, signups) : signups
      return {
        users: { total: Object.values(byStatus).reduce((sum, each) => sum + each, 0), byStatus },
        projects: { total: projects, unowned },
        apiKeys: { active: activeKeys },
        sessions: { active: liveSessions },
        recentSignups: opened.map(({ id, email, name, role, status, createdAt }) => ({
          id,
          email: isShown ? email : null,
          name: isShown ? name : null,
          role,
          status,
          createdAt,
        })),
      }
    },
  }),
]
