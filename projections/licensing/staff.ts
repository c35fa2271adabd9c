import { key, readModel, sealedText, text, texts, time, truth } from '#kernel/read-model'
import type { RowOf } from '#kernel/read-model'
import { sealedForStaff, staffEvents } from '#licensing/staff/events'

const subject = ({ id }: { id: string }) => sealedForStaff({ staffId: id })

const columns = {
  id: key,
  email: sealedText('email', subject),
  emailKey: text,
  name: sealedText('name', subject),
  roles: texts,
  totpEnabled: truth,
  createdAt: time,
}

export type StaffRow = RowOf<typeof columns>

export const staffTable = readModel('staff', 1, columns, ['(email_key)'])
  .from(staffEvents, {
    StaffAdded: (table, { staffId, email, emailKey, name, roles }, { at }) =>
      table.insert({ id: staffId, email, emailKey, name, roles, totpEnabled: false, createdAt: at }),
    StaffTotpEnabled: (table, { staffId }) => table.update({ id: staffId }, { totpEnabled: true }),
    StaffTotpDisabled: (table, { staffId }) => table.update({ id: staffId }, { totpEnabled: false }),
  })
  .forGate()
