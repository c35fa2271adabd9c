import { ownerNoticeTexts, ownerNotices } from '#kernel/auth/owner-notices'
import type { JobContext } from '#kernel/jobs/job-context'
import { reaction } from '#kernel/jobs/reaction'
import { findRow } from '#kernel/projections/lookup'
import { staffTable } from '#projections/licensing/staff'
import { staffLinkUrl } from '../access/staff-links.ts'
import { StaffLoginFailed, StaffSessionEnded } from '../auth/events.ts'
import {
  StaffLinkMade,
  StaffPasswordChanged,
  StaffPasswordReset,
  StaffTotpDisabled,
  StaffTotpEnabled,
  StaffTotpReset,
} from './events.ts'

/** Undefined if the member of staff was removed meanwhile. */
async function staffEmail({ read, vault }: JobContext, staffId: string): Promise<string | undefined> {
  const row = await findRow(read, staffTable, { id: staffId })
  if (!row || row.status === 'REMOVED') return undefined
  const [person] = await staffTable.open(vault, [row])
  return person!.email
}

const mailLink = reaction('mail-staff-link', {
  on: [StaffLinkMade],
  outside: true,
  async run({ data: { staffId, staffLinkId, expiresAt, mailed } }, work) {
    const to = await staffEmail(work, staffId)
    if (!mailed || to === undefined || Date.parse(expiresAt) <= work.now.getTime()) return
    await work.mail({
      to,
      subject: 'Set your password',
      text: [
        `You have been added to the staff of ${work.baseUrl}.`,
        `Set your password within 24 hours:\n\n${await staffLinkUrl(work, staffLinkId)}`,
        'The link works once. If you did not expect it, do nothing: without a password the account cannot be used.',
      ].join('\n\n'),
    })
  },
})

const NOT_YOU = 'If it was not you, change your password at once and tell an administrator.\n'
const { passwordChanged, totpEnabled, totpDisabled, totpReset, loginFailed, sessionEnded } = ownerNoticeTexts(NOT_YOU)

const staffNotices = ownerNotices('staff-notices', {
  on: [
    StaffPasswordReset,
    StaffPasswordChanged,
    StaffTotpEnabled,
    StaffTotpDisabled,
    StaffTotpReset,
    StaffLoginFailed,
    StaffSessionEnded,
  ],
  notices: {
    StaffPasswordReset: [
      'Your password was set',
      `The password of your account was set by a one-time link or on the host. ${NOT_YOU}`,
    ],
    StaffPasswordChanged: passwordChanged,
    StaffTotpEnabled: totpEnabled,
    StaffTotpDisabled: totpDisabled,
    StaffTotpReset: totpReset,
    StaffLoginFailed: loginFailed,
    StaffSessionEnded: sessionEnded,
  },
  to: (work, { staffId }) => staffEmail(work, staffId),
})

export const staffReactions = [mailLink, staffNotices]
