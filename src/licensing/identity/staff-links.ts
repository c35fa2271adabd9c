/**
 * One-time links by which a member of staff sets a first password. The secret is derived and stored nowhere; it stands behind the
 * link's `#`, so that no server, proxy or log sees it before it is sent on purpose.
 */
import type { Unit } from '#kernel/command'
import type { Call } from '#kernel/http/route'
import { checkNewPassword } from '#kernel/identity/new-password'
import { hashPassword } from '#kernel/identity/password'
import { deriveSecret, hashSecret, isSecret } from '#kernel/identity/secret'
import type { Vault } from '#kernel/vault'
import { staffSessions } from '../auth/decider.ts'
import { byLink, linkInvalid, staff, staffRoster } from '../staff/decider.ts'

export const SET_PASSWORD_PATH = '/api/admin/auth/set-password'
const SECRET_OF = 'staff-link'

const secretOf = async (vault: Vault, staffLinkId: string): Promise<string> =>
  deriveSecret('l', await vault.key(SECRET_OF), staffLinkId)

/** What is mailed, or answered where no mail is sent. */
export const staffLink = async ({ vault, baseUrl }: { vault: Vault; baseUrl: string }, staffLinkId: string) =>
  `${baseUrl}${SET_PASSWORD_PATH}#${await secretOf(vault, staffLinkId)}`

/** @returns the id of a new link, good for 24 hours; older ones are void */
export async function makeLink(unit: Unit, vault: Vault, { staffId, mailed }: { staffId: string; mailed: boolean }) {
  const staffLinkId = unit.newId()
  const linkHash = hashSecret(await secretOf(vault, staffLinkId))
  await unit.decide(staff, staffId, 'MakeLink', { staffLinkId, linkHash, mailed })
  return staffLinkId
}

/** Ends all sessions of the person; the second factor stays. @throws Rejection 400 for the link or the password */
export async function setPasswordByLink(
  { run, now }: Pick<Call, 'run' | 'now'>,
  { token, password }: { token: string; password: string },
): Promise<void> {
  if (!isSecret(token, 'l')) return linkInvalid()
  const linkHash = hashSecret(token)
  const person = await run(async (unit) => unit.load(staff, (await unit.holderOf('staffLink', linkHash)) ?? 'nobody'), {
    type: 'ANONYMOUS',
    id: 'nobody',
  })
  const { id: staffId, totp, email, name } = byLink(person, linkHash, now)
  await checkNewPassword(password, { withTotp: totp !== undefined, forbidden: [email, name] })
  const passwordHash = await hashPassword(password)
  await run(
    async (unit) => {
      await unit.decide(staff, staffId, 'UseLink', { linkHash, passwordHash })
      const { roles } = (await unit.load(staff, staffId))!
      await unit.decide(staffRoster, undefined, 'Enrol', { staffId, roles })
      await unit.decide(staffSessions, staffId, 'EndAllSessions', { reason: 'PASSWORD_RESET' })
    },
    { type: 'STAFF', id: staffId },
  )
}
