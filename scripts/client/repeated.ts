/** Finds what stands more than once in a client, so that it is written once, with a name. */

/** What is shorter is easier to read where it stands. */
const CHARACTERS_MIN = 160

/** A type or a constant, with those within it. */
export interface Part<Source> {
  readonly source: Source
  /** As it is written in full: parts of one text are the same. */
  readonly text: string
  /** The name that it gets if it needs one. */
  readonly name: string
  readonly parts: readonly Part<Source>[]
}

export interface Named<Source> {
  readonly name: string
  readonly source: Source
}

/**
 * What stands only within something larger that is repeated gets no name of its own.
 *
 * @param known what has a name already
 * @returns what else is repeated, by its text
 */
export function repeatedIn<Source>(
  roots: readonly Part<Source>[],
  known: readonly Part<Source>[] = [],
): ReadonlyMap<string, Named<Source>> {
  const times = new Map<string, number>()
  const met: Part<Source>[] = []
  const count = (part: Part<Source>): void => {
    const before = times.get(part.text) ?? 0
    times.set(part.text, before + 1)
    if (before > 0) return
    met.push(part)
    part.parts.forEach(count)
  }
  roots.forEach(count)
  const used = new Set(known.map(({ name }) => name))
  const texts = new Set(known.map(({ text }) => text))
  const repeated = met.filter(({ text }) => text.length >= CHARACTERS_MIN && times.get(text)! > 1 && !texts.has(text))
  return new Map(repeated.map(({ text, name, source }) => [text, { source, name: unusedName(name, used) }]))
}

function unusedName(wanted: string, used: Set<string>): string {
  let name = wanted
  for (let number = 2; used.has(name); number++) name = `${wanted}${number}`
  used.add(name)
  return name
}
