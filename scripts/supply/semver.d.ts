/** The part of it that is used here; it brings no types. */
declare module 'semver' {
  export function satisfies(version: string, range: string, options?: { includePrerelease?: boolean }): boolean
  /** @returns the range in its normal form, or null when it is none */
  export function validRange(range: string): string | null
}
