/** Writes the client of one service: a type for each schema with a name, and a constant for each operation. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'oxfmt'
import type { FormatConfig } from 'oxfmt'
import type { Json, JsonObject } from '../../src/kernel/events/store-port.ts'
import { operationsOf, parametersAsSchema, schemaIn } from '../../src/kernel/http/openapi/operations.ts'
import type { Operation, Parameter } from '../../src/kernel/http/openapi/operations.ts'
import { comment, typeName, typeOf } from './types.ts'

const FORMAT = JSON.parse(readFileSync(join(import.meta.dirname, '../../.oxfmtrc.json'), 'utf8')) as FormatConfig

/**
 * @param name such as `licensing`
 * @param forms the document without notes: the label of an input says as much as they
 * @returns the files of the client of a service, by path: a module for each section, so that a bundler loads the
 * operations of a page with the page
 */
export async function clientFiles(
  name: string,
  document: JsonObject,
  forms: JsonObject,
): Promise<ReadonlyMap<string, string>> {
  const sections = Map.groupBy(describedIn(document, forms), ({ spec }) => sectionOf(spec))
  const operations = [...sections.values()].flat()
  const modules: Readonly<Record<string, readonly string[]>> = {
    schemas: schemaTypes(document),
    declared: DECLARED.flatMap(([constant, text, extension]) => declaredIn(document, constant, text, extension)),
    ...Object.fromEntries([...sections].map(([section, all]) => [section, sectionModule(all)])),
  }
  const files: Readonly<Record<string, readonly string[]>> = {
    [`${name}.ts`]: [
      Object.keys(modules)
        .map((module) => `export * from './${name}/${module}.ts'`)
        .join('\n'),
    ],
    [`${name}/bare.ts`]: [BARE, IMPORT, ...operations.map(bareConstant)],
    ...Object.fromEntries(Object.entries(modules).map(([module, text]) => [`${name}/${module}.ts`, text])),
  }
  const title = (document['info'] as JsonObject)['title'] as string
  const head = `/** The operations of the ${title}. Written by \`npm run client\`: do not edit. */`
  const formattedFiles = Object.entries(files).map(
    async ([path, text]) => [path, await formatted(path, [head, ...text].join('\n\n'))] as const,
  )
  return new Map(await Promise.all(formattedFiles))
}

interface Described extends Operation {
  /** Without notes. */
  readonly plain: Spec
}

function describedIn(document: JsonObject, forms: JsonObject): Described[] {
  const plain = new Map(operationsOf(forms).map(({ spec }) => [spec.operationId, spec]))
  const { securitySchemes } = document['components'] as Record<string, Record<string, JsonObject>>
  return operationsOf(document)
    .filter(({ spec }) => !spec['x-open-to'].some((kind) => isSigned(securitySchemes![kind]!)))
    .map((operation) => ({ ...operation, plain: plain.get(operation.spec.operationId)! }))
}

const BARE = '/** Without the schemas of query and body: for what a bundle loads before it shows a form. */'
const IMPORT = `import { operation } from '../operation.ts'`

function schemaTypes(document: JsonObject): string[] {
  const { schemas } = document['components'] as Record<string, Record<string, JsonObject>>
  return Object.entries(schemas!)
    .filter(isOfAnswers)
    .map(([component, schema]) => `export type ${typeName(component)} = ${typeOf(schema)}\n`)
}

/** The name of its module. A section such as `openapi.json` has a dot. */
const sectionOf = ({ tags }: Spec): string => tags[0].replaceAll('.', '-')

async function formatted(path: string, text: string): Promise<string> {
  const { code, errors } = await format(path, text, FORMAT)
  if (errors.length > 0) throw new Error(`The client is no TypeScript: ${path}: ${errors[0]!.message}`)
  return code
}

function sectionModule(operations: readonly Described[]): string[] {
  const names = new Set(operations.flatMap(({ spec }) => schemaNamesIn(spec)))
  const types = names.size > 0 ? [`import type { ${[...names].toSorted().join(', ')} } from './schemas.ts'`] : []
  return [[IMPORT, ...types].join('\n'), ...operations.map(constant)]
}

/** Of the parts that `shapeOf` writes as types. */
const schemaNamesIn = (spec: Spec): string[] =>
  [
    ...JSON.stringify([spec.parameters, spec.requestBody, successesOf(spec)]).matchAll(
      /"#\/components\/schemas\/([^"]+)"/g,
    ),
  ].map(([, component]) => typeName(component!))

/** What the whole document declares: the constant, its comment, and the extension that it is in. */
const DECLARED = [
  ['roles', 'The permissions of each role.', 'x-roles'],
  ['bans', 'The permissions that a kind of credential can never hold.', 'x-bans'],
  ['amounts', 'The fields of events that are amounts in minor units of the currency beside them.', 'x-amounts'],
  ['states', 'The state of a record after an event.', 'x-states'],
  ['kinds', 'The sections that show each kind of event.', 'x-kinds'],
] as const

const declaredIn = (document: JsonObject, name: string, text: string, extension: string): string[] =>
  extension in document
    ? [`${comment(text)}export const ${name} = ${JSON.stringify(document[extension])} as const`]
    : []

/** A refusal is thrown as `Refusal`. */
const isOfAnswers = ([component]: [string, JsonObject]): boolean => component !== 'Error'

/** Requests that a panel signs are made by `src/license-client`. */
const isSigned = ({ name }: JsonObject): boolean => name === 'Signature'

function constant({ method, path, spec, plain }: Described): string {
  const facts = JSON.stringify({ ...factsOf(method, plain), ...inputsOf(plain) })
  return `${comment(spec.description)}export const ${spec.operationId} = /*#__PURE__*/ operation<${shapeOf(spec)}>('${method} ${path}', ${facts})`
}

function bareConstant({ method, path, spec, plain }: Described): string {
  const type = `typeof import('./${sectionOf(spec)}.ts').${spec.operationId}`
  return `export const ${spec.operationId}: ${type} = /*#__PURE__*/ operation('${method} ${path}', ${JSON.stringify(factsOf(method, plain))})`
}

type Spec = Operation['spec']

const inQuery = ({ parameters }: Spec): Parameter[] => parameters.filter((each) => each.in === 'query')

function shapeOf(spec: Spec): string {
  const named = (place: Parameter['in']) => spec.parameters.filter((each) => each.in === place)
  const [params, query, body] = [named('path'), named('query'), spec.requestBody as JsonObject | undefined]
  const headers = named('header').map(({ name }) => name)
  const [takesKey, takesVersion] = [headers.includes('Idempotency-Key'), headers.includes('If-Match')]
  const bodyType = body && (isUpload(spec) ? 'Blob' : typeOf(schemaIn(body)!))
  return [
    '{',
    ...(params.length > 0 ? [`readonly params: ${typeOf(parametersAsSchema(params))}`] : []),
    ...(query.length > 0
      ? [
          optional(
            'query',
            typeOf(parametersAsSchema(query)),
            query.some(({ required }) => required),
          ),
        ]
      : []),
    ...(bodyType ? [optional('body', bodyType, body['required'] === true)] : []),
    ...(takesKey ? [optional('key', 'string', false)] : []),
    ...(takesVersion ? [optional('ifMatch', 'string', false)] : []),
    ...(spec['x-from']
      ? [
          `readonly from: { ${Object.keys(spec['x-from'])
            .map((field) => `readonly ${field}: unknown`)
            .join('; ')} }`,
        ]
      : []),
    `readonly data: ${answerTypeOf(spec)}`,
    '}',
  ].join('\n')
}

const optional = (name: string, type: string, isRequired: boolean): string =>
  isRequired ? `readonly ${name}: ${type}` : `readonly ${name}?: ${type} | undefined`

function answerTypeOf(spec: Spec): string {
  if (isStream(spec)) return 'Response'
  const types = successesOf(spec).map((response) => (response.content ? typeOf(schemaIn(response)!) : 'undefined'))
  // What only leads elsewhere answers nothing.
  return [...new Set(types)].join(' | ') || 'undefined'
}

const successesOf = ({ responses }: Spec) =>
  Object.entries(responses).flatMap(([status, response]) => (Number(status) < 300 ? [response] : []))

const isStream = (spec: Spec): boolean =>
  successesOf(spec).some(({ content }) =>
    Object.keys(content ?? {}).some((type) => !type.startsWith('application/json')),
  )

const isUpload = ({ requestBody }: Spec): boolean =>
  'application/octet-stream' in (((requestBody as JsonObject | undefined)?.['content'] ?? {}) as JsonObject)

function factsOf(method: string, spec: Spec): JsonObject {
  const query = inQuery(spec)
  const walk = method === 'GET' ? WALKS.find((name) => query.some((parameter) => parameter.name === name)) : undefined
  return {
    openTo: [...spec['x-open-to']],
    ...(spec['x-permission'] === undefined ? {} : { permission: spec['x-permission'] }),
    ...(spec['x-scope'] === undefined ? {} : { scope: spec['x-scope'] }),
    ...(spec['x-asks'] ? { asks: [...spec['x-asks']] } : {}),
    ...(spec['x-step-up'] ? { stepUp: true } : {}),
    ...(spec['x-from'] ? { from: spec['x-from'] as unknown as JsonObject } : {}),
    ...(spec['x-shown-once'] ? { shownOnce: [...spec['x-shown-once']] } : {}),
    ...('402' in spec.responses ? { limited: true } : {}),
    ...(walk === undefined ? {} : { walk }),
    ...(isStream(spec) ? { answers: 'stream' } : {}),
    ...(isUpload(spec) ? { sends: 'bytes' } : {}),
  }
}

function inputsOf(spec: Spec): JsonObject {
  const query = inQuery(spec)
  const body = isUpload(spec) ? undefined : schemaIn(spec.requestBody)
  return {
    ...(query.length > 0 ? { query: inputSchema(parametersAsSchema(query)) } : {}),
    ...(body ? { body: inputSchema(body) } : {}),
  }
}

/** The best way comes first, for a list with several. */
const WALKS = ['cursor', 'before', 'page'] as const

/** Without what follows from `format` and `type`, and without examples, which a form does not show. */
function inputSchema(schema: JsonObject): Json {
  return JSON.parse(
    JSON.stringify(schema, (name, value: Json) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || name === 'properties') return value
      const { pattern, minimum, maximum, examples: _examples, ...rest } = value
      return {
        ...rest,
        ...(pattern !== undefined && rest['format'] === undefined ? { pattern } : {}),
        ...(isBound(minimum) ? { minimum } : {}),
        ...(isBound(maximum) ? { maximum } : {}),
      }
    }),
  ) as Json
}

const isBound = (limit: Json | undefined): limit is number =>
  typeof limit === 'number' && Math.abs(limit) !== Number.MAX_SAFE_INTEGER
