/** Precedence of semantic versions (Semantic Versioning 2.0.0, 11), without build metadata. */

/** @returns less than 0 if `one` precedes `other`, 0 if they are equal */
export function compareVersions(one: string, other: string): number {
  const [[ownCore, ownTag], [otherCore, otherTag]] = [partsOf(one), partsOf(other)]
  return compareParts(ownCore, otherCore) || compareTags(ownTag, otherTag)
}

function partsOf(version: string): readonly [core: string[], tag: string[]] {
  const end = version.indexOf('-')
  const [core, tag] = end < 0 ? [version, ''] : [version.slice(0, end), version.slice(end + 1)]
  return [core.split('.'), tag === '' ? [] : tag.split('.')]
}

/** A version with a tag precedes the one without. */
const compareTags = (one: string[], other: string[]): number =>
  one.length === 0 || other.length === 0 ? other.length - one.length : compareParts(one, other)

function compareParts(one: string[], other: string[]): number {
  for (const [nth, part] of one.entries()) {
    const against = other[nth]
    const order = against === undefined ? 1 : comparePart(part, against)
    if (order !== 0) return order
  }
  return one.length - other.length
}

const isNumber = (part: string): boolean => /^\d+$/.test(part)

/** A number precedes a word. */
function comparePart(one: string, other: string): number {
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? -1 : 1
  if (isNumber(one)) return Number(one) - Number(other)
  return one === other ? 0 : one < other ? -1 : 1
}
