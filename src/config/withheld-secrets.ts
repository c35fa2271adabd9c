/**
 * The secrets in the environment. They are masked in terminals and logs, whatever a library puts into
 * its errors.
 */

/** Variables whose whole value is secret. */
const SECRETS = [
  'DAYBOOK_SECRET_KEY',
  'PANEL_SECRET_KEY',
  'DAYBOOK_ADMIN_PASSWORD',
  'DAYBOOK_LICENSE_KEY',
  'DAYBOOK_ROOT_PASSPHRASE',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
]
/** URLs that may contain a password. */
const URLS = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'PANEL_DATABASE_URL',
  'PANEL_DATABASE_OWNER_URL',
  'EVENT_STORE_URL',
  'REDIS_URL',
  'SMTP_URL',
]
/** Shorter ones may be parts of words. */
const CHARACTERS_MIN = 6

/** @returns every spelling that an error may repeat, the longest first */
export function secretValuesIn(env: NodeJS.ProcessEnv): readonly string[] {
  const whole = SECRETS.flatMap((name) => env[name]?.trim() ?? [])
  const found = [...whole, ...URLS.flatMap((name) => passwordsIn(env[name] ?? ''))]
  const long = found.filter((text) => text.length >= CHARACTERS_MIN)
  return [...new Set(long)].toSorted((one, other) => other.length - one.length)
}

/** Replaces each secret by `[secret]`. */
export const maskSecrets = (text: string, withheld: readonly string[]): string =>
  withheld.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text)

/** Also finds the password in an invalid URL, whose password was not encoded. */
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
