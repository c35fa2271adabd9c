/**
 * The credentials of a customer in the shop: a password set by a mailed link, and an optional
 * second factor.
 */
import { z } from 'zod'
import { credentialEvents } from '#kernel/auth/credential-events'
import { realmNames } from '#kernel/auth/realm-names'
import { loginFailedEvent } from '#kernel/auth/session-events'
import { event, internal, sealed, stream } from '#kernel/events/event'
import { customerSubject } from '../../customers/events.ts'

const customerId = z.uuid()
/** Sealed, so that after an erasure no hash is left to attack. */
const passwordHash = sealed(z.string())
/** SHA-256 of the token in a link, hex. */
const tokenHash = internal(z.string())

export const shopNames = realmNames('Shop', 'customerId', {
  subject: customerSubject,
  called: (customerId) => `customer ${customerId}`,
})
const { sealedFor } = shopNames

export const shopProofs = credentialEvents(shopNames, passwordHash)
export const {
  PasswordChanged: ShopPasswordChanged,
  PasswordRehashed: ShopPasswordRehashed,
  TotpSetUp: ShopTotpSetUp,
  TotpEnabled: ShopTotpEnabled,
  TotpDisabled: ShopTotpDisabled,
  TotpUsed: ShopTotpUsed,
  BackupCodeUsed: ShopBackupCodeUsed,
} = shopProofs

/**
 * VERIFY: sets the first password after a registration, and so proves the address. RESET: sets a
 * new password.
 */
export const LINK_PURPOSES = ['VERIFY', 'RESET'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

/**
 * The token of a link is not stored: it is derived from the link's id for the mail, and recognised
 * by its hash.
 */
export const LINK_CONSTRAINT = 'shopLink'

/** A new password makes the link invalid; `withLink` decides which newer links do. */
export const ShopLinkRequested = event(
  'ShopLinkRequested',
  'customerId',
  { customerId, linkId: z.uuid(), purpose: z.enum(LINK_PURPOSES), tokenHash, expiresAt: z.iso.datetime() },
  ({ customerId, purpose }) =>
    `asked for a link by which customer ${customerId} chooses ${purpose === 'VERIFY' ? 'a first' : 'another'} password`,
  {
    takes: ({ customerId, linkId, tokenHash }) => [
      { scope: LINK_CONSTRAINT, key: tokenHash, holder: `${customerId}/${linkId}` },
    ],
  },
)

/** The account's owner is told by mail; the caller learns nothing. */
export const ShopRegistrationRepeated = event(
  'ShopRegistrationRepeated',
  'customerId',
  { customerId },
  ({ customerId }) => `registered again with the address of customer ${customerId}`,
)

/** Set by a link, which is used up. The second factor stays. */
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

/**
 * One stream per customer for credentials: links, codes, backup codes and passwords are used once,
 * and sales need not wait for sign-ins.
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

export const ShopLoginFailed = loginFailedEvent(shopNames)

/** A separate stream: it guards no rule, and strangers cause its events. */
export const shopLoginEvents = stream('shopLogins', [ShopLoginFailed])
