/** One `curl` line for a route, with the examples of its document. */
import type { Json } from '../../src/kernel/events/store-port.ts'
import type { Operation, Parameter } from '../../src/kernel/http/openapi/operations.ts'
import { exampleIn } from '../../src/kernel/http/openapi/operations.ts'
import { bytesLimit } from '../../src/kernel/http/route.ts'
import type { Route } from '../../src/kernel/http/route.ts'

/** The body of the document, where the route takes JSON. */
function bodyOf(route: Route, { spec }: Operation): Json | undefined {
  if (!route.body || bytesLimit(route.body) !== undefined) return undefined
  const example = exampleIn(spec.requestBody)
  if (example === undefined) throw new Error(`${route.line}: no example fits; give one of its fields another`)
  return example
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

const valueOf = ({ name, example }: Parameter): string => (example === undefined ? name : textOf(example))

function addressOf({ path, spec }: Operation, base: string): string {
  const given = spec.parameters.filter((parameter) => parameter.in === 'path')
  const filled = given.reduce((url, each) => url.replace(`{${each.name}}`, encodeURIComponent(valueOf(each))), path)
  const query = spec.parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const search = query.map((each) => `${each.name}=${encodeURIComponent(valueOf(each))}`).join('&')
  return `${base}${filled}${search === '' ? '' : `?${search}`}`
}

const SIGNED = [`-H "Signature-Input: $SIGNATURE_INPUT"`, `-H "Signature: $SIGNATURE"`]

function credentialOf({ access: { kinds } }: Route): string[] {
  if (kinds.length === 0) return []
  return kinds.includes('signed') ? SIGNED : [`-H "Authorization: Bearer $SESSION"`]
}

function contentOf(route: Route, operation: Operation): string[] {
  const bytes = route.upload !== undefined || (route.body !== undefined && bytesLimit(route.body) !== undefined)
  if (bytes) return [`-H 'Content-Type: application/octet-stream'`, '--data-binary @file']
  const body = bodyOf(route, operation)
  return body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]
}

/** @param base the shell variable that holds the service's address, such as `$URL` */
export function exampleOf(route: Route, operation: Operation, base: string): string {
  const content = contentOf(route, operation)
  const usual = content.length > 0 ? 'POST' : 'GET'
  const method = route.method === usual ? '' : `-X ${route.method} `
  return [`curl -s ${method}"${addressOf(operation, base)}"`, ...credentialOf(route), ...content].join(' \\\n  ')
}
