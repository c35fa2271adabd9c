/** The size of the code, and the cost of one section. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { median, percentile } from './spread.ts'

const ROOT = join(import.meta.dirname, '../..')

interface Spread {
  readonly number: number
  readonly lines: number
  readonly median: number
  readonly p95: number
}

export interface Sizes {
  readonly files: Spread
  readonly functions: Spread
  /** Share of all lines that are comments, in percent. */
  readonly commentPercent: number
}

const spread = (lines: readonly number[]): Spread => ({
  number: lines.length,
  lines: lines.reduce((sum, each) => sum + each, 0),
  median: median(lines),
  p95: percentile(lines, 95),
})

const linesOf = (text: string): number => text.split('\n').length - 1

const found = (...patterns: string[]): string[] => globSync(patterns, { cwd: ROOT }).map((path) => join(ROOT, path))

/** Of src and projections. The lines of a function include its inner functions. */
export function sizes(): Sizes {
  const texts = found('src/**/*.ts', 'projections/**/*.ts').map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const lines = texts.map(({ text }) => linesOf(text))
  const functions: number[] = []
  let commentLines = 0
  for (const { path, text } of texts) {
    const { program, comments } = parseSync(path, text)
    const spans = ({ start, end }: { start: number; end: number }) => text.slice(start, end).split('\n').length
    const count = (node: { start: number; end: number }) => void functions.push(spans(node))
    new Visitor({
      FunctionDeclaration: count,
      FunctionExpression: count,
      ArrowFunctionExpression: count,
    }).visit(program)
    for (const comment of comments) commentLines += spans(comment)
  }
  const files = spread(lines)
  return { files, functions: spread(functions), commentPercent: (commentLines / files.lines) * 100 }
}

/** The lines of each section of a service, including its read models. */
export function sectionLines(service: 'licensing' | 'panel'): Readonly<Record<string, number>> {
  const names = globSync(`src/${service}/*/`, { cwd: ROOT }).map((path) => basename(path))
  const lines = (name: string): [string, number] => {
    const { section, projection } = cost(service, name)
    return [name, section + projection]
  }
  return Object.fromEntries(names.map(lines).toSorted(([, one], [, other]) => other - one))
}

export interface Cost {
  readonly section: number
  readonly projection: number
  readonly test: number
}

/** In lines: its folder, its read model, its tests. */
export function cost(service: 'licensing' | 'panel', section: string): Cost {
  const lines = (...patterns: string[]): number =>
    found(...patterns).reduce((sum, path) => sum + linesOf(readFileSync(path, 'utf8')), 0)
  return {
    section: lines(`src/${service}/${section}/**/*.ts`),
    projection: lines(`projections/${service}/${section}.ts`),
    test: lines(`test/${service}/${section}*.test.ts`),
  }
}
