import { z } from 'zod'
import { emailKeyOf } from '#kernel/auth/sign-in'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { email } from '#kernel/credentials/email-address'
import { inState } from '#kernel/http/in-state'
import { recordVersion } from '#kernel/http/record-version'
import { answer, bytesReply, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { findRow } from '#kernel/projections/lookup'
import { arrayLists } from '#kernel/resource/array-lists'
import { changeOf } from '#kernel/resource/change-of'
import { listRoute } from '#kernel/resource/list-route'
import type { RowsOf } from '#kernel/resource/list-route'
import { readRow, readRows } from '#kernel/resource/read-row'
import { adminRoleTable } from '#projections/panel/roles'
import { userPreferenceTable, userTable } from '#projections/panel/users'
import type { UserRow } from '#projections/panel/users'
import { platform, session, superadmin } from '../access/access.ts'
import { loadAccount, changeAccount, inviteAccount, rejectTakenEmail, runAsCaller } from '../access/accounts.ts'
import { PLATFORM_ROLES, platformPermissionSet } from '../access/permissions.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { createUserLink, userLinkUrl } from '../access/user-links.ts'
import { adminRoles } from '../roles/resource.ts'
import { eraseAccount } from '../workflows/erase-account.ts'
import { AVATAR_UPLOAD, avatarOf, removeAvatar, setAvatar } from './avatars.ts'
import { ALL_WANTED, userPreferences, ADMIN_USER, users } from './decider.ts'
import type { ActingUser, User } from './decider.ts'
import { ACCOUNT_STATUSES, AVATAR_TYPES, NOTIFICATION_KINDS, userFields, wantedNotifications } from './events.ts'

const User = z
  .object({
    id: z.uuid(),
    ...userFields,
    totpEnabled: z.boolean(),
    /** Changes with every new photo; null without one. */
    avatarId: z.uuid().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'User' })

/** `adminPermissions`: permissions granted in addition to those of the admin role. */
const AdminUser = User.extend({
  adminPermissions: z.array(z.string()),
  adminRole: z.object({ id: z.uuid(), name: z.string() }).nullable(),
}).meta({ id: 'AdminUser' })

const LinkReply = z.object({ link: z.string().nullable() })

const role = z.enum(PLATFORM_ROLES)
const status = z.enum(['ACTIVE', 'SUSPENDED', 'BANNED'])
const name = nameSchema(100).nullable()

const NewUser = z.strictObject({ email, name: name.default(null), role: role.default('USER') })
const NameBody = z.strictObject({ name })
const UserPatch = changeOf({ name, role, status })

const Preferences = z.strictObject({ notifications: wantedNotifications })
const PreferenceChange = z.strictObject({
  notifications: z
    .partialRecord(z.enum(NOTIFICATION_KINDS), z.boolean())
    .refine((wanted) => Object.keys(wanted).length > 0, 'must name at least one kind'),
})

const lists = arrayLists({
  role: role.optional(),
  status: z.enum(ACCOUNT_STATUSES).optional(),
  /** Matches a whole address or id only, because addresses and names are stored as ciphertext. */
  q: z.string().min(1).max(320).optional(),
})

/** Uses the state of the stream, which is current without waiting for read models. */
const toUserReply = ({ totp, avatar, ...user }: User) => ({
  ...user,
  totpEnabled: totp !== undefined,
  avatarId: avatar?.id ?? null,
})

const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The account id that the text is, or that holds the address. */
async function resolveUserId({ run, vault }: Pick<HandlerContext, 'run' | 'vault'>, text: string): Promise<string> {
  const { data: id } = uuid.safeParse(text)
  if (id !== undefined) return id
  const emailKey = await emailKeyOf(vault, text)
  return (await run((unit) => unit.holderOf('userEmail', emailKey))) ?? NOBODY
}

async function matchingUsers(
  all: RowsOf<'users', UserRow>,
  call: HandlerContext<unknown, z.output<typeof lists.query>>,
) {
  const { role, status, q } = call.query
  let rows = all
  if (role !== undefined) rows = rows.where('role', '=', role)
  if (status !== undefined) rows = rows.where('status', '=', status)
  if (q !== undefined) rows = rows.where('id', '=', await resolveUserId(call, q))
  return rows
}

async function withRoles(call: Pick<HandlerContext, 'read' | 'vault'>, users: readonly UserRow[]) {
  const ids = users.flatMap(({ adminRoleId }) => adminRoleId ?? [])
  const roles = await readRows(call, adminRoleTable, ids)
  return users.map((user) => ({
    ...user,
    adminPermissions: user.permissions,
    adminRole: roles.find(({ id }) => id === user.adminRoleId) ?? null,
  }))
}

/** As `toUserReply`, with what administrators see in addition. */
async function toAdminUserReply(unit: UnitOfWork, user: User) {
  const roles = await unit.look(adminRoles)
  return {
    ...toUserReply(user),
    adminPermissions: [...user.permissions],
    adminRole: roles.find(({ id }) => id === user.adminRoleId) ?? null,
  }
}

type UserPatchContext = HandlerContext<{ id: string }, unknown, z.output<typeof UserPatch>>

/** Runs a decision of the caller on the account of the path, and answers with the account as decided. */
const decideOnUser = (
  call: HandlerContext<{ id: string }>,
  decide: (unit: UnitOfWork, by: ActingUser) => Promise<unknown>,
) =>
  runAsCaller(call, async (unit, by) => {
    await decide(unit, by)
    return toAdminUserReply(unit, await loadAccount(unit, call.params.id))
  })

const changeUserAsAdmin = (call: UserPatchContext) =>
  decideOnUser(call, (unit, by) => changeAccount(unit, by, call.params.id, call.body))

/** Of what administrators change. Sign-ins and credentials are no other version. */
const account = User.pick({ name: true, role: true, status: true })
const accountVersion = recordVersion(account, (unit, { params }) => unit.look(users, params['id']))
const ownAccountVersion = recordVersion(account, (unit, { caller }) => unit.look(users, userCallerOf(caller).userId))
const adminVersion = recordVersion(
  account.extend({ adminPermissions: z.array(z.string()), adminRole: z.object({ id: z.uuid() }).nullable() }),
  async (unit, { params }) => {
    const user = await unit.look(users, params['id'])
    return user && toAdminUserReply(unit, user)
  },
)

export const userRoutes = [
  listRoute('GET /api/users', userTable, lists, {
    does: 'List accounts. `q` finds an account by its full e-mail address or its id.',
    access: platform('users:view'),
    item: User,
    only: matchingUsers,
  }),

  route('GET /api/users/me', {
    does: 'Get the caller’s own account.',
    access: session,
    version: ownAccountVersion,
    reply: User,
    handle: (call) => readRow(call, userTable, { id: userCallerOf(call.caller).userId }),
  }),

  route('PATCH /api/users/me', {
    does: 'Change the caller’s own name.',
    access: session,
    version: ownAccountVersion,
    body: NameBody,
    reply: User,
    handle: ({ run, caller, body }) =>
      run(async (unit) => {
        const { userId } = userCallerOf(caller)
        await unit.decide(users, userId, 'Rename', body)
        return toUserReply(await loadAccount(unit, userId))
      }),
  }),

  route('GET /api/users/me/notification-preferences', {
    does: 'Get the caller’s notification preferences. By default, all kinds are on.',
    access: session,
    reply: Preferences,
    async handle({ read, caller }) {
      const { userId } = userCallerOf(caller)
      const row = await findRow(read, userPreferenceTable, { userId })
      return { notifications: row?.notifications ?? ALL_WANTED }
    },
  }),

  route('PUT /api/users/me/notification-preferences', {
    does: 'Set for kinds of notifications whether the caller wants them. A kind that is not named stays as it is.',
    access: session,
    body: PreferenceChange,
    reply: Preferences,
    handle: ({ run, caller, body }) =>
      run(async (unit) => {
        const { userId } = userCallerOf(caller)
        await unit.decide(userPreferences, userId, 'SetPreferences', { userId, ...body })
        return { notifications: await unit.load(userPreferences, userId) }
      }),
  }),

  route('GET /api/users/:id', {
    does: 'Get an account.',
    access: platform('users:view'),
    version: accountVersion,
    reply: User,
    handle: (call) => readRow(call, userTable, call.params),
  }),

  route('PATCH /api/users/:id', {
    does: 'Change the name, role or status of an account. A new role or status ends its sessions.',
    access: platform('users:manage'),
    version: accountVersion,
    body: UserPatch,
    reply: User,
    handle: (call) =>
      runAsCaller(call, async (unit, by) => toUserReply(await changeAccount(unit, by, call.params.id, call.body))),
  }),

  route('DELETE /api/users/:id', {
    does: 'Erase an account for good: its data becomes unreadable, its address is free again, its sessions end.',
    access: platform('users:manage'),
    handle: (call) => eraseAccount(call, call.params.id),
  }),

  route('GET /api/users/:id/avatar', {
    does: 'Get the photo of an account.',
    access: session,
    reply: bytesReply(...AVATAR_TYPES),
    handle: (call) => avatarOf(call, call.params.id),
  }),

  listRoute('GET /api/admin/users', userTable, lists, {
    does: 'List accounts with their admin permissions. `q` finds an account by its full e-mail address or its id.',
    access: platform('users:view'),
    item: AdminUser,
    only: matchingUsers,
    shown: async (rows, call) => withRoles(call, await userTable.open(call.vault, rows)),
  }),

  route('POST /api/admin/users', {
    does: 'Create an account and a link (24 hours) to set its password. Without mail, the link is returned once.',
    access: platform('users:manage'),
    isLimited: true,
    status: 201,
    body: NewUser,
    reply: LinkReply.extend({ user: AdminUser }),
    shownOnce: ['link'],
    async handle(call) {
      const { vault, body } = call
      const mailed = await call.canMail()
      const emailKey = await emailKeyOf(vault, body.email)
      const { user, userLinkId } = await runAsCaller(call, async (unit, by) => {
        const [userId, userLinkId] = [unit.newId(), unit.newId()]
        await inviteAccount(unit, by, { userId, emailKey, ...body })
        await createUserLink(unit, vault, { userId, userLinkId, purpose: 'INVITE', mailed, by })
        return { user: await toAdminUserReply(unit, await loadAccount(unit, userId)), userLinkId }
      }).catch(rejectTakenEmail)
      const link = mailed ? null : await userLinkUrl(call, { userLinkId, purpose: 'INVITE' })
      return answer({ user, link }, 201)
    },
  }),

  route('GET /api/admin/users/:id', {
    does: 'Get an account with its admin permissions.',
    access: platform('users:view'),
    version: adminVersion,
    reply: AdminUser,
    async handle(call) {
      const [user] = await withRoles(call, [await readRow(call, userTable, call.params)])
      return user!
    },
  }),

  route('DELETE /api/admin/users/:id', {
    does: 'Erase an account for good, like DELETE /api/users/{id}.',
    access: platform('users:manage'),
    handle: (call) => eraseAccount(call, call.params.id),
  }),

  route('PATCH /api/admin/users/:id/profile', {
    does: 'Rename an account. Only a SUPERADMIN can rename an ADMIN or a SUPERADMIN.',
    access: platform('users:manage'),
    version: adminVersion,
    body: NameBody,
    reply: AdminUser,
    handle: changeUserAsAdmin,
  }),

  route('PATCH /api/admin/users/:id/role', {
    does: 'Change the role of another account. Its sessions end, and permissions that it had as ADMIN are removed.',
    access: platform('users:manage'),
    version: adminVersion,
    body: z.strictObject({ role }),
    reply: AdminUser,
    handle: changeUserAsAdmin,
  }),

  route('PATCH /api/admin/users/:id/status', {
    does: 'Suspend, ban or reactivate another account, and end its sessions. One active SUPERADMIN must remain.',
    access: platform('users:manage'),
    version: adminVersion,
    body: z.strictObject({ status }),
    reply: AdminUser,
    handle: changeUserAsAdmin,
  }),

  route('PATCH /api/admin/users/:id/admin-permissions', {
    does: 'Set the permissions of an ADMIN in addition to those of the admin role, from the next request on.',
    access: superadmin,
    version: adminVersion,
    from: inState(AdminUser, ADMIN_USER),
    body: z.strictObject({ permissions: platformPermissionSet }),
    reply: AdminUser,
    handle: (call) =>
      decideOnUser(call, (unit, by) => unit.decide(users, call.params.id, 'GrantPermissions', { by, ...call.body })),
  }),

  route('PATCH /api/admin/users/:id/admin-role', {
    does: 'Give an ADMIN an admin role instead of an earlier one, or remove it with null.',
    access: superadmin,
    version: adminVersion,
    from: inState(AdminUser, ADMIN_USER),
    body: z.strictObject({ adminRoleId: uuid.nullable() }),
    reply: AdminUser,
    handle: (call) =>
      decideOnUser(call, async (unit, by) => {
        const { adminRoleId } = call.body
        await unit.decide(users, call.params.id, 'GiveAdminRole', { by, adminRoleId })
        const isKnown = (await unit.look(adminRoles)).some(({ id }) => id === adminRoleId)
        if (adminRoleId !== null && !isKnown) reject('invalid', 'No admin role has this adminRoleId', 'ROLE_UNKNOWN')
      }),
  }),

  route('POST /api/admin/users/:id/avatar', {
    does: 'Set the photo of an account: a PNG, JPEG or WebP file of at most 1 MiB.',
    access: platform('users:manage'),
    upload: AVATAR_UPLOAD,
    reply: User,
    handle: async (call) => toUserReply(await setAvatar(call, call.params.id)),
  }),

  route('DELETE /api/admin/users/:id/avatar', {
    does: 'Remove the photo of an account.',
    access: platform('users:manage'),
    handle: (call) => removeAvatar(call, call.params.id),
  }),

  route('POST /api/admin/users/:id/reset-password', {
    does: 'Create a one-time link to set a new password. It is mailed, or returned once if mail is not configured.',
    access: platform('users:manage'),
    status: 202,
    reply: LinkReply,
    shownOnce: ['link'],
    async handle(call) {
      const { vault, params } = call
      const mailed = await call.canMail()
      const made = await runAsCaller(call, async (unit, by) => {
        const { passwordHash } = await loadAccount(unit, params.id)
        const purpose = passwordHash === undefined ? ('INVITE' as const) : ('RESET' as const)
        const link = { userLinkId: unit.newId(), purpose }
        await createUserLink(unit, vault, { userId: params.id, ...link, mailed, by })
        return link
      })
      return answer({ link: mailed ? null : await userLinkUrl(call, made) }, 202)
    },
  }),
]
