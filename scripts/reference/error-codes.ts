/** The words for programs that a section's rejections carry, read from the source. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Node } from 'oxc-parser'
import { Rejection } from '../../src/kernel/lib/rejection.ts'
import type { RejectionKind } from '../../src/kernel/lib/rejection.ts'
import { calleeName, nodesOf, parseSource } from '../mutants/source.ts'
import type { Source } from '../mutants/source.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface ErrorCode {
  readonly status: number
  readonly code: string
  /** What changes from one answer to the next is `…`. */
  readonly message: string
}

const read = (file: string): Source => parseSource(file, readFileSync(join(ROOT, file), 'utf8'))

/** The codes of all files below a folder, such as `src/kernel/http`. */
export const errorCodesIn = (folder: string): ErrorCode[] => distinct(filesIn(folder).map(read))

/** The codes of a section's folder and of the workflows that it runs. */
export function errorCodesOf(service: string, section: string): ErrorCode[] {
  const sources = new Map<string, Source>()
  const visit = (file: string): void => {
    if (sources.has(file)) return
    const source = read(file)
    sources.set(file, source)
    for (const workflow of workflowsOf(source, service)) visit(workflow)
  }
  filesIn(`src/${service}/${section}`).forEach(visit)
  return distinct([...sources.values()])
}

const filesIn = (folder: string): string[] => globSync(`${folder}/**/*.ts`, { cwd: ROOT }).toSorted()

function workflowsOf({ file, imports }: Source, service: string): string[] {
  const workflows = `src/${service}/workflows/`
  return imports
    .map(({ moduleRequest: { value } }) =>
      value.startsWith('.')
        ? relative(ROOT, join(ROOT, file, '..', value))
        : value.replace(`#${service}/`, `src/${service}/`).replace(/(?<!\.ts)$/, '.ts'),
    )
    .filter((path) => path.startsWith(workflows) && existsSync(join(ROOT, path)))
}

/** One line a code: the first message stands for others. */
function distinct(sources: readonly Source[]): ErrorCode[] {
  const codes = sources.flatMap((source) => nodesOf(source, 'CallExpression').flatMap(codeOf))
  const first = new Map(codes.toReversed().map((each) => [`${each.status} ${each.code}`, each]))
  return [...first.values()].toSorted((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1))
}

function codeOf(call: Parameters<typeof calleeName>[0] & { readonly arguments: readonly Node[] }): ErrorCode[] {
  const [kind, message, code] = call.arguments.map(textOf)
  if (calleeName(call) !== 'reject' || kind === undefined || message === undefined || code === undefined) return []
  return [{ status: new Rejection(kind as RejectionKind, message).statusCode, code, message }]
}

/** The text of a literal; what a template inserts is `…`. */
function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join('…')
  if (node?.type !== 'BinaryExpression') return undefined
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === undefined || right === undefined ? undefined : left + right
}
