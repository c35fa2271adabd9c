/** Members of a project or a team, as replies show them. */
import { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import type { Columns, ReadModel } from '#kernel/projections/read-model'
import { readRows } from '#kernel/resource/read-row'
import { userTable } from '#projections/panel/users'
import type { UserRow } from '#projections/panel/users'

export const memberFields = {
  id: z.uuid(),
  /** Null until an account has proven the address. */
  userId: z.uuid().nullable(),
  email: z.string().nullable(),
}
export const memberDetails = { name: z.string().nullable(), status: z.enum(['ACTIVE', 'PENDING']) }

/** What an account adds to its membership. An address that no account has proven is PENDING. */
export const withAccount = <Member extends { readonly userId: string | null; readonly email: string | null }>(
  member: Member,
  user: Pick<UserRow, 'email' | 'name'> | undefined,
) => ({
  ...member,
  email: user?.email ?? member.email,
  name: user?.name ?? null,
  status: member.userId === null ? ('PENDING' as const) : ('ACTIVE' as const),
})

/** Opens the rows, and adds the e-mail address and name of each member's account. */
export async function withAccounts<
  C extends Columns,
  Row extends { readonly userId: string | null; readonly email: string | null },
>(call: Pick<HandlerContext, 'read' | 'vault'>, table: Pick<ReadModel<C, Row>, 'open'>, rows: readonly Row[]) {
  const ids = rows.flatMap(({ userId }) => userId ?? [])
  const [members, people] = await Promise.all([table.open(call.vault, rows), readRows(call, userTable, ids)])
  const byId = new Map<string | null, UserRow>(people.map((user) => [user.id, user]))
  return members.map((member) => withAccount(member, byId.get(member.userId)))
}
