/** Questions to what is known of a source. */
import type { SourceFacts } from '../../../tasks/builds.ts'

export interface SourceFiles {
  /** Whether a file or a directory is there. Directories end with a slash. */
  has(path: string): boolean
  /** Undefined: it is not there, or its text is not known. */
  textOf(path: string): string | undefined
  /** Undefined for what is no object of JSON. */
  jsonOf(path: string): Readonly<Record<string, unknown>> | undefined
  readonly entries: readonly string[]
}

export function sourceFiles({ entries, files }: SourceFacts): SourceFiles {
  const [all, texts] = [new Set(entries), new Map(files.map(({ path, text }) => [path, text]))]
  return {
    entries,
    has: (path) => all.has(path) || texts.has(path),
    textOf: (path) => texts.get(path),
    jsonOf: (path) => objectIn(texts.get(path)),
  }
}

function objectIn(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of an object in an object that are texts; empty for anything else. */
export function textsIn(holder: Readonly<Record<string, unknown>>, name: string): ReadonlyMap<string, string> {
  const value = Object.hasOwn(holder, name) ? holder[name] : undefined
  const pairs = isObject(value) ? Object.entries(value) : []
  return new Map(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}
