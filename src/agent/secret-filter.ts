/**
 * Takes secrets out of text that arrives in pieces. The end of a piece that may be the beginning of a secret is held
 * back until the next piece shows whether it is.
 */

/** A shorter text is in every log by chance. */
const SECRET_CHARACTERS_MIN = 4
const INSTEAD = '***'

export interface SecretFilter {
  /** @returns what can be shown already */
  push(piece: string): string
  /** @returns the rest: nothing follows */
  end(): string
}

export function secretFilter(secrets: readonly string[]): SecretFilter {
  // A secret within another one is found only after the longer one.
  const all = secrets
    .filter(({ length }) => length >= SECRET_CHARACTERS_MIN)
    .toSorted((one, other) => other.length - one.length)
  let held = ''
  return {
    push(piece) {
      const text = without(held + piece, all)
      const keep = Math.max(0, ...all.map((secret) => overlap(text, secret)))
      held = text.slice(text.length - keep)
      return text.slice(0, text.length - keep)
    },
    end() {
      const rest = held
      held = ''
      return rest
    },
  }
}

/** All texts within the secrets of a task. */
export function secretsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsIn) : []
}

const without = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, INSTEAD), text)

/** The length of the longest end of the text with which the secret begins, but not the whole secret. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}
