/**
 * Renders the OpenAPI document as one HTML page without scripts. Ready-made pages add telemetry or
 * megabytes of script and need 'unsafe-inline'; this page needs only the hash of one style.
 */
import type { Json, JsonObject } from '../../events/store-port.ts'
import { escapeHtml, htmlPage } from '../html-page.ts'
import type { HtmlPage } from '../html-page.ts'
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
code { font-family: ui-monospace, monospace; background: var(--soft) }
@media (max-width: 60rem) { body { display: block } nav { position: static; height: auto; border: 0 } }
`

export function docsPage(document: JsonObject): HtmlPage {
  const { title, version, description } = document['info'] as Record<string, string>
  const operations = operationsOf(document)
  const sections = [...Map.groupBy(operations, ({ spec }) => spec.tags[0])].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  return htmlPage(
    title!,
    STYLE,
    `<nav><strong>${escapeHtml(title!)}</strong> ${escapeHtml(version!)}${sections.map(([tag, all]) => navigation(tag, all)).join('')}</nav>
<main><h1>${escapeHtml(title!)}</h1><p>${escapeHtml(description!)}</p>
<p>Machine-readable: <a href="/api/openapi.json">OpenAPI 3.1</a>. Every error is <code>{statusCode, message}</code>.</p>
${sections.map(([tag, all]) => `<h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${all.map(article).join('')}`).join('')}
</main>`,
  )
}

interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonObject
}

/** The part of an OpenAPI operation that the page shows. */
interface Spec {
  readonly operationId: string
  readonly description: string
  readonly tags: readonly [string]
  readonly 'x-open-to': readonly string[]
  readonly 'x-permission'?: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Json
  readonly responses: JsonObject
}

interface Operation {
  readonly line: string
  readonly spec: Spec
}

function operationsOf(document: JsonObject): Operation[] {
  return Object.entries(document['paths'] as JsonObject).flatMap(([path, methods]) =>
    Object.entries(methods as unknown as Record<string, Spec>).map(([method, spec]) => ({
      line: `${method.toUpperCase()} ${path}`,
      spec,
    })),
  )
}

function navigation(tag: string, operations: readonly Operation[]): string {
  const links = operations.map(
    ({ spec, line }) => `<li><a href="#${escapeHtml(spec.operationId)}">${escapeHtml(line)}</a></li>`,
  )
  return `<h2><a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a></h2><ul>${links.join('')}</ul>`
}

function article({ line, spec }: Operation): string {
  const body = schemaIn(spec.requestBody)
  return `<article id="${escapeHtml(spec.operationId)}"><h3>${escapeHtml(line)}</h3>
<p>${badges(spec)}</p><p>${escapeHtml(spec.description)}</p>
${spec.parameters.length === 0 ? '' : table('Parameters', parametersAsSchema(spec.parameters))}
${body ? table('Body', body) : ''}${Object.entries(spec.responses).map(reply).join('')}</article>`
}

function badges({ 'x-open-to': kinds, 'x-permission': permission }: Spec): string {
  const words = [kinds.length === 0 ? 'public' : kinds.join(' or '), ...(permission === undefined ? [] : [permission])]
  return words.map((word) => `<span class="badge">${escapeHtml(word)}</span>`).join('')
}

function parametersAsSchema(parameters: readonly Parameter[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  }
}

/** A success lists its fields; errors have one shape, so each is one line. */
function reply([status, response]: [string, Json]): string {
  const schema = schemaIn(response)
  const { description } = response as { description: string }
  const heading = `${status}: ${description}`
  return schema && !('$ref' in schema)
    ? table(heading, schema)
    : `<p><code>${escapeHtml(status)}</code> ${escapeHtml(description)}</p>`
}

function schemaIn(message: Json | undefined): JsonObject | undefined {
  const content = (message as { content?: Record<string, { schema: JsonObject }> } | undefined)?.content
  return content && Object.values(content)[0]?.schema
}

function table(caption: string, schema: JsonObject): string {
  const rows = fieldsOf(schema).map(
    ({ name, type, required, rules }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(type)}</td><td>${required ? 'required' : ''}</td><td>${escapeHtml(rules)}</td></tr>`,
  )
  return `<h4>${escapeHtml(caption)}</h4><table><thead><tr><th>Field</th><th>Type</th><th></th><th>Rules</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}
