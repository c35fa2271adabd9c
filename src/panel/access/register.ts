/** How accounts begin: the first with the setup token, later ones, where that is open, by a link to their address. */
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Unit } from '#kernel/commands/command-runner'
import { answer } from '#kernel/http/route'
import type { Answer, Call } from '#kernel/http/route'
import { Attempts } from '#kernel/credentials/attempt-counter'
import { email as address } from '#kernel/credentials/email-address'
import { evenly } from '#kernel/credentials/constant-time'
import { addressPlace, HOST } from '#kernel/credentials/fair-queue'
import type { Place } from '#kernel/credentials/fair-queue'
import { checkNewPassword } from '#kernel/credentials/password-policy'
import { hashPassword } from '#kernel/credentials/password'
import { nameOf } from '#kernel/lib/display-text'
import { addressOrigin } from '#kernel/auth/verify-credentials'
import { forgetIdle, isWithin, limitedByBlock, LINK_ASKERS, NOTICE_MAILS } from '#kernel/auth/caller-limits'
import { wordsOf } from '#kernel/auth/manage-credentials'
import { actorOf, STRANGER, strangerTo } from '#kernel/auth/realm'
import { emailKeyOf, givenPassword } from '#kernel/auth/sign-in'
import { reject } from '#kernel/lib/rejection'
import { ClaimRefused } from '#kernel/events/store-port'
import { UserRegistrationRepeated, userLoginEvents } from '../auth/events.ts'
import { limitsOf } from '../license/limits.ts'
import { isNobody, mayUseLinks, userRoster, users } from '../users/decider.ts'
import { isRegistrationOpen } from './registration-setting.ts'
import { isSetupToken } from './setup-token.ts'
import { askForUserLink, noteAsked } from './user-links.ts'
import { userRealm } from './user-realm.ts'

/** Longer than either way takes on a machine at rest. */
const ANSWER_MS = 250
/** One claim is refused when somebody registers with the address in the same moment. */
const REFUSED_CLAIMS_MAX = 1

export const givenName = nameOf(100)

export const Registration = z.strictObject({
  email: address,
  password: givenPassword,
  name: givenName.optional(),
  setupToken: z.string().max(100).optional(),
})

export const Told = z.object({ message: z.string() })

type Registering = Call<unknown, unknown, z.output<typeof Registration>>

interface Newcomer {
  readonly userId: string
  readonly email: string
  readonly emailKey: string
  readonly name: string | null
  readonly passwordHash: string
}

/** @throws Rejection 402 | 403 | 409 SETUP_DONE | 503 MAIL_NOT_CONFIGURED */
export async function register(call: Registering): Promise<Answer<z.output<typeof Told>>> {
  const { email, name, password, setupToken } = call.body
  if (setupToken === undefined) await mayRegister(call)
  else await mayBeFirst(call, setupToken)
  await checkNewPassword(password, { withTotp: false, forbidden: wordsOf({ email, name: name ?? null }) })
  if (setupToken !== undefined) {
    await begin(call, await newcomer(call, HOST))
    return answer({ message: 'The first account is made: sign in' }, 201)
  }
  await evenly(ANSWER_MS, async () => {
    const person = await newcomer(call, addressPlace(call.ip))
    const isMuted = !(await isWithin(call, NOTICE_MAILS, person.emailKey))
    await forgetIdle(call, NOTICE_MAILS, LINK_ASKERS)
    await enter(call, person, isMuted)
  })
  return answer({ message: 'A mail is on its way: open its link to go on' }, 202)
}

async function newcomer({ body: { email, name, password }, vault }: Registering, place: Place): Promise<Newcomer> {
  const passwordHash = await hashPassword(password, place)
  return { userId: uuidv7(), email, emailKey: await emailKeyOf(vault, email), name: name ?? null, passwordHash }
}

async function mayBeFirst(call: Registering, setupToken: string): Promise<void> {
  const attempts = new Attempts(call.telemetry)
  const { tries } = await addressOrigin(call)
  const { allowed } = await attempts.reserveAll(...tries)
  // 238 bits, which nobody guesses: who has them is let in, whatever others behind the same address have tried.
  if (!(await isSetupToken(call.vault, setupToken)))
    reject('forbidden', 'This is not the setup token of this installation', 'SETUP_TOKEN_INVALID')
  if (allowed) await attempts.succeed(...tries)
  if (!(await isEmpty(call))) setupDone()
}

function setupDone(): never {
  reject('conflict', 'The first account has been made already', 'SETUP_DONE')
}

/** Whether nobody has an account yet. */
export const isEmpty = ({ run }: Pick<Call, 'run'>): Promise<boolean> =>
  run(async (unit) => isNobody(await unit.look(userRoster)), STRANGER)

async function begin(call: Call, { userId, ...person }: Newcomer): Promise<void> {
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
    // Somebody with the same address was faster.
    if (error instanceof ClaimRefused) setupDone()
    throw error
  }
}

async function mayRegister(call: Call): Promise<void> {
  if (!(await isRegistrationOpen(call.read)))
    reject('forbidden', 'Nobody can register here: ask an administrator for an account', 'REGISTRATION_CLOSED')
  if (!(await call.canMail()))
    reject('unavailable', 'Nobody can register here: this installation sends no mail', 'MAIL_NOT_CONFIGURED')
  await limitedByBlock(call, LINK_ASKERS)
}

/**
 * Whatever is known of the address, the answer is the same.
 * @param isMuted too many have registered with the address: its owner, where it has one, is not told of this one
 */
async function enter(call: Call, person: Newcomer, isMuted: boolean, refused = 0): Promise<void> {
  const known = await call.runUntold((unit) => unit.holderOf('userEmail', person.emailKey), STRANGER)
  try {
    await call.runUntold(
      async (unit) => {
        await unit.decide(userRoster, undefined, 'AskForRoom', await limitsOf(unit))
        if (known === undefined) await join(unit, call, person)
        else await joinAgain(unit, call, { userId: known, emailKey: person.emailKey, isMuted })
      },
      strangerTo(known ?? person.userId),
    )
  } catch (error) {
    if (error instanceof ClaimRefused && refused < REFUSED_CLAIMS_MAX) return enter(call, person, isMuted, refused + 1)
    throw error
  }
}

async function join(unit: Unit, { vault }: Call, { userId, ...person }: Newcomer): Promise<void> {
  const about = { userId, ...person, role: 'USER', status: 'PENDING_VERIFICATION' } as const
  await unit.decide(users, userId, 'AddUser', about)
  await unit.decide(userRoster, undefined, 'Enrol', {
    userId,
    role: 'USER',
    isActive: false,
    ...(await limitsOf(unit)),
  })
  await askForUserLink(unit, vault, { userId, userLinkId: unit.newId(), purpose: 'VERIFY' })
}

interface Again {
  readonly userId: string
  readonly emailKey: string
  readonly isMuted: boolean
}

/** A stranger may have sent this, or what was there before: of an address that nobody has proved no password counts any more. */
async function joinAgain(unit: Unit, { vault }: Call, { userId, emailKey, isMuted }: Again): Promise<void> {
  const user = await unit.load(users, userId)
  if (!user || user.isVerified || !mayUseLinks(user)) {
    if (isMuted) noteAsked(unit, { purpose: 'VERIFY', emailKey, isMuted })
    else unit.record(userLoginEvents, userId, UserRegistrationRepeated({ userId }))
    return
  }
  if (user.passwordHash !== undefined) await unit.decide(users, userId, 'RegisterAgain', {})
  await askForUserLink(unit, vault, { userId, userLinkId: unit.newId(), purpose: 'INVITE' })
}
