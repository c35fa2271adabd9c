/** What the environment says in secret. Neither a terminal nor a log shows it, whatever a library puts into its errors. */

/** The variables that are secret as a whole. */
const SECRETS = [
  'DAYBOOK_SECRET_KEY',
  'PANEL_SECRET_KEY',
  'DAYBOOK_ADMIN_PASSWORD',
  'DAYBOOK_LICENSE_KEY',
  'DAYBOOK_ROOT_PASSPHRASE',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
]
/** Those that are URLs, in which a password may stand. */
const URLS = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'PANEL_DATABASE_URL',
  'PANEL_DATABASE_OWNER_URL',
  'EVENT_STORE_URL',
  'REDIS_URL',
  'SMTP_URL',
]
/** Shorter ones occur in words. */
const CHARACTERS_MIN = 6

/** @returns every spelling that an error may repeat, the longest first */
export function secretValuesIn(env: NodeJS.ProcessEnv): readonly string[] {
  const whole = SECRETS.flatMap((name) => env[name]?.trim() ?? [])
  const found = [...whole, ...URLS.flatMap((name) => passwordsIn(env[name] ?? ''))]
  const long = found.filter((text) => text.length >= CHARACTERS_MIN)
  return [...new Set(long)].toSorted((one, other) => other.length - one.length)
}

/** With each of the secrets replaced by a word that says so. */
export const maskSecrets = (text: string, withheld: readonly string[]): string =>
  withheld.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text)

/** Also of a text that is no URL because its password has not been encoded. */
function passwordsIn(url: string): string[] {
  const userinfos = [/^[\w+.-]+:\/\/([^/?#]*)@/, /^[\w+.-]+:\/\/(.*)@/s].flatMap((shape) => shape.exec(url)?.[1] ?? [])
  const afterColon = userinfos.flatMap((text) => (text.includes(':') ? text.slice(text.indexOf(':') + 1) : []))
  const inQuery = [...url.matchAll(/[?&]password=([^&#]*)/g)].map(([, text]) => text!)
  return [...afterColon, ...inQuery].flatMap((text) => [text, decoded(text)])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
