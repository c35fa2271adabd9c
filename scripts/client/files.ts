/** Writes the client of one service: a type for each schema with a name, and a constant for each operation. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'oxfmt'
import type { FormatConfig } from 'oxfmt'
import type { Json, JsonObject } from '../../src/kernel/events/store-port.ts'
import { operationsOf, parametersAsSchema, schemaIn } from '../../src/kernel/http/openapi/operations.ts'
import type { Operation } from '../../src/kernel/http/openapi/operations.ts'
import { inputConstants, inputsOf, literal, repeatedInputs } from './inputs.ts'
import type { Inputs } from './inputs.ts'
import { repeatedIn } from './repeated.ts'
import type { Named, Part } from './repeated.ts'
import { isStream, isUpload, namesOf, parametersIn, sectionOf, successesOf } from './spec.ts'
import type { Spec } from './spec.ts'
import { capitalized, comment, typeInFull, typeName, typeOf, typeParts } from './types.ts'
import type { NamedTypes } from './types.ts'

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
  const types = typesOf(document, operations)
  const inputs = repeatedInputs(operations.map(({ plain }) => plain))
  const modules: Readonly<Record<string, readonly string[]>> = {
    schemas: schemaTypes(types),
    declared: DECLARED.flatMap(([constant, text, extension]) => declaredIn(document, constant, text, extension)),
    ...Object.fromEntries([...sections].map(([section, all]) => [section, sectionModule(all, types, inputs)])),
  }
  const files: Readonly<Record<string, readonly string[]>> = {
    [`${name}.ts`]: [
      Object.keys(modules)
        .map((module) => `export * from './${name}/${module}.ts'`)
        .join('\n'),
    ],
    [`${name}/bare.ts`]: [BARE, IMPORT, ...operations.map(bareConstant)],
    [`${name}/inputs.ts`]: inputConstants(inputs),
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

/** The types of one service that have a name: components of the document, and what else stands more than once. */
interface Types {
  readonly all: readonly Named<JsonObject>[]
  readonly byText: NamedTypes
}

function typesOf(document: JsonObject, operations: readonly Described[]): Types {
  const { schemas } = document['components'] as Record<string, Record<string, JsonObject>>
  const components = Object.entries(schemas!)
    .filter(isOfAnswers)
    .map(([component, schema]) => componentPart(typeName(component), schema))
  const inline = operations.flatMap(({ spec }) => inlineParts(spec))
  const repeated = repeatedIn([...components, ...inline], components)
  const byText = new Map([...repeated, ...components.map((each) => [each.text, each] as const)])
  return { all: [...components, ...repeated.values()], byText }
}

function componentPart(name: string, schema: JsonObject): Part<JsonObject> {
  const parts = typeParts(schema, (fields) => [name, ...fields.map(capitalized)].join(''))
  const text = typeOf(schema)
  return parts.find((each) => each.text === text) ?? { source: schema, text, name, parts }
}

/** What `shapeOf` writes. */
function inlineParts(spec: Spec): Part<JsonObject>[] {
  const body = isUpload(spec) ? undefined : schemaIn(spec.requestBody)
  const answers = isStream(spec) ? [] : successesOf(spec).map(schemaIn)
  return [
    ...typeParts(parametersAsSchema(parametersIn(spec, 'query')), namesOf(spec, 'Query', 'Filter')),
    ...(body ? typeParts(body, namesOf(spec, 'Body', 'Input')) : []),
    ...answers.flatMap((answer) => (answer ? typeParts(answer, namesOf(spec, 'Answer', '')) : [])),
  ]
}

const schemaTypes = (types: Types): string[] =>
  types.all.map(({ name, source }) => `export type ${name} = ${typeInFull(source, types.byText)}\n`)

async function formatted(path: string, text: string): Promise<string> {
  const { code, errors } = await format(path, text, FORMAT)
  if (errors.length > 0) throw new Error(`The client is no TypeScript: ${path}: ${errors[0]!.message}`)
  return code
}

function sectionModule(operations: readonly Described[], types: Types, inputs: Inputs): string[] {
  const constants = operations.map((each) => constant(each, types.byText, inputs))
  const used = (named: Iterable<Named<Json>>) =>
    namesIn(constants.join(), new Set(Array.from(named, ({ name }) => name)))
  const imports = [
    ['import', used(inputs.values()), './inputs.ts'],
    ['import type', used(types.all), './schemas.ts'],
  ] as const
  const lines = imports.flatMap(([kind, all, from]) =>
    all.length > 0 ? [`${kind} { ${all.join(', ')} } from '${from}'`] : [],
  )
  return [[IMPORT, ...lines].join('\n'), ...constants]
}

const COMMENT_OR_TEXT = /\/\*.*?\*\/|"(?:[^"\\]|\\.)*"|'[^']*'/gs

/** @returns those of the names that the code uses, in order */
const namesIn = (code: string, names: ReadonlySet<string>): string[] =>
  [...new Set(code.replaceAll(COMMENT_OR_TEXT, '').match(/[\w$]+/g))].filter((word) => names.has(word)).toSorted()

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

function constant({ method, path, spec, plain }: Described, types: NamedTypes, inputs: Inputs): string {
  const facts = literal({ ...factsOf(method, plain), ...inputsOf(plain) }, inputs)
  return `${comment(spec.description)}export const ${spec.operationId} = /*#__PURE__*/ operation<${shapeOf(spec, types)}>('${method} ${path}', ${facts})`
}

function bareConstant({ method, path, spec, plain }: Described): string {
  const type = `typeof import('./${sectionOf(spec)}.ts').${spec.operationId}`
  return `export const ${spec.operationId}: ${type} = /*#__PURE__*/ operation('${method} ${path}', ${JSON.stringify(factsOf(method, plain))})`
}

function shapeOf(spec: Spec, types: NamedTypes): string {
  const [params, query, body] = [
    parametersIn(spec, 'path'),
    parametersIn(spec, 'query'),
    spec.requestBody as JsonObject | undefined,
  ]
  const headers = parametersIn(spec, 'header').map(({ name }) => name)
  const [takesKey, takesVersion] = [headers.includes('Idempotency-Key'), headers.includes('If-Match')]
  const bodyType = body && (isUpload(spec) ? 'Blob' : typeOf(schemaIn(body)!, types))
  return [
    '{',
    ...(params.length > 0 ? [`readonly params: ${typeOf(parametersAsSchema(params), types)}`] : []),
    ...(query.length > 0
      ? [
          optional(
            'query',
            typeOf(parametersAsSchema(query), types),
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
    `readonly data: ${answerTypeOf(spec, types)}`,
    '}',
  ].join('\n')
}

const optional = (name: string, type: string, isRequired: boolean): string =>
  isRequired ? `readonly ${name}: ${type}` : `readonly ${name}?: ${type} | undefined`

function answerTypeOf(spec: Spec, types: NamedTypes): string {
  if (isStream(spec)) return 'Response'
  const answers = successesOf(spec).map((response) =>
    response.content ? typeOf(schemaIn(response)!, types) : 'undefined',
  )
  // What only leads elsewhere answers nothing.
  return [...new Set(answers)].join(' | ') || 'undefined'
}

function factsOf(method: string, spec: Spec): JsonObject {
  const query = parametersIn(spec, 'query')
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

/** The best way comes first, for a list with several. */
const WALKS = ['cursor', 'before', 'page'] as const
