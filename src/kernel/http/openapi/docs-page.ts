/**
 * Renders the OpenAPI document as one HTML page without scripts. Ready-made pages add telemetry or
 * megabytes of script and need 'unsafe-inline'; this page needs only the hash of one style.
 */
import type { Json, JsonObject } from '../../events/store-port.ts'
import { escapeHtml } from '../../lib/escape-html.ts'
import { htmlPage } from '../html-page.ts'
import type { HtmlPage } from '../html-page.ts'
import type { ErrorCode } from './openapi.ts'
import { exampleIn, operationsWithFieldsOf, parametersAsSchema, schemaIn, statesText } from './operations.ts'
import type { Operation, Spec } from './operations.ts'
import { fieldsOf } from './schema-fields.ts'

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881 }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr) }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line) }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; font-size: .85rem }
nav a, nav li { overflow-wrap: anywhere }
main { padding: 1rem 2rem 4rem; max-width: 70rem }
article { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: .25rem 1rem 1rem }
h3 { font: 600 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
h4 { margin: 1rem 0 .25rem }
.badge { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; margin-right: .4rem; font-size: .8rem }
table { border-collapse: collapse; width: 100%; font-size: .875rem }
th, td { text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0; overflow-wrap: anywhere }
.codes :is(th, td):not(:last-child) { overflow-wrap: normal }
code, pre { font-family: ui-monospace, monospace; background: var(--soft) }
pre { overflow-x: auto; padding: .5rem; font-size: .8rem }
summary { cursor: pointer; font-size: .875rem }
@media (max-width: 60rem) { body { display: block } nav { position: static; height: auto; border: 0 } }
`

interface Tag {
  readonly name: string
  readonly description?: string
}

export function docsPage(document: JsonObject, errorCodes: readonly ErrorCode[]): HtmlPage {
  const { title, version, description } = document['info'] as Record<string, string>
  const operations = operationsWithFieldsOf(document)
  const about = new Map((document['tags'] as unknown as readonly Tag[]).map((tag) => [tag.name, tag.description ?? '']))
  const sections = [...Map.groupBy(operations, ({ spec }) => spec.tags[0])].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  return htmlPage(
    title!,
    STYLE,
    `<nav><strong>${escapeHtml(title!)}</strong> ${escapeHtml(version!)}${sections.map(([tag, all]) => navigation(tag, all)).join('')}<h2><a href="#error-codes">error codes</a></h2></nav>
<main><h1>${escapeHtml(title!)}</h1><p>${escapeHtml(description!)}</p>
<p>Machine-readable: <a href="/api/openapi.json">OpenAPI 3.1</a>. Every error is <code>{statusCode, message}</code>; its header <code>Error-Code</code> holds an <a href="#error-codes">error code</a>.</p>
${sections.map(([tag, all]) => `<h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${paragraph(about.get(tag)!)}${all.map(article).join('')}`).join('')}
${codesPart(errorCodes)}</main>`,
  )
}

function navigation(tag: string, operations: readonly Operation[]): string {
  const links = operations.map(
    (each) => `<li><a href="#${escapeHtml(each.spec.operationId)}">${escapeHtml(lineOf(each))}</a></li>`,
  )
  return `<h2><a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a></h2><ul>${links.join('')}</ul>`
}

function codesPart(errorCodes: readonly ErrorCode[]): string {
  const rows = errorCodes.map(
    ({ status, code, message }) =>
      `<tr><td>${status}</td><td><code>${escapeHtml(code).replaceAll('_', '_<wbr>')}</code></td><td>${escapeHtml(message)}</td></tr>`,
  )
  return `<h2 id="error-codes">error codes</h2><p>A program decides by the code, never by the message. … stands for what differs from one answer to the next.</p>
<table class="codes"><thead><tr><th>Status</th><th>Error-Code</th><th>Message</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

const lineOf = ({ method, path }: Operation): string => `${method} ${path}`

function article(operation: Operation): string {
  const { spec } = operation
  const body = schemaIn(spec.requestBody)
  return `<article id="${escapeHtml(spec.operationId)}"><h3>${escapeHtml(lineOf(operation))}</h3>
<p>${badges(spec)}</p><p>${escapeHtml(spec.description)}</p>
${spec.parameters.length === 0 ? '' : table('Parameters', parametersAsSchema(spec.parameters))}
${body ? bodyPart(body, exampleIn(spec.requestBody)) : ''}${Object.entries(spec.responses).map(reply).join('')}</article>`
}

function badges(spec: Spec): string {
  const { 'x-open-to': kinds, 'x-permission': permission, 'x-requires': requirements = [] } = spec
  const states = spec['x-from'] ? [`while ${statesText(spec, String)}`] : []
  const words = [kinds.length === 0 ? 'public' : kinds.join(' or '), permission ?? [], requirements, states].flat()
  return words.map((word) => `<span class="badge">${escapeHtml(word)}</span>`).join('')
}

/** The description of a body tells rules about several fields. */
const bodyPart = (schema: JsonObject, given: Json | undefined): string =>
  `${table('Body', schema)}${paragraph((schema['description'] ?? '') as string)}${example(given)}`

const paragraph = (text: string): string => (text === '' ? '' : `<p>${escapeHtml(text)}</p>`)

const example = (value: Json | undefined): string =>
  value === undefined
    ? ''
    : `<details><summary>Example</summary><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre></details>`

/** A success lists its fields; errors have one shape, so each is one line. */
function reply([status, response]: [string, Spec['responses'][string]]): string {
  const schema = schemaIn(response)
  const { description } = response
  const heading = `${status}: ${description}`
  return schema && !('$ref' in schema)
    ? `${table(heading, schema)}${example(exampleIn(response))}`
    : `<p><code>${escapeHtml(status)}</code> ${escapeHtml(description)}</p>`
}

function table(caption: string, schema: JsonObject): string {
  const rows = fieldsOf(schema).map(
    ({ name, type, required, rules, description = '' }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(type)}</td><td>${required ? 'required' : ''}</td><td>${escapeHtml([rules, description].filter(Boolean).join('. '))}</td></tr>`,
  )
  return `<h4>${escapeHtml(caption)}</h4><table><thead><tr><th>Field</th><th>Type</th><th></th><th>Rules</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}
