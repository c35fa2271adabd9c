import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  id,
  json,
  key,
  nullable,
  oneOf,
  readModel,
  sql,
  texts,
  timestamptz,
  bool,
} from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { erasedSubjects, sealedForUser, userEvents, userFields, userPreferenceEvents } from '#panel/users/events'
import type { AvatarType, NotificationKind } from '#panel/users/events'
import { apiKeyTable, sealOfKeyAddress } from './api-keys.ts'

const columns = {
  id: key,
  ...columnsOf(userFields, ({ id }: { id: string }) => sealedForUser({ userId: id })),
  totpEnabled: bool,
  /** Only an ADMIN has entries. */
  permissions: texts,
  adminRoleId: nullable(id),
  avatarId: nullable(id),
  avatarType: nullable(oneOf<AvatarType>()),
  createdAt: timestamptz,
}

export type UserRow = RowOf<typeof columns>

export const userTable = readModel('users', 2, columns, ['(created_at, id)'])
  .from(userEvents, {
    UserAdded: (table, { userId, email, name, role, status }, { at }) =>
      table.insert({
        id: userId,
        email,
        name,
        role,
        status,
        totpEnabled: false,
        permissions: [],
        adminRoleId: null,
        avatarId: null,
        avatarType: null,
        createdAt: at,
      }),
    UserRenamed: (table, { userId, name }) => table.update({ id: userId }, { name }),
    UserRoleChanged: (table, { userId, role }) =>
      table.update({ id: userId }, role === 'ADMIN' ? { role } : { role, permissions: [], adminRoleId: null }),
    UserPermissionsChanged: (table, { userId, permissions }) => table.update({ id: userId }, { permissions }),
    UserAdminRoleChanged: (table, { userId, adminRoleId }) => table.update({ id: userId }, { adminRoleId }),
    UserAvatarSet: (table, { userId, avatarId, type }) => table.update({ id: userId }, { avatarId, avatarType: type }),
    UserAvatarRemoved: (table, { userId }) => table.update({ id: userId }, { avatarId: null, avatarType: null }),
    UserStatusChanged: (table, { userId, status }) => table.update({ id: userId }, { status }),
    UserTotpEnabled: (table, { userId }) => table.update({ id: userId }, { totpEnabled: true }),
    UserTotpDisabled: (table, { userId }) => table.update({ id: userId }, { totpEnabled: false }),
    UserTotpReset: (table, { userId }) => table.update({ id: userId }, { totpEnabled: false }),
    UserErased: (table, { userId }) => table.remove({ id: userId }),
  })
  .forGate()

/** Erased accounts, so that another process destroys their keys if the erasing process died before it did. */
export const erasedUserTable = readModel('erasedUsers', 1, { id: key }).from(userEvents, {
  UserErased: (table, { userId }) => table.insert({ id: userId }),
})

const KEYS_AT_ONCE = 100

/** Vault subjects of erased accounts whose keys are not destroyed yet; one batch per call. */
export async function undestroyedSubjects(read: ReadDatabase): Promise<string[]> {
  const erased = erasedUserTable.queryIn(read).select('id')
  const rows = await erased
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM vault.data_key WHERE subject = 'user/' || erased_users.id AND wrapped IS NULL)`,
    )
    .limit(KEYS_AT_ONCE)
    .execute()
  return rows.length > 0 ? rows.flatMap(({ id }) => erasedSubjects(id)) : undestroyedKeyAddresses(read)
}

/** Vault subjects of the last-use addresses of an account's API keys: the actor of such a use is the key. */
export async function apiKeySubjects(read: ReadDatabase, ownerId: string): Promise<string[]> {
  const rows = await apiKeyTable.queryIn(read).select('id').where('ownerId', '=', ownerId).execute()
  return rows.map(({ id }) => sealOfKeyAddress(id).subject)
}

async function undestroyedKeyAddresses(read: ReadDatabase): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT api_keys.id FROM read.erased_users
    JOIN read.api_keys ON api_keys.owner_id = erased_users.id
    WHERE NOT EXISTS (SELECT FROM vault.data_key WHERE subject = 'api_key/' || api_keys.id AND wrapped IS NULL)
    LIMIT ${KEYS_AT_ONCE}`.execute(read)
  return rows.map(({ id }) => sealOfKeyAddress(id).subject)
}

/** Accounts that have set their notification preferences. */
export const userPreferenceTable = readModel('userPreferences', 3, {
  userId: key,
  notifications: json<Record<NotificationKind, boolean>>(),
})
  .from(userPreferenceEvents, {
    UserPreferencesSet: (table, { userId, notifications }) => {
      table.remove({ userId })
      return table.insert({ userId, notifications })
    },
  })
  .from(userEvents, { UserErased: (table, { userId }) => table.remove({ userId }) })

/** True unless the account has switched this kind of notification off. */
export async function isNotificationWanted(
  read: ReadDatabase,
  { userId, kind }: { readonly userId: string; readonly kind: NotificationKind },
): Promise<boolean> {
  const row = await findRow(read, userPreferenceTable, { userId })
  return row?.notifications[kind] !== false
}
