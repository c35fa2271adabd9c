/** How a customer proves to the shop that it is he: a password of his own, by a link to his address, and perhaps a second factor. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'
import { credentialEvents } from '#kernel/auth/credential-events'
import { realmNames } from '#kernel/auth/realm-names'
import { loginFailedEvent } from '#kernel/auth/session-events'
import { customerSubject } from '../../customers/events.ts'

const customerId = z.uuid()
/** Sealed, so that nothing is left to guess at when the customer is erased. */
const passwordHash = sealed(z.string())
/** sha256 of the token that a link carries, hex. */
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

/** VERIFY: whoever registered chooses his first password, and so proves that the address is his. RESET: he chooses another. */
export const LINK_PURPOSES = ['VERIFY', 'RESET'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

/** A link's token is nowhere: it is derived from the link's id when the mail is written, and recognised by its hash. */
export const LINK_CONSTRAINT = 'shopLink'

/** A new password voids it; which newer links do, `withLink` says. */
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

export const ShopLoginFailed = loginFailedEvent(shopNames)

/** A stream of its own, since it guards no rule and is written by strangers. */
export const shopLoginEvents = stream('shopLogins', [ShopLoginFailed])
