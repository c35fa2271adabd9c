/** What a route answers. An object that the page has already shown is a link to it. */
import type { Json, JsonObject } from '../../src/kernel/events/store-port.ts'
import { schemaIn } from '../../src/kernel/http/openapi/operations.ts'
import type { Spec } from '../../src/kernel/http/openapi/operations.ts'
import { fieldsOf } from '../../src/kernel/http/openapi/schema-fields.ts'
import { isBodiless } from '../../src/kernel/http/reply.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import { hasNews, typeText } from './field-text.ts'
import { anchorOf, code, table } from './markdown.ts'

/** Smaller objects are shown again, because a link is no shorter. */
const LINKED_FIELDS_MIN = 5

/** Where a page has shown an object, by the text of its schema. */
export type Shown = Map<string, { readonly line: string; readonly field: string }>

/** @param shown what this answer shows is added */
export function answerOf(route: Route, spec: Spec, shown: Shown): string {
  const statuses = Object.keys(spec.responses).filter((status) => Number(status) < 400)
  const heading = `**Answer:** ${statuses.map((status) => statusText(status, spec)).join('; ')}`
  const withBody = statuses.find((status) => !isBodiless(Number(status)))
  const content = withBody === undefined ? undefined : spec.responses[withBody]!.content
  if (!content) return `${heading}.`
  const types = Object.keys(content)
  if (!types[0]!.startsWith('application/json')) return `${heading}, as ${types.map(code).join(' or ')}.`
  const schema = schemaIn(spec.responses[withBody!])!
  const list = listOf(schema)
  const described = list ? `${heading}. The body is ${list.text}` : heading
  const item = list?.item ?? schema
  const known = shown.get(JSON.stringify(item))
  if (known !== undefined) return `${described}, ${list ? 'each item with' : 'with'} the fields of ${linkTo(known)}.`
  return `${described}${list ? ', each item with these fields:' : ':'}\n\n${tableOf(item, route.line, shown)}`
}

const statusText = (status: string, spec: Spec): string => {
  const { description } = spec.responses[status]!
  return `${status} ${description.slice(0, 1).toLowerCase()}${description.slice(1)}`
}

interface List {
  readonly item: JsonObject
  readonly text: string
}

/** A list has one schema of items, in every form in which it is answered. */
function listOf(schema: JsonObject): List | undefined {
  const forms = (schema['anyOf'] ?? schema['oneOf'] ?? [schema]) as JsonObject[]
  const items = forms.map(itemsOf)
  const [item] = items
  if (!item || items.some((each) => JSON.stringify(each) !== JSON.stringify(item))) return undefined
  return { item, text: forms.map(formText).join(' or ') }
}

const itemsOf = ({ items, properties }: JsonObject): JsonObject | undefined =>
  (items ?? ((properties as JsonObject | undefined)?.['items'] as JsonObject | undefined)?.['items']) as
    | JsonObject
    | undefined

const formText = ({ properties }: JsonObject): string =>
  properties === undefined ? 'a list' : code(`{ ${Object.keys(properties as JsonObject).join(', ')} }`)

function tableOf(schema: JsonObject, line: string, shown: Shown): string {
  const linked = withLinks(schema, shown) as JsonObject
  remember(schema, { line, field: '' }, shown)
  return table(
    ['Field', 'Type', 'Note'],
    fieldsOf(linked)
      .filter(hasNews)
      .map((field) => [
        code(field.name),
        typeText(field),
        [field.required ? '' : 'optional', field.description ?? ''].filter(Boolean).join('. '),
      ]),
  )
}

function linkTo({ line, field }: { readonly line: string; readonly field: string }): string {
  const link = `[${line}](#${anchorOf(line)})`
  return field === '' ? link : `${code(field)} of ${link}`
}

/** Objects within the schema that were shown become a link. */
function withLinks(node: Json, shown: Shown): Json {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((each) => withLinks(each, shown))
  const known = shown.get(JSON.stringify(node))
  if (known !== undefined) return { type: 'object', description: `as ${linkTo(known)}` }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withLinks(value, shown)]))
}

function remember(schema: JsonObject, place: { line: string; field: string }, shown: Shown): void {
  const {
    properties = {},
    items,
    oneOf = [],
    anyOf = oneOf,
  } = schema as { properties?: Record<string, JsonObject> } & JsonObject
  const text = JSON.stringify(schema)
  if (Object.keys(properties).length >= LINKED_FIELDS_MIN && !shown.has(text)) shown.set(text, place)
  for (const [name, value] of Object.entries(properties))
    remember(value, { ...place, field: place.field === '' ? name : `${place.field}.${name}` }, shown)
  if (items !== undefined) remember(items as JsonObject, { ...place, field: `${place.field}[]` }, shown)
  for (const form of anyOf as JsonObject[]) remember(form, place, shown)
}
