/** The domain itself, or below it. @param other empty: none */
const isAt = (domain: string, other: string): boolean =>
  other !== '' && (domain === other || domain.endsWith(`.${other}`))

/**
 * A domain of two labels may be one that many register names under, and the pages of previews set cookies for all names under
 * it, so that it is not the panel's either.
 * @param panelHost without a port
 */
export const isWide = (domain: string, panelHost: string): boolean =>
  domain.split('.').length <= 2 || isAt(panelHost, domain)

/** Whether they are the same, or one is below the other. */
export const areNested = (one: string, other: string): boolean => isAt(one, other) || isAt(other, one)
