/** Creates accounts. The first needs the setup token; later ones need open registration and a mailed link. */
import { z } from 'zod'
import {
  forgetIdleAttempts,
  isWithinLimit,
  enforceLimitByBlock,
  LINK_REQUESTS,
  NOTICE_MAILS,
} from '#kernel/auth/caller-limits'
import { forbiddenWordsOf } from '#kernel/auth/manage-credentials'
import { actorOf, ANONYMOUS_ACTOR, anonymousActorFor } from '#kernel/auth/realm'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { addressOrigin } from '#kernel/auth/verify-credentials'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { retryConstraintViolations } from '#kernel/commands/constraint-retries'
import { ANSWER_MS } from '#kernel/credentials/answer-time'
import { AttemptCounter } from '#kernel/credentials/attempt-counter'
import { withConstantTime } from '#kernel/credentials/constant-time'
import { email as address } from '#kernel/credentials/email-address'
import { addressShare, HOST_SHARE } from '#kernel/credentials/fair-queue'
import type { QueueShare } from '#kernel/credentials/fair-queue'
import { hashPassword } from '#kernel/credentials/password'
import { checkNewPassword, firstPasswordInput } from '#kernel/credentials/password-policy'
import type { DataOf } from '#kernel/events/event'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import { answer } from '#kernel/http/route'
import type { Answer, HandlerContext } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { reject } from '#kernel/lib/rejection'
import { uuidv7 } from '#kernel/lib/uuid'
import { userLoginEvents } from '../auth/events.ts'
import { limitsOf } from '../license/limits.ts'
import { isRosterEmpty, canUseLinks, userRoster, users } from '../users/decider.ts'
import type { userEvents } from '../users/events.ts'
import { isRegistrationOpen } from './registration-setting.ts'
import { isSetupToken } from './setup-token.ts'
import { requestUserLink, recordLinkRequest } from './user-links.ts'
import { userRealm } from './user-realm.ts'

export const accountName = nameSchema(100)

export const Registration = z.strictObject({
  email: address,
  password: firstPasswordInput,
  name: accountName.optional(),
  setupToken: z.string().max(100).optional(),
})

export const MessageReply = z.object({ message: z.string() })

type RegistrationContext = HandlerContext<unknown, unknown, z.output<typeof Registration>>

type Registrant = Omit<DataOf<typeof userEvents.UserAdded>, 'role' | 'status'>

/** @throws Rejection 402 | 403 | 409 SETUP_DONE | 503 MAIL_NOT_CONFIGURED */
export async function register(call: RegistrationContext): Promise<Answer<z.output<typeof MessageReply>>> {
  const { email, name, password, setupToken } = call.body
  if (setupToken === undefined) await requireOpenRegistration(call)
  else await requireSetupToken(call, setupToken)
  await checkNewPassword(password, { withTotp: false, forbidden: forbiddenWordsOf({ email, name: name ?? null }) })
  if (setupToken !== undefined) {
    await createFirstAccount(call, await registrantOf(call, HOST_SHARE))
    return answer({ message: 'The first account was created. Sign in to continue.' }, 201)
  }
  await withConstantTime(ANSWER_MS, async () => {
    const person = await registrantOf(call, addressShare(call.ip))
    const isMuted = !(await isWithinLimit(call, NOTICE_MAILS, person.emailKey))
    await forgetIdleAttempts(call, NOTICE_MAILS, LINK_REQUESTS)
    await registerAccount(call, person, isMuted)
  })
  return answer({ message: 'A mail is on its way. Open its link to continue.' }, 202)
}

async function registrantOf(
  { body: { email, name, password }, vault }: RegistrationContext,
  place: QueueShare,
): Promise<Registrant> {
  const passwordHash = await hashPassword(password, place)
  return { userId: uuidv7(), email, emailKey: await emailKeyOf(vault, email), name: name ?? null, passwordHash }
}

async function requireSetupToken(call: RegistrationContext, setupToken: string): Promise<void> {
  const attempts = new AttemptCounter(call.telemetry)
  const { attempts: tries } = await addressOrigin(call)
  const { allowed } = await attempts.reserveAll(...tries)
  // The token has 238 bits and cannot be guessed, so it is accepted even from a limited address.
  if (!(await isSetupToken(call.vault, setupToken)))
    reject('forbidden', 'The setup token is not valid for this installation', 'SETUP_TOKEN_INVALID')
  if (allowed) await attempts.succeed(...tries)
  if (!(await hasNoAccounts(call))) rejectSetupDone()
}

function rejectSetupDone(): never {
  reject('conflict', 'The first account already exists. Sign in instead.', 'SETUP_DONE')
}

/** Whether the installation has no account yet. */
export const hasNoAccounts = ({ run }: Pick<HandlerContext, 'run'>): Promise<boolean> =>
  run(async (unit) => isRosterEmpty(await unit.look(userRoster)), ANONYMOUS_ACTOR)

async function createFirstAccount(call: HandlerContext, { userId, ...person }: Registrant): Promise<void> {
  const about = { userId, ...person, role: 'SUPERADMIN', status: 'ACTIVE' } as const
  try {
    await call.run(
      async (unit) => {
        await unit.decide(userRoster, undefined, 'EnrolFirst', { userId })
        await unit.decide(users, userId, 'AddUser', about)
      },
      actorOf(userRealm, userId),
    )
  } catch (error) {
    // Another request created an account with the same address first.
    if (error instanceof UniqueConstraintViolation) rejectSetupDone()
    throw error
  }
}

async function requireOpenRegistration(call: HandlerContext): Promise<void> {
  if (!(await isRegistrationOpen(call.read)))
    reject('forbidden', 'Registration is closed: ask an administrator for an account', 'REGISTRATION_CLOSED')
  if (!(await call.canMail()))
    reject('unavailable', 'Registration is not possible: this installation sends no mail', 'MAIL_NOT_CONFIGURED')
  await enforceLimitByBlock(call, LINK_REQUESTS)
}

/**
 * The answer is the same whether or not the address has an account. Another request may register the address at the same moment.
 * @param isMuted after too many registrations with this address, its owner is not notified of this one
 */
const registerAccount = (call: HandlerContext, person: Registrant, isMuted: boolean): Promise<void> =>
  retryConstraintViolations(1, async () => {
    const known = await call.runUnreported((unit) => unit.holderOf('userEmail', person.emailKey), ANONYMOUS_ACTOR)
    await call.runUnreported(
      async (unit) => {
        await unit.decide(userRoster, undefined, 'AskForRoom', await limitsOf(unit))
        if (known === undefined) await createPendingAccount(unit, call, person)
        else await repeatRegistration(unit, call, { userId: known, emailKey: person.emailKey, isMuted })
      },
      anonymousActorFor(known ?? person.userId),
    )
  })

async function createPendingAccount(
  unit: UnitOfWork,
  { vault }: HandlerContext,
  { userId, ...person }: Registrant,
): Promise<void> {
  const about = { userId, ...person, role: 'USER', status: 'PENDING_VERIFICATION' } as const
  await unit.decide(users, userId, 'AddUser', about)
  await unit.decide(userRoster, undefined, 'Enrol', {
    userId,
    role: 'USER',
    isActive: false,
    ...(await limitsOf(unit)),
  })
  await requestUserLink(unit, vault, { userId, userLinkId: unit.newId(), purpose: 'VERIFY' })
}

interface RepeatedRegistration {
  readonly userId: string
  readonly emailKey: string
  readonly isMuted: boolean
}

/**
 * The address is unproven, so this request or the earlier one may come from a stranger. The stored
 * password becomes invalid, and a link to choose a new one is mailed.
 */
async function repeatRegistration(
  unit: UnitOfWork,
  { vault }: HandlerContext,
  { userId, emailKey, isMuted }: RepeatedRegistration,
): Promise<void> {
  const user = await unit.load(users, userId)
  if (!user || user.isVerified || !canUseLinks(user)) {
    if (isMuted) recordLinkRequest(unit, { purpose: 'VERIFY', emailKey, isMuted })
    else unit.appendEvent(userLoginEvents, userId, userLoginEvents.UserRegistrationRepeated({ userId }))
    return
  }
  if (user.passwordHash !== undefined) await unit.decide(users, userId, 'RegisterAgain', {})
  await requestUserLink(unit, vault, { userId, userLinkId: unit.newId(), purpose: 'INVITE' })
}
