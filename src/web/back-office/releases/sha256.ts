/** Browsers digest a whole buffer only: beyond this size it would take too much memory. */
const BYTES_MAX = 512 * 1024 ** 2

/**
 * In hexadecimal digits.
 * @returns undefined on a page over plain http from another machine, and for a file that is too large
 */
export async function sha256Of(file: Blob): Promise<string | undefined> {
  if (!('subtle' in crypto) || file.size > BYTES_MAX) return undefined
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
