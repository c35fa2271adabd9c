/** Which lines of the source have changed, by git. */
import { execFileSync } from 'node:child_process'

/** By file, the first and last line of each change. */
export type ChangedLines = ReadonlyMap<string, readonly (readonly [first: number, last: number])[]>

const RELEASES = 'v[0-9]*'

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] })

/** The tag of the last release before this commit; undefined where the clone has none. */
export function lastRelease(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', RELEASES).trim()
  } catch {
    return undefined
  }
}

/** @throws Error for a revision that is none */
export const changedSince = (revision: string): ChangedLines =>
  linesOf(git('diff', '--unified=0', '--no-renames', '--no-ext-diff', '--no-prefix', revision, '--'))

const CHANGE = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/

/** @param diff without context and prefixes */
export function linesOf(diff: string): ChangedLines {
  const changes = new Map<string, [number, number][]>()
  let file = ''
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) file = line.slice('+++ '.length)
    const [, first, count = '1'] = CHANGE.exec(line) ?? []
    // Where lines were only taken away, none is left to break.
    if (first === undefined || count === '0') continue
    changes.set(file, [...(changes.get(file) ?? []), [Number(first), Number(first) + Number(count) - 1]])
  }
  return changes
}
