/**
 * Which one-time links of an account are good: the same rules for the streams of every realm. They are pure. Anybody can
 * ask for a link to be mailed, so asking takes neither the newest ones in the owner's mailbox away nor the mail that the
 * owner asks for next.
 */

export interface OneTimeLink<Purpose extends string = string> {
  readonly purpose: Purpose
  /** Of the secret in the link, hex. */
  readonly hash: string
  /** RFC 3339. */
  readonly madeAt: string
  /** RFC 3339. */
  readonly expiresAt: string
  /** Else it was shown to who had it made for somebody else. */
  readonly mailed: boolean
}

/** From the oldest to the newest. */
export type OneTimeLinks<Purpose extends string = string> = readonly OneTimeLink<Purpose>[]

/** Whoever asks within this time finds a link in the mailbox already. At most twelve an hour of one purpose are mailed to an account. */
const REQUEST_INTERVAL_MS = 5 * 60_000
/**
 * So a mailed link is good for 15 minutes at the least, whatever is asked for meanwhile: longer than a link that resets a password is good at
 * all. The newest is good until it ends.
 */
const MAILED_MAX = 3

const isOfKind = (one: OneTimeLink, other: OneTimeLink): boolean =>
  one.purpose === other.purpose && one.mailed === other.mailed

/** With a newer one. Of those that were shown it replaces the one before it, of those that were mailed the third before it. */
export function withLink<Purpose extends string>(
  links: OneTimeLinks<Purpose>,
  link: OneTimeLink<Purpose>,
): OneTimeLinks<Purpose> {
  const alike = links.filter((each) => isOfKind(each, link))
  const kept = link.mailed ? alike.slice(-(MAILED_MAX - 1)) : []
  return [...links.filter((each) => !isOfKind(each, link) || kept.includes(each)), link]
}

/** Whether one of this purpose was mailed so short a time ago that asking for another has none made. */
export const isRequestedTooSoon = <Purpose extends string>(
  links: OneTimeLinks<Purpose>,
  purpose: Purpose,
  at: Date,
): boolean =>
  links.some(
    (link) => link.mailed && link.purpose === purpose && at.getTime() - Date.parse(link.madeAt) < REQUEST_INTERVAL_MS,
  )

/** Undefined for unknown, used, replaced and expired ones alike. */
export const validLink = <Purpose extends string>(
  links: OneTimeLinks<Purpose>,
  { hash, purposes }: { hash: string; purposes: readonly Purpose[] },
  at: Date,
): OneTimeLink<Purpose> | undefined =>
  links.find(
    (link) => link.hash === hash && purposes.includes(link.purpose) && Date.parse(link.expiresAt) > at.getTime(),
  )
