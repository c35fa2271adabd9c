/** A module as operators see it: its text, its nodes in the order of the text, and what encloses a node. */
import { parseSync, visitorKeys } from 'oxc-parser'
import type { CallExpression, Expression, Node, ObjectExpression, ObjectProperty, StaticImport } from 'oxc-parser'

export interface Source {
  /** Relative to the project, such as `src/panel/teams/events.ts`. */
  readonly file: string
  readonly text: string
  readonly nodes: readonly Node[]
  readonly imports: readonly StaticImport[]
  parentOf(node: Node): Node | undefined
}

/** @throws Error for a text that is no TypeScript */
export function parseSource(file: string, text: string): Source {
  const { program, module, errors } = parseSync(file, text, { preserveParens: false })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const nodes: Node[] = []
  const parents = new Map<Node, Node>()
  const visit = (node: Node): void => {
    nodes.push(node)
    for (const child of childrenOf(node)) {
      parents.set(child, node)
      visit(child)
    }
  }
  visit(program)
  return { file, text, nodes, imports: module.staticImports, parentOf: (node) => parents.get(node) }
}

function childrenOf(node: Node): Node[] {
  const fields = node as unknown as Readonly<Record<string, Node | (Node | null)[] | null | undefined>>
  return (visitorKeys[node.type] ?? []).flatMap((key) => fields[key] ?? []).filter((child) => child !== null)
}

/** A node and all that it encloses. */
export const nodesWithin = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(nodesWithin)]

export const textOf = ({ text }: Source, { start, end }: { start: number; end: number }): string =>
  text.slice(start, end)

const SHORTENED_CHARACTERS_MAX = 40

/** A text as it is called in an identity. */
export const shortened = (source: Source, node: Node): string =>
  textOf(source, node).replaceAll(/\s+/g, ' ').slice(0, SHORTENED_CHARACTERS_MAX)

/** The nodes of one type. */
export const nodesOf = <Type extends Node['type']>(
  { nodes }: Source,
  type: Type,
): readonly Extract<Node, { type: Type }>[] =>
  nodes.filter((node): node is Extract<Node, { type: Type }> => node.type === type)

/** `reject` of `reject(…)`, `erase` of `vault.erase(…)`. */
export function calleeName({ callee }: { readonly callee: Expression }): string | undefined {
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : undefined
}

export const keyName = ({ key }: ObjectProperty): string | undefined =>
  key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined

export const propertiesOf = (object: ObjectExpression): ObjectProperty[] =>
  object.properties.filter((property) => property.type === 'Property')

/** The text of a literal, or what of a template does not change: its longest piece. */
export function staticText(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node?.type !== 'TemplateLiteral') return undefined
  const pieces = node.quasis.map(({ value }) => value.cooked ?? '')
  return pieces.toSorted((one, other) => other.length - one.length)[0]
}

/** The function call that an argument, an object among them, is given to. */
export function callAround(source: Source, node: Node): CallExpression | undefined {
  const parent = source.parentOf(node)
  return parent?.type === 'CallExpression' ? parent : undefined
}

const EVENT = /[eE]vent$/
const EVENTS = /^(eventsAbout|declareEvents)$/

/** The name of the event that an object declares: the options of `event(…)`, or an entry of `eventsAbout(…)({…})`. */
export function nameOfEvent(source: Source, object: Node): string | undefined {
  const parent = source.parentOf(object)
  if (parent?.type === 'CallExpression')
    return EVENT.test(calleeName(parent) ?? '') ? (staticText(parent.arguments[0]) ?? 'an event') : undefined
  const all = parent?.type === 'Property' ? source.parentOf(parent) : undefined
  const call = all?.type === 'ObjectExpression' ? callAround(source, all) : undefined
  if (!call || parent?.type !== 'Property') return undefined
  const declared = call.callee.type === 'CallExpression' ? call.callee : call
  return EVENTS.test(calleeName(declared) ?? '') ? keyName(parent as ObjectProperty) : undefined
}

/** What encloses a node and has a name, the innermost first: routes, events, commands, functions, constants. */
export function namesAround(source: Source, node: Node): string[] {
  const names: string[] = []
  for (let each: Node | undefined = node; each; each = source.parentOf(each)) {
    const name = nameOf(each)
    if (name !== undefined && name !== names.at(-1)) names.push(name)
  }
  return names
}

/** The innermost of what encloses a node and has a name. */
export function namedAround(source: Source, node: Node): Node | undefined {
  let each: Node | undefined = node
  while (each && nameOf(each) === undefined) each = source.parentOf(each)
  return each
}

export function nameOf(node: Node): string | undefined {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return node.id?.name
    case 'VariableDeclarator':
      return node.id.type === 'Identifier' ? node.id.name : undefined
    case 'Property':
      return isFunction(node.value) || hasSentence(node.value) ? keyName(node as ObjectProperty) : undefined
    case 'MethodDefinition':
      return methodName(node.key)
    case 'CallExpression':
      return NAMED_BY_ARGUMENT.test(calleeName(node) ?? '') ? staticText(node.arguments[0]) : undefined
    default:
      return undefined
  }
}

/** The declaration of an event in `eventsAbout`. */
const hasSentence = (node: Node): boolean =>
  node.type === 'ObjectExpression' && propertiesOf(node).some((property) => keyName(property) === 'sentence')

const methodName = (key: Node): string | undefined =>
  key.type === 'PrivateIdentifier' ? `#${key.name}` : key.type === 'Identifier' ? key.name : undefined

/** Calls that declare something, whose first argument is its name. */
const NAMED_BY_ARGUMENT = /^(route|change|listRoute|reaction|timer|recurringJob|readModel|[a-z]*[eE]vent)$/

export const isFunction = ({ type }: Node): boolean =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression'

/** What constants are called outside of the code: `eraseLinkRequests` is the job `forget-link-asks`. */
export const declaredNames = (sources: readonly Source[]): ReadonlyMap<string, string> =>
  new Map(
    sources
      .flatMap((source) => nodesOf(source, 'VariableDeclarator'))
      .flatMap(({ id, init }) => {
        const name = init?.type === 'CallExpression' ? nameOf(init) : undefined
        return id.type === 'Identifier' && name !== undefined ? [[id.name, name] as const] : []
      }),
  )
