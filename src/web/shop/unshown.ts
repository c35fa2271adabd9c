/** Operations that are open to people and have no page, with the reason. */

export const UNSHOWN: Readonly<Record<string, string>> = {}
