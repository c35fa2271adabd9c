/** The page of one section: its routes, each with callers, input, answer, errors and an example. */
import type { JsonObject } from '../../src/kernel/events/store-port.ts'
import type { ErrorCode } from '../../src/kernel/http/openapi/openapi.ts'
import { parametersAsSchema, schemaIn, statesText } from '../../src/kernel/http/openapi/operations.ts'
import type { Operation, Parameter, Spec } from '../../src/kernel/http/openapi/operations.ts'
import { fieldsOf } from '../../src/kernel/http/openapi/schema-fields.ts'
import type { Field } from '../../src/kernel/http/openapi/schema-fields.ts'
import { bytesLimit } from '../../src/kernel/http/route.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import { answerOf } from './answer.ts'
import type { Shown } from './answer.ts'
import { distinct } from './error-codes.ts'
import { exampleOf } from './example.ts'
import { hasNews, rulesText, typeText } from './field-text.ts'
import { anchorOf, code, page, table, titleOf } from './markdown.ts'

export interface DocumentedRoute {
  readonly route: Route
  readonly operation: Operation
  readonly codes: readonly ErrorCode[]
}

export interface SectionPage {
  readonly name: string
  readonly routes: readonly DocumentedRoute[]
}

export interface PageContext {
  /** Such as `licensing service`. */
  readonly service: string
  /** The shell variable of the examples. */
  readonly base: string
  /** By kind of credential. */
  readonly credentials: Readonly<Record<string, string>>
  isShared(parameter: Parameter): boolean
  /** Statuses that every route may answer. */
  readonly usualStatuses: ReadonlySet<string>
}

export const NOTICE =
  '<!-- Written by `npm run reference` from the declarations of the routes. Change those, not this page. -->'

export function sectionPage({ name, routes }: SectionPage, context: PageContext): string {
  const codes = distinct(routes.flatMap((each) => each.codes))
  const shown: Shown = new Map()
  return page(
    NOTICE,
    `# ${titleOf(name)}`,
    `Routes of the ${context.service}. [The reference](../README.md) explains callers, errors and shared parameters.`,
    table(
      ['Route', 'Effect'],
      routes.map(({ route, operation }) => [
        `[${route.line}](#${anchorOf(route.line)})`,
        escaped(firstSentenceOf(operation.spec.description)),
      ]),
    ),
    ...routes.map((each) => routePart(each, context, shown)),
    codes.length === 0 ? '' : '## Error codes',
    codesTable(codes),
  )
}

export const codesTable = (codes: readonly ErrorCode[]): string =>
  table(
    ['Status', 'Error-Code', 'Message'],
    codes.map(({ status, code: word, message }) => [String(status), code(word), escaped(message)]),
  )

const firstSentenceOf = (text: string): string => text.split(/(?<=\.)\s/)[0]!.replace(/\.$/, '')

/** A text that is no Markdown. */
const escaped = (text: string): string => text.replaceAll(/[<*_]/g, String.raw`\$&`)

function routePart({ route, operation, codes }: DocumentedRoute, context: PageContext, shown: Shown): string {
  const { spec } = operation
  return page(
    `## ${route.line}`,
    escapedOutsideCode(spec.description),
    `**Callers:** ${callersOf(spec, context)}`,
    spec['x-from'] ? `**From:** ${statesText(spec, code)}. In any other state nothing changes.` : '',
    parametersPart(spec, context),
    bodyPart(route, spec),
    answerOf(route, spec, shown),
    errorsPart(spec, codes, context),
    `\`\`\`sh\n${exampleOf(route, operation, context.base)}\n\`\`\``,
  ).trimEnd()
}

/** A description may hold code. */
const escapedOutsideCode = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : escaped(part)))
    .join('')

function callersOf(spec: Spec, { credentials }: PageContext): string {
  const kinds = spec['x-open-to']
  if (kinds.length === 0) return 'public, without a credential.'
  const [permission, scope] = [spec['x-permission'], spec['x-scope']]
  const needs = [permission === undefined ? [] : `the permission ${code(permission)}`, spec['x-requires'] ?? []].flat()
  const named = kinds.map((kind) => callerName(credentials[kind]!)).join(' or ')
  return [
    `${named}.`,
    needs.length === 0 ? '' : `Needs ${needs.join(' and ')}.`,
    scope === undefined ? '' : `An API key needs the scope ${code(scope)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** `A staff session: …` is the credential `a staff session`. */
export const callerName = (credential: string): string => {
  const name = credential.split(/[:.(]/)[0]!.trim()
  return name.replace(/^A(n?) /, 'a$1 ')
}

function parametersPart({ parameters }: Spec, { isShared }: PageContext): string {
  const inPath = parameters.filter((each) => each.in === 'path')
  const own = parameters.filter((each) => each.in !== 'path' && !isShared(each))
  const shared = parameters.filter(isShared).map(({ name }) => code(name))
  return [
    inPath.length === 0 ? '' : `**Path:** ${fieldsIn(inPath).map(pathText).join(', ')}.`,
    table(
      ['Query', 'Type', 'Rules'],
      fieldsIn(own).map((field) => [code(field.name), typeText(field), rulesText(field)]),
    ),
    shared.length === 0 ? '' : `Also ${shared.join(', ')} ([shared parameters](../README.md#shared-parameters)).`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

const fieldsIn = (parameters: readonly Parameter[]): Field[] =>
  parameters.length === 0 ? [] : fieldsOf(parametersAsSchema(parameters)).filter(hasNews)

const pathText = (field: Field): string => {
  const rules = rulesText({ ...field, required: false })
  return `${code(field.name)} (${typeText(field)}${rules === '' ? '' : `, ${rules}`})`
}

function bodyPart(route: Route, spec: Spec): string {
  const limit = route.upload?.bytesMax ?? (route.body && bytesLimit(route.body))
  if (limit !== undefined) return `**Body:** raw bytes, at most ${limit.toLocaleString('en')}.`
  const schema = schemaIn(spec.requestBody)
  if (schema === undefined) return ''
  const isEmpty = schema['type'] === 'object' && Object.keys((schema['properties'] ?? {}) as JsonObject).length === 0
  const rule = schema['description'] === undefined ? '' : `\n\n${schema['description'] as string}`
  return isEmpty ? `**Body:** ${code('{}')}.` : `**Body**\n\n${inputTable(schema)}${rule}`
}

const inputTable = (schema: JsonObject): string =>
  table(
    ['Field', 'Type', 'Required', 'Rules'],
    fieldsOf(schema)
      .filter(hasNews)
      .map((field) => [
        code(field.name),
        typeText(field),
        field.required ? 'yes' : '',
        rulesText({ ...field, required: false }),
      ]),
  )

/** A status that every route may answer is named only with codes of this one. */
function errorsPart({ responses }: Spec, codes: readonly ErrorCode[], { usualStatuses }: PageContext): string {
  const statuses = Object.keys(responses).flatMap((status) => {
    const words = codes.filter((each) => String(each.status) === status).map((each) => code(each.code))
    if (Number(status) < 400 || (words.length === 0 && usualStatuses.has(status))) return []
    return words.length === 0 ? status : `${status} ${words.join(', ')}`
  })
  return statuses.length === 0 ? '' : `**Errors:** ${statuses.join('; ')} ([meaning](../README.md#errors)).`
}
