import { z } from 'zod'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { codeAttempt } from '#kernel/auth/verify-credentials'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { AttemptCounter } from '#kernel/credentials/attempt-counter'
import { email } from '#kernel/credentials/email-address'
import { accountShare } from '#kernel/credentials/fair-queue'
import { hashPassword } from '#kernel/credentials/password'
import { newSecret } from '#kernel/credentials/secret-token'
import { inState } from '#kernel/http/in-state'
import { pagination, listReply } from '#kernel/http/pagination'
import { answer, route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { found, reject } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { sql } from '#kernel/projections/read-model'
import { staffTable } from '#projections/licensing/staff'
import { staff as staffOnly } from '../access/access.ts'
import { ROLES } from '../access/permissions.ts'
import type { Role } from '../access/permissions.ts'
import { rejectTakenEmail } from '../access/staff-accounts.ts'
import { staffOf } from '../access/staff-caller.ts'
import { createStaffLink, staffLinkUrl } from '../access/staff-links.ts'
import { staffRealm } from '../access/staff-realm.ts'
import { staffSessions } from '../auth/decider.ts'
import { staffAccounts, staffRoster } from './decider.ts'
import type { StaffMember } from './decider.ts'

const role = z.enum(Object.keys(ROLES) as [Role, ...Role[]])

const Staff = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    roles: z.array(z.string()),
    /** INVITED: has not set a password yet. */
    status: z.enum(['INVITED', 'ACTIVE']),
    totpEnabled: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Staff' })

const name = nameSchema(100)
const roles = z
  .array(role)
  .min(1)
  .max(Object.keys(ROLES).length)
  .transform((some) => [...new Set(some)])

const NewStaff = z.strictObject({ email, name, roles })
const StaffChange = z.strictObject({ name, roles }).partial()

const staffList = pagination({
  filters: {
    status: Staff.shape.status.optional(),
    role: role.optional(),
    q: z.string().min(1).max(320).optional(),
  },
  sort: ['createdAt'],
})

const currentStaff = (read: ReadDatabase) => staffTable.queryIn(read).selectAll().where('status', '<>', 'REMOVED')

const toStaffReply = ({ isInvited, totp, roles, ...person }: StaffMember) => ({
  ...person,
  roles: [...roles],
  status: isInvited ? ('INVITED' as const) : ('ACTIVE' as const),
  totpEnabled: totp !== undefined,
})

const personIn = async (unit: UnitOfWork, id: string): Promise<StaffMember> => found(await unit.load(staffAccounts, id))

/** An invited member does not count as an active SUPERADMIN. */
async function enrol(
  unit: UnitOfWork,
  { id: staffId, isInvited }: StaffMember,
  held: readonly string[],
): Promise<void> {
  if (!isInvited) await unit.decide(staffRoster, undefined, 'Enrol', { staffId, roles: held })
}

export const staffRoutes = [
  route('GET /api/admin/staff', {
    does: 'List the staff. `q` finds an id or a whole e-mail address in any spelling; addresses and names are encrypted.',
    access: staffOnly('staff:view'),
    query: staffList.query,
    reply: listReply(Staff),
    async handle({ read, vault, query }) {
      const { q } = query
      const emailKey = await emailKeyOf(vault, q ?? '')
      const page = await staffList.list(currentStaff(read), query, {
        role: (rows, held) => rows.where(sql<boolean>`${held} = ANY (roles)`),
        q: (rows, text) => rows.where(sql<boolean>`(email_key = ${emailKey} OR id::text = ${text.toLowerCase()})`),
      })
      return { ...page, items: (await staffTable.open(vault, page.items)) as StaffReply[] }
    },
  }),

  route('POST /api/admin/staff', {
    does: 'Add a member of staff. A one-time link to set a password is mailed, or returned once if mail is not configured.',
    access: staffOnly('staff:manage'),
    status: 201,
    body: NewStaff,
    reply: z.object({ staff: Staff, link: z.string().nullable() }),
    shownOnce: ['link'],
    stepUp: true,
    async handle({ run, vault, baseUrl, canMail, body, caller }) {
      const mailed = await canMail()
      const emailKey = await emailKeyOf(vault, body.email)
      const passwordHash = await hashPassword(newSecret('l'), accountShare(staffOf(caller).staffId))
      const { person, staffLinkId } = await run(async (unit) => {
        const staffId = unit.newId()
        await unit.decide(staffAccounts, staffId, 'AddStaff', {
          staffId,
          emailKey,
          passwordHash,
          invited: true,
          ...body,
        })
        const linkId = await createStaffLink(unit, vault, { staffId, mailed })
        return { person: await personIn(unit, staffId), staffLinkId: linkId }
      }).catch(rejectTakenEmail)
      const link = mailed ? null : await staffLinkUrl({ vault, baseUrl }, staffLinkId)
      return answer({ staff: toStaffReply(person), link }, 201, { 'Cache-Control': 'no-store' })
    },
  }),

  route('PATCH /api/admin/staff/:id', {
    does: 'Rename a member of staff or change the roles. Effective on the next request. One active SUPERADMIN must remain.',
    access: staffOnly('staff:manage'),
    body: StaffChange,
    reply: Staff,
    stepUp: true,
    async handle({ run, params: { id }, body }) {
      return run(async (unit) => {
        const person = await personIn(unit, id)
        await unit.decide(staffAccounts, id, 'ChangeStaff', body)
        if (body.roles) await enrol(unit, person, body.roles)
        return toStaffReply(await personIn(unit, id))
      })
    },
  }),

  route('DELETE /api/admin/staff/:id', {
    does: 'Remove a member of staff and end all sessions. The audit trail is kept. The last active SUPERADMIN cannot be removed.',
    access: staffOnly('staff:manage'),
    stepUp: true,
    async handle({ run, params: { id } }) {
      await run(async (unit) => {
        await enrol(unit, await personIn(unit, id), [])
        await unit.decide(staffAccounts, id, 'RemoveStaff', {})
        await unit.decide(staffSessions, id, 'EndAllSessions', { reason: 'REMOVED' })
      })
    },
  }),

  route('POST /api/admin/staff/:id/reset-2fa', {
    does: 'Remove the second factor of a member of staff who has lost it. All sessions of the account end; the password stays.',
    access: staffOnly('staff:manage'),
    from: inState(Staff, { totpEnabled: [true] }),
    reply: Staff,
    stepUp: true,
    async handle({ run, telemetry, params: { id }, caller }) {
      if (staffOf(caller).staffId === id)
        reject('conflict', 'To disable your own second factor, use POST /api/admin/auth/2fa/disable', 'OWN_ACCOUNT')
      const person = await run(async (unit) => {
        await unit.decide(staffAccounts, id, 'ResetTotp', {})
        await unit.decide(staffSessions, id, 'EndAllSessions', { reason: 'TOTP_CHANGED' })
        return personIn(unit, id)
      })
      await new AttemptCounter(telemetry).reset(codeAttempt(staffRealm, person))
      return toStaffReply(person)
    },
  }),
]

type StaffReply = z.input<typeof Staff>
