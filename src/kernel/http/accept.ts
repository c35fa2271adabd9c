/** Which of several content types a caller likes best (RFC 9110, 12.5.1). */

/** @returns the first of `types` where the header Accept likes several of them alike, or none */
export function preferred<Type extends string>(types: readonly [Type, ...Type[]], accept = '*/*'): Type {
  const ranges = accept.split(',').map(rangeOf)
  const [first, ...others] = types
  return others.reduce<Type>((best, type) => (quality(ranges, type) > quality(ranges, best) ? type : best), first)
}

interface Range {
  /** `text/html`, `text/*` or anything else that names no type. */
  readonly type: string
  /** 0 to 1. */
  readonly weight: number
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length)
  return { type, weight: given === undefined ? 1 : weightOf(given) }
}

const weightOf = (text: string): number => (/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0)

/** The most specific range that covers a type says how welcome it is. */
function quality(ranges: readonly Range[], type: string): number {
  const covering = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const each of covering) {
    const range = ranges.find((candidate) => candidate.type === each)
    if (range) return range.weight
  }
  return 0
}
