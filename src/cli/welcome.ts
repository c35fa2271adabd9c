/** The output of `daybook start` once everything runs: the addresses, how to sign in, what to try. */
import { shellQuoted } from '../kernel/lib/shell-quote.ts'
import { curlLines } from './address.ts'

const LABEL_CHARACTERS = 18

export type Fact = readonly [label: string, text: string]

/** How to sign in. */
export interface SignInHint {
  readonly email: string
  /** Only a password that was generated and has not been shown yet. */
  readonly password?: string | undefined
  /** Describes where the password is. */
  readonly passwordPlace: string
}

export const factLines = (facts: readonly Fact[]): string[] =>
  facts.map(([label, text]) => `  ${label.padEnd(LABEL_CHARACTERS)}${text}`)

/**
 * The addresses of pages are public ones: a browser is kept signed in only there.
 * @param problem why there are no pages
 */
export const pagesFacts = (
  [backOffice, shop]: readonly [backOffice: string, shop: string | undefined],
  problem: string | undefined,
): Fact[] =>
  problem === undefined
    ? [['Back office', backOffice], ...(shop === undefined ? [] : [['Shop', shop] as const])]
    : [['Pages', problem]]

/** @param heading a sentence that ends with a colon */
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

/** @param token undefined: the user must set a machine token in the environment */
export function provisioningLines(origin: string, planSlug: string, token: string | undefined): string[] {
  const header =
    token === undefined ? '"Authorization: Bearer $DAYBOOK_TOKEN"' : shellQuoted(`Authorization: Bearer ${token}`)
  const body = { email: 'ada@example.com', planSlug, reference: 'order-1' }
  const heading =
    token === undefined
      ? 'Issue a license, with a machine token in DAYBOOK_TOKEN (POST /api/admin/machine-tokens creates one):'
      : 'Issue a license with this command. Repeated, it returns the same license (created: false).'
  return textSection(heading, pasted(curlLines(`${origin}/api/admin/provisioning`, { header, body })))
}

/** The token stands behind the `#`, which browsers do not send. */
export const setupLink = (url: string, setupToken: string): string => `${url}/setup#token=${setupToken}`

export interface FirstAccount {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly setupToken: string
}

/**
 * @param url the public address of the panel; undefined if it has no pages
 * @param kept where the password is stored, as a description
 */
export function firstAccountLines(
  origin: string,
  url: string | undefined,
  account: FirstAccount,
  kept: string,
): string[] {
  const heading = 'Create the first account of the panel, a SUPERADMIN,'
  const inBrowser = url === undefined ? [] : pasted([setupLink(url, account.setupToken)])
  return [
    ...(url === undefined ? [] : textSection(`${heading} in a browser:`, inBrowser)),
    ...textSection(
      url === undefined
        ? `${heading} with this command.`
        : 'Or create it with this command, with the e-mail address and the password below it.',
      pasted(curlLines(`${origin}/api/auth/register`, { body: account })),
    ),
    '',
    ...factLines([
      ['e-mail', account.email],
      ['password', kept],
    ]),
  ]
}
