/** Which files a .dockerignore leaves out. Source: Dockerfile reference, ".dockerignore file". */
import { globOf } from './glob.ts'

export interface IgnoreRules {
  /** @param path below the context */
  isIgnored(path: string): boolean
  /** Whether all below an ignored directory is ignored too. */
  readonly isFinal: boolean
}

export function ignoreRules(text: string): IgnoreRules {
  const rules = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap(ruleOf)
  return {
    isFinal: rules.every(({ isKept }) => !isKept),
    isIgnored(path) {
      const parts = path.split('/')
      // A rule for a directory holds for all below it.
      const all = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
      const rule = rules.findLast(({ matches }) => all.some(matches))
      return rule !== undefined && !rule.isKept
    },
  }
}

interface Rule {
  readonly matches: (path: string) => boolean
  readonly isKept: boolean
}

function ruleOf(line: string): Rule[] {
  const text = line.trim()
  if (line.startsWith('#')) return []
  const isKept = text.startsWith('!')
  const segments: string[] = []
  for (const segment of text
    .slice(isKept ? 1 : 0)
    .trim()
    .split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  const matches = segments.length === 0 ? undefined : globOf(segments.join('/'))
  return matches ? [{ matches, isKept }] : []
}
