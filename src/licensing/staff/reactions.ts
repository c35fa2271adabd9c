import { reaction } from '#kernel/work/reaction'
import { staffTable } from '#projections/licensing/staff'
import { staffLink } from '../identity/staff-links.ts'
import { StaffLinkMade } from './events.ts'

const mailLink = reaction('mail-staff-link', {
  on: [StaffLinkMade],
  outside: true,
  async run({ data: { staffId, staffLinkId, expiresAt, mailed } }, work) {
    const row = await staffTable.in(work.read).selectAll().where('id', '=', staffId).executeTakeFirst()
    if (!mailed || !row || row.status === 'REMOVED' || Date.parse(expiresAt) <= work.now.getTime()) return
    const [person] = await staffTable.open(work.vault, [row])
    await work.mail({
      to: person!.email,
      subject: 'Set your password',
      text: [
        `You have been added to the staff of ${work.baseUrl}.`,
        `Set your password within 24 hours:\n\n${await staffLink(work, staffLinkId)}`,
        'The link works once. If you did not expect it, do nothing: without a password nobody can sign in.',
      ].join('\n\n'),
    })
  },
})

export const staffReactions = [mailLink]
