import { key, nullable, oneOf, readModel, sealedText, text, time, truth } from '#kernel/read-model'
import type { RowOf } from '#kernel/read-model'
import { sealedForUser, userEvents } from '#panel/users/events'
import type { AccountStatus } from '#panel/users/events'

const subject = ({ id }: { id: string }) => sealedForUser({ userId: id })

const columns = {
  id: key,
  email: sealedText('email', subject),
  emailKey: text,
  name: nullable(sealedText('name', subject)),
  role: oneOf<'SUPERADMIN' | 'ADMIN' | 'USER'>(),
  status: oneOf<AccountStatus>(),
  totpEnabled: truth,
  createdAt: time,
}

export type UserRow = RowOf<typeof columns>

export const userTable = readModel('users', 1, columns, ['(email_key)', '(created_at, id)'])
  .from(userEvents, {
    UserAdded: (table, { userId, email, emailKey, name, role, status }, { at }) =>
      table.insert({ id: userId, email, emailKey, name, role, status, totpEnabled: false, createdAt: at }),
    UserRenamed: (table, { userId, name }) => table.update({ id: userId }, { name }),
    UserRoleChanged: (table, { userId, role }) => table.update({ id: userId }, { role }),
    UserStatusChanged: (table, { userId, status }) => table.update({ id: userId }, { status }),
    UserTotpEnabled: (table, { userId }) => table.update({ id: userId }, { totpEnabled: true }),
    UserTotpDisabled: (table, { userId }) => table.update({ id: userId }, { totpEnabled: false }),
    UserTotpReset: (table, { userId }) => table.update({ id: userId }, { totpEnabled: false }),
    UserErased: (table, { userId }) => table.remove({ id: userId }),
  })
  .forGate()
