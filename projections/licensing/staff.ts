import { key, oneOf, readModel, sealedText, text, texts, timestamptz, bool } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { sealedForStaff, staffEvents } from '#licensing/staff/events'

const subject = ({ id }: { id: string }) => sealedForStaff({ staffId: id })

const columns = {
  id: key,
  email: sealedText('email', subject),
  emailKey: text,
  name: sealedText('name', subject),
  roles: texts,
  totpEnabled: bool,
  /** The audit trail still names members of staff after their removal. */
  status: oneOf<'INVITED' | 'ACTIVE' | 'REMOVED'>(),
  createdAt: timestamptz,
}

export type StaffRow = RowOf<typeof columns>

export const staffTable = readModel('staff', 2, columns, ['(email_key)', '(created_at, id)'])
  .from(staffEvents, {
    StaffAdded: (table, { staffId, email, emailKey, name, roles, invited }, { at }) =>
      table.insert({
        id: staffId,
        email,
        emailKey,
        name,
        roles,
        totpEnabled: false,
        status: invited ? 'INVITED' : 'ACTIVE',
        createdAt: at,
      }),
    StaffPasswordReset: (table, { staffId }) => table.update({ id: staffId }, { status: 'ACTIVE' }),
    StaffRenamed: (table, { staffId, name }) => table.update({ id: staffId }, { name }),
    StaffRolesChanged: (table, { staffId, roles }) => table.update({ id: staffId }, { roles }),
    StaffTotpReset: (table, { staffId }) => table.update({ id: staffId }, { totpEnabled: false }),
    StaffRemoved: (table, { staffId }) => table.update({ id: staffId }, { status: 'REMOVED' }),
    StaffTotpEnabled: (table, { staffId }) => table.update({ id: staffId }, { totpEnabled: true }),
    StaffTotpDisabled: (table, { staffId }) => table.update({ id: staffId }, { totpEnabled: false }),
  })
  .forGate()
