/**
 * The words for programs that a route's rejections carry, read from the source: what the route's declaration
 * names, the functions that these call, and the commands that they decide. It follows names and not values, so
 * a code may be listed that no request to the route can cause.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { CallExpression, Node } from 'oxc-parser'
import type { ErrorCode } from '../../src/kernel/http/openapi/openapi.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import { Rejection } from '../../src/kernel/lib/rejection.ts'
import type { RejectionKind } from '../../src/kernel/lib/rejection.ts'
import { calleeName, isFunction, keyName, nodesOf, nodesWithin, parseSource, propertiesOf } from '../mutants/source.ts'
import type { Source } from '../mutants/source.ts'

const ROOT = join(import.meta.dirname, '../..')

const sources = new Map<string, Source>()
const read = (file: string): Source => {
  const source = sources.get(file) ?? parseSource(file, readFileSync(join(ROOT, file), 'utf8'))
  sources.set(file, source)
  return source
}

/** The codes of a file, or of all files below a folder, such as `src/kernel/http`. */
export const errorCodesIn = (place: string): ErrorCode[] =>
  distinct(
    globSync([place, `${place}/**/*.ts`], { cwd: ROOT })
      .filter((file) => file.endsWith('.ts'))
      .toSorted()
      .flatMap((file) => nodesOf(read(file), 'CallExpression').flatMap(codeOf)),
  )

/** One line a code: the first message stands for others. */
export function distinct(codes: readonly ErrorCode[]): ErrorCode[] {
  const first = new Map(codes.toReversed().map((each) => [`${each.status} ${each.code}`, each]))
  return [...first.values()].toSorted((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1))
}

function codeOf(call: CallExpression): ErrorCode[] {
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

/** A part of a module that is followed. */
interface Part {
  readonly source: Source
  readonly node: Node
}

/** A call that declares a route, by its line: `POST …/login` in code that several realms share. */
type DeclaredRoutes = ReadonlyMap<string, Part>

const routesIn = (folder: string): DeclaredRoutes =>
  new Map(
    globSync(`${folder}/**/*.ts`, { cwd: ROOT }).flatMap((file) =>
      nodesOf(read(file), 'CallExpression').flatMap((node): [string, Part][] => {
        const line = textOf(node.arguments[0])
        return line !== undefined && /^[A-Z]+ [/…]/.test(line) ? [[line, { source: read(file), node }]] : []
      }),
    ),
  )

/** The shared route with this line, if its last part is a text. */
const sharedRoute = (routes: DeclaredRoutes, line: string): Part | undefined =>
  [...routes].find(([pattern]) => {
    const [method, end, more] = pattern.split(/ ?…/)
    return more === undefined && end !== '' && line.startsWith(`${method} `) && line.endsWith(end ?? line)
  })?.[1]

/** What a route with `stepUp` rejects: every session has the check, and only the endpoint calls it. */
const PROOF = 'src/kernel/auth/recent-proof.ts'

/** The codes of each route of a service. */
export function errorCodesOfRoutes(service: string): (route: Pick<Route, 'line' | 'stepUp'>) => ErrorCode[] {
  const [own, shared] = [routesIn(`src/${service}`), routesIn('src/kernel/auth')]
  return ({ line, stepUp }) => {
    const route = own.get(line) ?? sharedRoute(shared, line)
    const followed = { service, isRead: line.startsWith('GET '), seen: new Set<Node>(), texts: new Set<string>() }
    return distinct([...(route ? codesFrom(route, followed) : []), ...(stepUp ? errorCodesIn(PROOF) : [])])
  }
}

/** What was followed from one route. */
interface Followed {
  readonly service: string
  /** A read names resources without their commands. */
  readonly isRead: boolean
  readonly seen: Set<Node>
  /** The texts in what was followed: a command whose name is a variable is one of them. */
  readonly texts: Set<string>
}

function codesFrom({ source, node }: Part, followed: Followed): ErrorCode[] {
  if (followed.seen.has(node)) return []
  followed.seen.add(node)
  const within = nodesWithin(node)
  for (const text of within.flatMap((each) => textOf(each) ?? [])) followed.texts.add(text)
  const deciders = within.flatMap((each) => commandsIn({ source, node: each }, followed))
  const named = within.flatMap((each) =>
    each.type === 'Identifier' ? partsNamed(source, each.name, followed.service) : [],
  )
  return [
    ...within.flatMap((each) => (each.type === 'CallExpression' ? codeOf(each) : [])),
    ...deciders.flatMap((part) => codesFrom(part, followed)),
    ...named.filter(({ node: each }) => !isState(each, followed)).flatMap((part) => codesFrom(part, followed)),
  ]
}

/** The functions of the commands that a call decides. */
function commandsIn(part: Part, { service, texts }: Followed): Part[] {
  const { source, node } = part
  if (node.type !== 'CallExpression' || calleeName(node) !== 'decide') return []
  const [decider, , command] = node.arguments
  if (decider?.type !== 'Identifier') return []
  const name = textOf(command)
  const [declared] = partsNamed(source, decider.name, service)
  if (!declared) return []
  return nodesWithin(declared.node)
    .flatMap((each) => (each.type === 'ObjectExpression' ? propertiesOf(each) : []))
    .filter((each) => {
      const key = keyName(each)
      return isFunction(each.value) && key !== undefined && (name === undefined ? texts.has(key) : key === name)
    })
    .map(({ value }) => ({ source: declared.source, node: value }))
}

/** Constants whose functions are not called by naming them. */
const isState = (node: Node, { isRead }: Followed): boolean =>
  node.type === 'VariableDeclarator' &&
  node.init?.type === 'CallExpression' &&
  (isRead ? /^(decider|resource|record)$/ : /^decider$/).test(calleeName(node.init) ?? '')

/** The declaration of a name at the top of its module, or of the module that it is imported from. */
function partsNamed(source: Source, name: string, service: string): Part[] {
  const own = declarationsOf(source).get(name)
  if (own) return [{ source, node: own }]
  for (const { moduleRequest, entries } of source.imports) {
    const entry = entries.find(({ localName, isType }) => localName.value === name && !isType)
    const file = entry && fileOf(source, moduleRequest.value, service)
    const node = file && declarationsOf(read(file)).get(entry.importName.name ?? '')
    if (node) return [{ source: read(file), node }]
  }
  return []
}

/** Of the kernel, what answers requests for a service; what all routes have in common is on the index. */
const FOLLOWED_KERNEL = /^src\/kernel\/(auth|resource|mail)\/(?!recent-proof\.ts)/

function fileOf({ file }: Source, request: string, service: string): string | undefined {
  const path = request.startsWith('.')
    ? relative(ROOT, join(ROOT, file, '..', request))
    : `${request.replace(/^#(kernel|licensing|panel)\//, 'src/$1/')}.ts`
  const isFollowed = path.startsWith(`src/${service}/`) || FOLLOWED_KERNEL.test(path)
  return isFollowed && existsSync(join(ROOT, path)) ? path : undefined
}

const declared = new WeakMap<Source, ReadonlyMap<string, Node>>()

function declarationsOf(source: Source): ReadonlyMap<string, Node> {
  const known = declared.get(source)
  if (known) return known
  const program = source.nodes[0]!
  const body = program.type === 'Program' ? (program.body as readonly Node[]) : []
  const found = new Map(
    body
      .map((each) => (each.type === 'ExportNamedDeclaration' ? ((each.declaration ?? each) as Node) : each))
      .flatMap(namedIn),
  )
  declared.set(source, found)
  return found
}

function namedIn(node: Node): [string, Node][] {
  if (node.type === 'FunctionDeclaration' && node.id) return [[node.id.name, node]]
  if (node.type !== 'VariableDeclaration') return []
  return node.declarations.flatMap(({ id, ...rest }): [string, Node][] => {
    const declarator = { id, ...rest } as unknown as Node
    if (id.type === 'Identifier') return [[id.name, declarator]]
    if (id.type !== 'ObjectPattern') return []
    return id.properties.flatMap((each) =>
      each.type === 'Property' && each.value.type === 'Identifier'
        ? [[each.value.name, declarator] as [string, Node]]
        : [],
    )
  })
}
