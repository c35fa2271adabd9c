/**
 * One-time links that let a member of staff set a first password. The secret is derived and never
 * stored. It is in the link's fragment, so that no server, proxy or log sees it.
 */
import { setPasswordByLink } from '#kernel/auth/password-by-link'
import { ANONYMOUS_ACTOR } from '#kernel/auth/realm'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { deriveSecret, hashSecret, isSecret } from '#kernel/credentials/secret-token'
import type { HandlerContext } from '#kernel/http/route'
import type { Vault } from '#kernel/vault/vault'
import { staffSessions } from '../auth/decider.ts'
import { staffByLink, staffAccounts, staffRoster } from '../staff/decider.ts'
import type { StaffMember } from '../staff/decider.ts'
import { staffRealm } from './staff-realm.ts'

/** The page of the back office. */
const SET_PASSWORD_PAGE = '/console/set-password'
const SECRET_OF = 'staff-link'

const secretOf = async (vault: Vault, staffLinkId: string): Promise<string> =>
  deriveSecret('l', await vault.key(SECRET_OF), staffLinkId)

/** The link to mail, or to return in the reply if mail is not configured. */
export const staffLinkUrl = async ({ vault, baseUrl }: { vault: Vault; baseUrl: string }, staffLinkId: string) =>
  `${baseUrl}${SET_PASSWORD_PAGE}#token=${await secretOf(vault, staffLinkId)}`

/** @returns the id of a new link, valid for 24 hours; older links become invalid */
export async function createStaffLink(
  unit: UnitOfWork,
  vault: Vault,
  { staffId, mailed }: { staffId: string; mailed: boolean },
) {
  const staffLinkId = unit.newId()
  const linkHash = hashSecret(await secretOf(vault, staffLinkId))
  await unit.decide(staffAccounts, staffId, 'MakeLink', { staffLinkId, linkHash, mailed })
  return staffLinkId
}

/**
 * Ends all sessions of the account; the second factor stays.
 * @throws Rejection 400 for the link or the password | 429
 */
export const setStaffPasswordByLink = (
  call: Pick<HandlerContext, 'run' | 'now' | 'telemetry' | 'ip' | 'vault'>,
  { token, password }: { token: string; password: string },
): Promise<void> =>
  setPasswordByLink(staffRealm, call, {
    token,
    password,
    async find(linkHash) {
      const { run, now } = call
      const holder = isSecret(token, 'l') ? await run((unit) => ownerOf(unit, linkHash), ANONYMOUS_ACTOR) : undefined
      return staffByLink(holder, linkHash, now)
    },
    async decide(unit, { id: staffId }, { linkHash, passwordHash }) {
      await unit.decide(staffAccounts, staffId, 'UseLink', { linkHash, passwordHash })
      const { roles } = (await unit.load(staffAccounts, staffId))!
      await unit.decide(staffRoster, undefined, 'Enrol', { staffId, roles })
      await unit.decide(staffSessions, staffId, 'EndAllSessions', { reason: 'PASSWORD_RESET' })
    },
  })

const ownerOf = async (unit: UnitOfWork, linkHash: string): Promise<StaffMember | undefined> =>
  unit.load(staffAccounts, (await unit.holderOf('staffLink', linkHash)) ?? 'nobody')
