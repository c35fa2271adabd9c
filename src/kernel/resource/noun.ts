/** What follows from the noun of a declaration, such as AdminRole: the id of its events, and the words of its sentences. */

/** AdminRole has its id in `adminRoleId`. */
type IdField<Noun extends string> = `${Uncapitalize<Noun>}Id`
export type IdOf<Noun extends string> = { readonly [Name in IdField<Noun>]: string }

export const idFieldOf = <Noun extends string>(noun: Noun): IdField<Noun> =>
  `${noun.charAt(0).toLowerCase()}${noun.slice(1)}Id` as IdField<Noun>

/** `adminRoles` and `AdminRole` as people write them. */
export const wordsOf = (name: string): string => name.replaceAll(/(?<=.)[A-Z]/g, ' $&').toLowerCase()
