/**
 * The path in a navigation that the page belongs to: the longest one that begins its address.
 * @param home a path that only its own page belongs to, because it begins all addresses
 */
export function chosenOf(location: string, paths: readonly string[], home: string): string | undefined {
  const above = paths.filter((path) => location === path || (path !== home && location.startsWith(`${path}/`)))
  return above.toSorted((one, other) => other.length - one.length)[0]
}
