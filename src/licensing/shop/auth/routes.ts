import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Unit } from '#kernel/commands/command-runner'
import { everyone, route } from '#kernel/http/route'
import type { Call } from '#kernel/http/route'
import { Attempts } from '#kernel/credentials/attempt-counter'
import { email as address } from '#kernel/credentials/email-address'
import { evenly } from '#kernel/credentials/constant-time'
import { accountPlace } from '#kernel/credentials/fair-queue'
import { checkNewPassword } from '#kernel/credentials/password-policy'
import { hashPassword } from '#kernel/credentials/password'
import { hashSecret } from '#kernel/credentials/secret-token'
import { nameOf } from '#kernel/lib/display-text'
import { passwordTry } from '#kernel/auth/verify-credentials'
import { forgetIdle, isWithin, limitedByBlock, LINK_ASKERS, NOTICE_MAILS } from '#kernel/auth/caller-limits'
import { linkHolder } from '#kernel/auth/link-attempts'
import { changePassword, PasswordChange, Proof, stepUp, wordsOf } from '#kernel/auth/manage-credentials'
import { actorOf, STRANGER, strangerTo } from '#kernel/auth/realm'
import { secondFactorRoutes } from '#kernel/auth/second-factor-routes'
import { emailKeyOf, givenPassword, Login, login } from '#kernel/auth/sign-in'
import { logout, refresh } from '#kernel/auth/refresh'
import { reject } from '#kernel/lib/rejection'
import { ClaimRefused } from '#kernel/events/store-port'
import { settingOf } from '#projections/licensing/settings'
import { customers } from '../../customers/decider.ts'
import { customer as customerOnly } from '../../access/access.ts'
import { askForLink, LINK_TOKEN, needLinks } from '../../access/customer-links.ts'
import { customerRealm, endShopSessions } from '../../access/customer-realm.ts'
import { linked, linkInvalid, shopAccounts } from '../accounts/decider.ts'
import { LINK_CLAIM } from '../accounts/events.ts'
import type { LinkPurpose } from '../accounts/events.ts'
import { Profile } from '../me/routes.ts'

/** Longer than either way takes on a machine at rest. */
const ANSWER_MS = 250
/** One claim is refused when somebody registers with the address in the same moment. */
const REFUSED_CLAIMS_MAX = 1

const Grant = z.object({ accessToken: z.string(), user: Profile })

const Nothing = z.strictObject({})

const given = nameOf(200)
const Registration = z.strictObject({ email: address, name: given.optional(), company: given.optional() })
const Forgotten = z.strictObject({ email: z.string().min(1).max(320) })
const ByLink = z.strictObject({ token: z.string().regex(LINK_TOKEN), password: givenPassword })

type With<Body> = Call<unknown, unknown, Body>

/** Does its work, or does not, in the same time and with the same answer. */
async function asked(call: Call, email: string, work: (emailKey: string) => Promise<void>): Promise<void> {
  await needLinks(call)
  await limitedByBlock(call, LINK_ASKERS)
  await evenly(ANSWER_MS, async () => {
    await work(await emailKeyOf(call.vault, email))
    await forgetIdle(call, NOTICE_MAILS, LINK_ASKERS)
  })
}

const holderOf = (call: Call, emailKey: string): Promise<string | undefined> =>
  call.runUntold((unit) => unit.holderOf('customerEmail', emailKey), STRANGER)

interface Registering {
  readonly emailKey: string
  /** Few enough have registered with this address that its owner, where it has one, is told of this one. */
  readonly isTold: boolean
}

async function register(
  call: With<z.output<typeof Registration>>,
  { emailKey, isTold }: Registering,
  refused = 0,
): Promise<void> {
  const known = await holderOf(call, emailKey)
  const customerId = known ?? uuidv7()
  try {
    await call.runUntold(
      (unit) =>
        known === undefined
          ? join(unit, call, { customerId, emailKey })
          : joinAgain(unit, call, { customerId, isTold }),
      strangerTo(customerId),
    )
  } catch (error) {
    if (error instanceof ClaimRefused && refused < REFUSED_CLAIMS_MAX)
      return register(call, { emailKey, isTold }, refused + 1)
    throw error
  }
}

async function join(
  unit: Unit,
  { vault, body: { email, name, company } }: With<z.output<typeof Registration>>,
  { customerId, emailKey }: { customerId: string; emailKey: string },
): Promise<void> {
  const called = { name: name ?? null, company: company ?? null }
  await unit.decide(customers, customerId, 'RegisterCustomer', { customerId, email, emailKey, ...called })
  await askForLink(unit, vault, customerId, 'VERIFY')
}

/** What was given the first time stays: a stranger may have sent this. */
async function joinAgain(
  unit: Unit,
  { vault }: Call,
  { customerId, isTold }: { customerId: string } & Pick<Registering, 'isTold'>,
): Promise<void> {
  if ((await unit.load(customers, customerId))?.status !== 'ACTIVE') return
  const { passwordHash } = (await unit.load(shopAccounts, customerId)) ?? {}
  if (passwordHash === undefined) await askForLink(unit, vault, customerId, 'VERIFY')
  else if (isTold) await unit.decide(shopAccounts, customerId, 'RepeatRegistration', { customerId })
}

async function forgotten(call: Call, emailKey: string): Promise<void> {
  const customerId = await holderOf(call, emailKey)
  if (customerId === undefined) return
  await call.runUntold(async (unit) => {
    if ((await unit.load(customers, customerId))?.status !== 'ACTIVE') return
    await askForLink(unit, call.vault, customerId, 'RESET')
  }, strangerTo(customerId))
}

/** The token is looked at before the password is hashed, and again in the stream, where it counts once. */
async function setPassword(call: With<z.output<typeof ByLink>>, purpose: LinkPurpose): Promise<void> {
  const link = { purpose, tokenHash: hashSecret(call.body.token) }
  const find = () => call.run((unit) => linkOwner(unit, link), STRANGER)
  const { customerId, customer, account } = await linkHolder(call, link.tokenHash, find)
  const rule = { withTotp: account.totp !== undefined, forbidden: wordsOf(customer) }
  await checkNewPassword(call.body.password, rule)
  const passwordHash = await hashPassword(call.body.password, accountPlace(customerId))
  await call.run(
    async (unit) => {
      await linkOwner(unit, link)
      await unit.decide(shopAccounts, customerId, 'SetPassword', { ...link, passwordHash })
      await endShopSessions(unit, customerId, 'PASSWORD_RESET')
    },
    actorOf(customerRealm, customerId),
  )
  await new Attempts(call.telemetry).reset(passwordTry(customerRealm, { ...customer, id: customerId }))
}

async function linkOwner(unit: Unit, link: { purpose: LinkPurpose; tokenHash: string }) {
  const [customerId = ''] = ((await unit.holderOf(LINK_CLAIM, link.tokenHash)) ?? '').split('/')
  if (customerId === '') return linkInvalid()
  const customer = await unit.look(customers, customerId)
  const account = linked(await unit.load(shopAccounts, customerId), link, unit.at)
  return customer?.status === 'ACTIVE' ? { customerId, customer, account } : linkInvalid()
}

export const shopAuthRoutes = [
  route('POST /api/shop/auth/register', {
    does:
      'Register with an e-mail address. A link is mailed there, by which its owner chooses the first password: nobody else can. ' +
      'The answer is the same for an address that is known already; its owner is then told by mail.',
    access: everyone,
    refuses: [403, 429],
    status: 202,
    body: Registration,
    async handle(call) {
      if (!(await settingOf(call.read, 'shopRegistration')))
        reject('forbidden', 'Nobody can register here: ask the operator for an account', 'REGISTRATION_CLOSED')
      await asked(call, call.body.email, async (emailKey) =>
        register(call, { emailKey, isTold: await isWithin(call, NOTICE_MAILS, emailKey) }),
      )
    },
  }),

  route('POST /api/shop/auth/verify-email', {
    does: 'Choose the first password with the token of a link that registering has mailed. It holds for a day and counts once.',
    access: everyone,
    refuses: [429],
    body: ByLink,
    handle: (call) => setPassword(call, 'VERIFY'),
  }),

  route('POST /api/shop/auth/forgot-password', {
    does:
      'Have a link mailed by which another password can be chosen. The answer is the same for an address that nobody has. ' +
      'It is also how a customer who was sold something elsewhere chooses his first.',
    access: everyone,
    refuses: [429],
    status: 202,
    body: Forgotten,
    handle: (call) => asked(call, call.body.email, (emailKey) => forgotten(call, emailKey)),
  }),

  route('POST /api/shop/auth/reset-password', {
    does: 'Choose another password with the token of a mailed link. It holds for ten minutes and counts once; every session ends, and the second factor stays.',
    access: everyone,
    refuses: [429],
    body: ByLink,
    handle: (call) => setPassword(call, 'RESET'),
  }),

  route('POST /api/shop/auth/login', {
    does:
      'Sign in. `totp` takes six digits or a backup code. A wrong anything answers the same 401; only a right password ' +
      'without its code answers 401 with `Error-Code: TOTP_REQUIRED`. The refresh token comes as a cookie.',
    access: everyone,
    refuses: [401],
    body: Login,
    reply: Grant,
    handle: (call) => login(customerRealm, call),
  }),

  route('POST /api/shop/auth/refresh', {
    does:
      'Trade the refresh cookie for a new one and a new access token. Send `{}` from the shop’s own origin. ' +
      'A token that was used before ends its whole session.',
    access: everyone,
    refuses: [401, 403],
    body: Nothing,
    reply: Grant,
    handle: (call) => refresh(customerRealm, call),
  }),

  route('POST /api/shop/auth/logout', {
    does: 'End this session. Send `{}` with the session or, when that has run out, with the refresh cookie alone.',
    access: everyone,
    refuses: [401, 403],
    body: Nothing,
    handle: (call) => logout(customerRealm, call),
  }),

  route('POST /api/shop/auth/password', {
    does: 'Change my password. Every other session of mine ends.',
    access: customerOnly,
    body: PasswordChange,
    handle: (call) => changePassword(customerRealm, call),
  }),

  route('POST /api/shop/auth/step-up', {
    does: 'Prove again who the caller is, for five minutes: by a code where a second factor is enabled, by the password otherwise.',
    access: customerOnly,
    body: Proof,
    handle: (call) => stepUp(customerRealm, call),
  }),

  ...secondFactorRoutes(customerRealm, customerOnly),
]
