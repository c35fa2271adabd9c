/** How a customer proves to the shop that it is he: a password of his own, by a link to his address, and perhaps a second factor. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/event'
import { customerSubject } from '../../customers/events.ts'

const customerId = z.uuid()
const shopSessionId = z.uuid()
/** Sealed, so that nothing is left to guess at when the customer is erased. */
const passwordHash = sealed(z.string())
/** sha256 of the token that a link carries, hex. */
const tokenHash = internal(z.string())
/** A TOTP time step: seconds since 1970 / 30. */
const step = internal(z.int().min(0))

const sealedFor = (data: { customerId: string }): string => customerSubject(data.customerId)

/** VERIFY: whoever registered chooses his first password, and so proves that the address is his. RESET: he chooses another. */
export const LINK_PURPOSES = ['VERIFY', 'RESET'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

/** A link's token is nowhere: it is derived from the link's id when the mail is written, and recognised by its hash. */
export const LINK_CLAIM = 'shopLink'

/** A newer one voids it. */
export const ShopLinkRequested = event(
  'ShopLinkRequested',
  'customerId',
  { customerId, linkId: z.uuid(), purpose: z.enum(LINK_PURPOSES), tokenHash, expiresAt: z.iso.datetime() },
  ({ customerId, purpose }) =>
    `asked for a link by which customer ${customerId} chooses ${purpose === 'VERIFY' ? 'a first' : 'another'} password`,
  {
    takes: ({ customerId, linkId, tokenHash }) => [
      { scope: LINK_CLAIM, key: tokenHash, holder: `${customerId}/${linkId}` },
    ],
  },
)

/** The owner hears of it; whoever registered learns nothing. */
export const ShopRegistrationRepeated = event(
  'ShopRegistrationRepeated',
  'customerId',
  { customerId },
  ({ customerId }) => `registered again with the address of customer ${customerId}`,
)

/** By a link, which is used up. It never touches the second factor. */
export const ShopPasswordSet = event(
  'ShopPasswordSet',
  'customerId',
  { customerId, passwordHash, purpose: z.enum(LINK_PURPOSES), tokenHash },
  ({ customerId, purpose }) =>
    `chose ${purpose === 'VERIFY' ? 'the first' : 'another'} password of customer ${customerId} by a link`,
  {
    sealedFor,
    strict: true,
    takes: ({ customerId, tokenHash }) => [{ scope: 'shopLinkUsed', key: tokenHash, holder: customerId }],
  },
)

export const ShopPasswordChanged = event(
  'ShopPasswordChanged',
  'customerId',
  { customerId, passwordHash },
  ({ customerId }) => `changed the password of customer ${customerId}`,
  { sealedFor, strict: true },
)

/** The same password, hashed with the parameters of the day. */
export const ShopPasswordRehashed = event(
  'ShopPasswordRehashed',
  'customerId',
  { customerId, passwordHash },
  ({ customerId }) => `hashed the password of customer ${customerId} with present parameters`,
  { sealedFor },
)

/** One code per customer and 30 s, whatever it was used for: the session that it served holds it. */
const takesStep = (data: { customerId: string; step: number; shopSessionId: string }) => [
  { scope: 'shopTotpStep', key: `${data.customerId}/${data.step}`, holder: data.shopSessionId },
]

export const ShopTotpSetUp = event(
  'ShopTotpSetUp',
  'customerId',
  { customerId, secret: sealed(z.string()) },
  ({ customerId }) => `began to set up the second factor of customer ${customerId}`,
  { sealedFor },
)

export const ShopTotpEnabled = event(
  'ShopTotpEnabled',
  'customerId',
  { customerId, step, shopSessionId, backupCodes: internal(z.array(z.string())) },
  ({ customerId }) => `enabled the second factor of customer ${customerId}`,
  { strict: true, takes: takesStep },
)

export const ShopTotpDisabled = event(
  'ShopTotpDisabled',
  'customerId',
  { customerId, step, shopSessionId },
  ({ customerId }) => `disabled the second factor of customer ${customerId}`,
  { strict: true, takes: takesStep },
)

export const ShopTotpUsed = event(
  'ShopTotpUsed',
  'customerId',
  { customerId, step, shopSessionId },
  ({ customerId, shopSessionId }) => `used a code of customer ${customerId} for session ${shopSessionId}`,
  { takes: takesStep },
)

export const ShopBackupCodeUsed = event(
  'ShopBackupCodeUsed',
  'customerId',
  { customerId, backupCode: internal(z.string()), left: z.int().min(0), shopSessionId },
  ({ customerId, left }) => `used a backup code of customer ${customerId}, ${left} left`,
  {
    takes: ({ customerId, backupCode, shopSessionId }) => [
      { scope: 'shopBackupCode', key: `${customerId}/${backupCode}`, holder: shopSessionId },
    ],
  },
)

/**
 * One stream a customer, apart from his own: a link, a code, a backup code and a password count once for him, and what he is sold
 * need not wait for his signing in.
 */
export const shopAccountEvents = stream('shopAccount', [
  ShopLinkRequested,
  ShopRegistrationRepeated,
  ShopPasswordSet,
  ShopPasswordChanged,
  ShopPasswordRehashed,
  ShopTotpSetUp,
  ShopTotpEnabled,
  ShopTotpDisabled,
  ShopTotpUsed,
  ShopBackupCodeUsed,
])

/** Somebody failed to sign in to an account that exists. The attempt counters bound how many of these there can be. */
export const ShopLoginFailed = event(
  'ShopLoginFailed',
  'customerId',
  { customerId, reason: z.enum(['WRONG_PASSWORD', 'WRONG_CODE', 'CODE_MISSING']) },
  ({ customerId, reason }) => `could not sign in as customer ${customerId} (${reason})`,
)

/** A stream of its own, since it guards no rule and is written by strangers. */
export const shopLoginEvents = stream('shopLogins', [ShopLoginFailed])
