import { id, key, nullable, readModel, sealedText, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { staffSessionEvents } from '#licensing/auth/events'
import { sealedForStaff } from '#licensing/staff/events'

const columns = {
  id: key,
  staffId: id,
  userAgent: nullable(sealedText('userAgent', sealedForStaff)),
  /** The address that started or last refreshed the session. */
  ip: nullable(sealedText('ip', sealedForStaff)),
  createdAt: timestamptz,
  expiresAt: timestamptz,
  steppedUpAt: nullable(timestamptz),
}

export type StaffSessionRow = RowOf<typeof columns>

/**
 * Live sessions only. When a session ends, its row is deleted and its access tokens are refused.
 */
export const staffSessionTable = readModel('staffSessions', 1, columns, ['(staff_id, created_at)'])
  .from(staffSessionEvents, {
    StaffSessionStarted: (table, { staffSessionId, staffId, userAgent, expiresAt }, { at, metadata }) =>
      table.insert({
        id: staffSessionId,
        staffId,
        userAgent,
        ip: metadata.ip ?? null,
        createdAt: at,
        expiresAt,
        steppedUpAt: null,
      }),
    StaffSessionRefreshed: (table, { staffSessionId, expiresAt }, { metadata }) =>
      table.update({ id: staffSessionId }, { expiresAt, ip: metadata.ip ?? null }),
    StaffSessionSteppedUp: (table, { staffSessionId }, { at }) =>
      table.update({ id: staffSessionId }, { steppedUpAt: at }),
    StaffSessionEnded: (table, { staffSessionId }) => table.remove({ id: staffSessionId }),
  })
  .forGate()
