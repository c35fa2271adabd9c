/**
 * The validity of an account's one-time links, shared by the streams of every realm. Pure functions.
 * Links can be requested without signing in, so a request neither invalidates the newest links in the
 * owner's mailbox nor suppresses the owner's next mail.
 */

export interface OneTimeLink<Purpose extends string = string> {
  readonly purpose: Purpose
  /** The SHA-256 of the secret in the link, in hex. */
  readonly hash: string
  /** RFC 3339. */
  readonly madeAt: string
  /** RFC 3339. */
  readonly expiresAt: string
  /** False: the link was shown to the administrator who created it. */
  readonly mailed: boolean
}

/** From the oldest to the newest. */
export type OneTimeLinks<Purpose extends string = string> = readonly OneTimeLink<Purpose>[]

/**
 * Within this time after a link was mailed, a request creates no further one. At most twelve links per
 * hour and purpose are mailed to an account.
 */
const REQUEST_INTERVAL_MS = 5 * 60_000
/**
 * A mailed link stays valid for at least 15 minutes whatever is requested meanwhile; a link to reset a
 * password is not valid for longer. The newest is valid until it expires.
 */
const MAILED_MAX = 3

const isOfKind = (one: OneTimeLink, other: OneTimeLink): boolean =>
  one.purpose === other.purpose && one.mailed === other.mailed

/** Adds a newer link. A shown link replaces the one before it; a mailed link replaces the third before it. */
export function withLink<Purpose extends string>(
  links: OneTimeLinks<Purpose>,
  link: OneTimeLink<Purpose>,
): OneTimeLinks<Purpose> {
  const alike = links.filter((each) => isOfKind(each, link))
  const kept = link.mailed ? alike.slice(-(MAILED_MAX - 1)) : []
  return [...links.filter((each) => !isOfKind(each, link) || kept.includes(each)), link]
}

/** Whether a link of this purpose was mailed so recently that no further one is created. */
export const isRequestedTooSoon = <Purpose extends string>(
  links: OneTimeLinks<Purpose>,
  purpose: Purpose,
  at: Date,
): boolean =>
  links.some(
    (link) => link.mailed && link.purpose === purpose && at.getTime() - Date.parse(link.madeAt) < REQUEST_INTERVAL_MS,
  )

/** @returns undefined for unknown, used, replaced and expired links alike */
export const validLink = <Purpose extends string>(
  links: OneTimeLinks<Purpose>,
  { hash, purposes }: { hash: string; purposes: readonly Purpose[] },
  at: Date,
): OneTimeLink<Purpose> | undefined =>
  links.find(
    (link) => link.hash === hash && purposes.includes(link.purpose) && Date.parse(link.expiresAt) > at.getTime(),
  )
