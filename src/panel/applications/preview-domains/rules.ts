/** The domain itself, or below it. @param other empty: none */
const isAt = (domain: string, other: string): boolean =>
  other !== '' && (domain === other || domain.endsWith(`.${other}`))

/** Whether they are the same, or one is below the other. */
export const areNested = (one: string, other: string): boolean => isAt(one, other) || isAt(other, one)
