/** Waits in words. */

const MINUTE_S = 60

/** @param seconds above 0 */
export function wordsFor(seconds: number): string {
  if (seconds < 2 * MINUTE_S) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / MINUTE_S)} minutes`
}
