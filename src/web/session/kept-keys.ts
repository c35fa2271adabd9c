/**
 * The Idempotency-Keys of changes whose outcome is not known. The same change, sent again from any form, is made once:
 * after a second click, a lost answer, or a dialog that was closed and filled in again.
 */
import { Refusal } from '#api-client/refusal'

const KEYS_MAX = 50
const TOO_MANY = 429

export interface KeptKeys {
  /** @param change what identifies it: the operation and its whole input */
  keyFor(change: string): string
  /** @param error undefined if it has succeeded */
  ended(change: string, error?: unknown): void
  clear(): void
}

export function keptKeys(): KeptKeys {
  const keys = new Map<string, string>()
  return {
    keyFor(change) {
      const key = keys.get(change) ?? newKey()
      // The newest last: the oldest is forgotten first.
      keys.delete(change)
      keys.set(change, key)
      if (keys.size > KEYS_MAX) keys.delete(keys.keys().next().value!)
      return key
    },
    ended(change, error) {
      if (error === undefined || isRefused(error)) keys.delete(change)
    },
    clear: () => keys.clear(),
  }
}

/** `crypto.randomUUID` is missing where a page is served over plain http from another machine. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/** A refused request has changed nothing. After a failure or no answer it may have. */
const isRefused = (error: unknown): boolean =>
  error instanceof Refusal && error.statusCode < 500 && error.statusCode !== TOO_MANY
