/** The part of the package that is used here; it has no types. */
declare module 'semver' {
  export function satisfies(version: string, range: string, options?: { includePrerelease?: boolean }): boolean
  /** @returns the range in its normal form, or null if it is not a range */
  export function validRange(range: string): string | null
}
