/** Mails to the staff who can act, and to the customer concerned. */
import type { JobContext } from '#kernel/jobs/job-context'
import type { Mail } from '#kernel/mail/mail'
import { staffTable } from '#projections/licensing/staff'
import type { Permission } from '../access/permissions.ts'
import { permissionsOfKnownRoles } from '../access/staff-caller.ts'
import { customers } from '../customers/decider.ts'

/** One mail to each member of staff with `permission`; none if mail is not configured. */
export async function mailStaff(work: JobContext, permission: Permission, mail: Omit<Mail, 'to'>): Promise<void> {
  if (!(await work.canMail())) return
  const active = staffTable.queryIn(work.read).selectAll().where('status', '=', 'ACTIVE')
  for (const { id, email, roles } of await staffTable.open(work.vault, await active.execute()))
    if (permissionsOfKnownRoles(roles).includes(permission)) await work.mail({ ...mail, to: email }, id)
}

/** Undefined for an erased customer. */
export async function customerEmail(work: JobContext, customerId: string): Promise<string | undefined> {
  const customer = await work.run((unit) => unit.look(customers, customerId))
  return customer && customer.status !== 'ERASED' ? customer.email : undefined
}
