/** Parses lists of names with weights, such as Accept and Accept-Encoding (RFC 9110, 12.4.2). */

const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** @returns weights from 0 to 1 by names in lower case; an invalid weight is 0, other parameters are ignored */
export const weightsIn = (header: string): ReadonlyMap<string, number> => new Map(header.split(',').map(weighted))

function weighted(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
  const given = parameters.find((each) => each.startsWith('q='))?.slice('q='.length)
  return [name, given === undefined ? 1 : weightOf(given)]
}

const weightOf = (text: string): number => (WEIGHT.test(text) ? Number(text) : 0)
