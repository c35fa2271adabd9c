import { z } from 'zod'
import {
  forgetIdleAttempts,
  isWithinLimit,
  enforceLimitByBlock,
  LINK_REQUESTS,
  NOTICE_MAILS,
} from '#kernel/auth/caller-limits'
import { Proof, stepUp } from '#kernel/auth/manage-credentials'
import { setPasswordByLink } from '#kernel/auth/password-by-link'
import { ANONYMOUS_ACTOR, anonymousActorFor } from '#kernel/auth/realm'
import { secondFactorRoutes } from '#kernel/auth/second-factor-routes'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { signInRoutes } from '#kernel/auth/sign-in-routes'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { retryConstraintViolations } from '#kernel/commands/constraint-retries'
import { ANSWER_MS } from '#kernel/credentials/answer-time'
import { withConstantTime } from '#kernel/credentials/constant-time'
import { email as address } from '#kernel/credentials/email-address'
import { newPasswordInput } from '#kernel/credentials/password-policy'
import { everyone, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { reject } from '#kernel/lib/rejection'
import { uuidv7 } from '#kernel/lib/uuid'
import { settingOf } from '#projections/licensing/settings'
import { customer as customerOnly } from '../../access/access.ts'
import { requestLinkAnonymously, LINK_TOKEN, requireLinkDelivery } from '../../access/customer-links.ts'
import { customerRealm, endShopSessions } from '../../access/customer-realm.ts'
import { customers } from '../../customers/decider.ts'
import { accountByLink, rejectInvalidLink, shopAccounts } from '../accounts/decider.ts'
import { LINK_CONSTRAINT } from '../accounts/events.ts'
import type { LinkPurpose } from '../accounts/events.ts'
import { Profile } from '../me/views.ts'

const personalName = nameSchema(200)
const Registration = z.strictObject({ email: address, name: personalName.optional(), company: personalName.optional() })
const PasswordResetRequest = z.strictObject({ email: z.string().min(1).max(320) })
const PasswordByLink = z.strictObject({ token: z.string().regex(LINK_TOKEN), password: newPasswordInput })

type ContextWithBody<Body> = HandlerContext<unknown, unknown, Body>

/** Performs the work or skips it, with the same duration and the same reply. */
async function answerUniformly(
  call: HandlerContext,
  email: string,
  work: (emailKey: string) => Promise<void>,
): Promise<void> {
  await requireLinkDelivery(call)
  await enforceLimitByBlock(call, LINK_REQUESTS)
  await withConstantTime(ANSWER_MS, async () => {
    await work(await emailKeyOf(call.vault, email))
    await forgetIdleAttempts(call, NOTICE_MAILS, LINK_REQUESTS)
  })
}

const customerIdByEmail = (call: HandlerContext, emailKey: string): Promise<string | undefined> =>
  call.runUnreported((unit) => unit.holderOf('customerEmail', emailKey), ANONYMOUS_ACTOR)

interface RegistrationAttempt {
  readonly emailKey: string
  /** Whether the owner of the address is told of this registration: only of the first few. */
  readonly isTold: boolean
}

/** A concurrent registration may take the address first. */
const register = (
  call: ContextWithBody<z.output<typeof Registration>>,
  { emailKey, isTold }: RegistrationAttempt,
): Promise<void> =>
  retryConstraintViolations(1, async () => {
    const known = await customerIdByEmail(call, emailKey)
    const customerId = known ?? uuidv7()
    await call.runUnreported(
      (unit) =>
        known === undefined
          ? registerCustomer(unit, call, { customerId, emailKey })
          : repeatRegistration(unit, call, { customerId, isTold }),
      anonymousActorFor(customerId),
    )
  })

async function registerCustomer(
  unit: UnitOfWork,
  { vault, body: { email, name, company } }: ContextWithBody<z.output<typeof Registration>>,
  { customerId, emailKey }: { customerId: string; emailKey: string },
): Promise<void> {
  const called = { name: name ?? null, company: company ?? null }
  await unit.decide(customers, customerId, 'RegisterCustomer', { customerId, email, emailKey, ...called })
  await requestLinkAnonymously(unit, vault, customerId, 'VERIFY')
}

/** Keeps the name and company of the first registration: a stranger may have sent this one. */
async function repeatRegistration(
  unit: UnitOfWork,
  { vault }: HandlerContext,
  { customerId, isTold }: { customerId: string } & Pick<RegistrationAttempt, 'isTold'>,
): Promise<void> {
  if ((await unit.load(customers, customerId))?.status !== 'ACTIVE') return
  const { passwordHash } = (await unit.load(shopAccounts, customerId)) ?? {}
  if (passwordHash === undefined) await requestLinkAnonymously(unit, vault, customerId, 'VERIFY')
  else if (isTold) await unit.decide(shopAccounts, customerId, 'RepeatRegistration', { customerId })
}

async function requestPasswordReset(call: HandlerContext, emailKey: string): Promise<void> {
  const customerId = await customerIdByEmail(call, emailKey)
  if (customerId === undefined) return
  await call.runUnreported(async (unit) => {
    if ((await unit.load(customers, customerId))?.status !== 'ACTIVE') return
    await requestLinkAnonymously(unit, call.vault, customerId, 'RESET')
  }, anonymousActorFor(customerId))
}

/** Checks the token before the password is hashed, and again in the stream, where it is used once. */
const setPassword = (call: ContextWithBody<z.output<typeof PasswordByLink>>, purpose: LinkPurpose) =>
  setPasswordByLink(customerRealm, call, {
    ...call.body,
    find: (tokenHash) => call.run((unit) => linkOwner(unit, { purpose, tokenHash }), ANONYMOUS_ACTOR),
    async decide(unit, { id: customerId }, { linkHash: tokenHash, passwordHash }) {
      const link = { purpose, tokenHash }
      await linkOwner(unit, link)
      await unit.decide(shopAccounts, customerId, 'SetPassword', { ...link, passwordHash })
      await endShopSessions(unit, customerId, 'PASSWORD_RESET')
    },
  })

async function linkOwner(unit: UnitOfWork, link: { purpose: LinkPurpose; tokenHash: string }) {
  const [customerId = ''] = ((await unit.holderOf(LINK_CONSTRAINT, link.tokenHash)) ?? '').split('/')
  if (customerId === '') return rejectInvalidLink()
  const customer = await unit.look(customers, customerId)
  const account = accountByLink(await unit.load(shopAccounts, customerId), link, unit.at)
  return customer?.status === 'ACTIVE' ? { ...customer, id: customerId, totp: account.totp } : rejectInvalidLink()
}

export const shopAuthRoutes = [
  route('POST /api/shop/auth/register', {
    does: 'Register with an e-mail address. A link to choose the first password is mailed to it. Known addresses get the same reply.',
    access: everyone,
    refuses: [403, 429],
    status: 202,
    body: Registration,
    async handle(call) {
      if (!(await settingOf(call.read, 'shopRegistration')))
        reject('forbidden', 'Registration is disabled: ask the operator for an account', 'REGISTRATION_CLOSED')
      await answerUniformly(call, call.body.email, async (emailKey) =>
        register(call, { emailKey, isTold: await isWithinLimit(call, NOTICE_MAILS, emailKey) }),
      )
    },
  }),

  route('POST /api/shop/auth/verify-email', {
    does: 'Choose the first password with the token of a registration link. The token is valid for one day, once.',
    access: everyone,
    refuses: [429],
    body: PasswordByLink,
    handle: (call) => setPassword(call, 'VERIFY'),
  }),

  route('POST /api/shop/auth/forgot-password', {
    does: 'Request a link to choose another password, or a first one after a sale elsewhere. Unknown addresses get the same reply.',
    access: everyone,
    refuses: [429],
    status: 202,
    body: PasswordResetRequest,
    handle: (call) => answerUniformly(call, call.body.email, (emailKey) => requestPasswordReset(call, emailKey)),
  }),

  route('POST /api/shop/auth/reset-password', {
    does: 'Choose another password with a mailed token, valid for ten minutes, once. All sessions end; the second factor stays.',
    access: everyone,
    refuses: [429],
    body: PasswordByLink,
    handle: (call) => setPassword(call, 'RESET'),
  }),

  ...signInRoutes(customerRealm, {
    access: customerOnly,
    profile: Profile,
    changePassword: '/password',
    does: {
      login:
        'Sign in. `totp` takes six digits or a backup code. Sets the refresh token as a cookie; 401 with TOTP_REQUIRED asks for the code.',
      refresh:
        'Exchange the refresh cookie for a new one and an access token. Send `{}` from the shop’s origin. A reused token ends the session.',
      logout: 'End this session. Send `{}` with the session or, after it expired, with only the refresh cookie.',
      changePassword: 'Change my password. All my other sessions end.',
    },
  }),

  route('POST /api/shop/auth/step-up', {
    does: 'Prove my identity again for five minutes: by a code if a second factor is enabled, by the password otherwise.',
    access: customerOnly,
    body: Proof,
    handle: (call) => stepUp(customerRealm, call),
  }),

  ...secondFactorRoutes(customerRealm, customerOnly),
]
