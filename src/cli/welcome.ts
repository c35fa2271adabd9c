/** What `daybook start` says once everything runs: where it is, how to sign in, what to try. */
import { shellQuoted } from '../kernel/lib/shell-quote.ts'
import { curlLines } from './address.ts'

const LABEL_CHARACTERS = 18

export type Fact = readonly [label: string, text: string]

/** How somebody signs in. */
export interface SignInHint {
  readonly email: string
  /** Only where it was generated and nobody has seen it yet. */
  readonly password?: string | undefined
  /** Where the password is, in words. */
  readonly passwordPlace: string
}

export const factLines = (facts: readonly Fact[]): string[] =>
  facts.map(([label, text]) => `  ${label.padEnd(LABEL_CHARACTERS)}${text}`)

/** @param heading a sentence that ends in a colon */
export const textSection = (heading: string, lines: readonly string[]): string[] => ['', heading, '', ...lines]

export function signInLines({ email, password, passwordPlace }: SignInHint): string[] {
  const shown: Fact[] =
    password === undefined
      ? [['password', passwordPlace]]
      : [
          ['password', password],
          ['', `(${passwordPlace})`],
        ]
  return factLines([['e-mail', email], ...shown])
}

const pasted = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

/** @param token undefined: the caller puts one of theirs into the environment */
export function provisioningLines(origin: string, planSlug: string, token: string | undefined): string[] {
  const header =
    token === undefined ? '"Authorization: Bearer $DAYBOOK_TOKEN"' : shellQuoted(`Authorization: Bearer ${token}`)
  const body = { email: 'ada@example.com', planSlug, reference: 'order-1' }
  const heading =
    token === undefined
      ? 'Issue a license, with a machine token of yours in DAYBOOK_TOKEN (POST /api/admin/machine-tokens mints one):'
      : 'Issue a license: paste this. Pasted again it answers the same license (created: false).'
  return textSection(heading, pasted(curlLines(`${origin}/api/admin/provisioning`, { header, body })))
}

export interface FirstAccount {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly setupToken: string
}

/** @param kept where the password is kept, in words */
export function firstAccountLines(origin: string, account: FirstAccount, kept: string): string[] {
  return [
    ...textSection(
      'Make the first account of the panel, which may do everything: paste this.',
      pasted(curlLines(`${origin}/api/auth/register`, { body: account })),
    ),
    '',
    ...factLines([
      ['e-mail', account.email],
      ['password', kept],
    ]),
  ]
}
