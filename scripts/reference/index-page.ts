/** The index of the reference, with what all routes have in common. */
import type { Docs } from '../../src/kernel/http/openapi/openapi.ts'
import { parametersAsSchema } from '../../src/kernel/http/openapi/operations.ts'
import type { Parameter } from '../../src/kernel/http/openapi/operations.ts'
import { fieldsOf } from '../../src/kernel/http/openapi/schema-fields.ts'
import { errorCodesIn } from './error-codes.ts'
import { typeText } from './field-text.ts'
import { code, page, table, titleOf } from './markdown.ts'
import type { SectionPage } from './section-page.ts'
import { NOTICE, callerName, codesTable } from './section-page.ts'

export interface ReferencePart {
  readonly name: 'licensing' | 'panel'
  readonly docs: Docs
  readonly pages: readonly SectionPage[]
  readonly shared: readonly Parameter[]
  readonly usualStatuses: ReadonlySet<string>
}

export function indexPage(parts: readonly ReferencePart[]): string {
  return page(
    NOTICE,
    '# Reference of routes',
    'Every route of both services, one page a section. The pages are written from the same declarations as `/api/docs` and `/api/openapi.json`.',
    '`$URL` is the address of the licensing service, `$PANEL` that of the panel, `$SESSION` an access token. The examples show the form of a request: their ids, tokens and passwords are invented.',
    ...parts.map(sectionsPart),
    '## Callers',
    'A route names the credentials that it accepts, and what the caller needs beyond. A public route needs no credential.',
    callersTable(parts),
    '## Errors',
    'The body of an error is `{ "statusCode": …, "message": … }`; the header `Error-Code` holds a word for programs.',
    statusTable(parts),
    `Every route may answer ${[...parts[0]!.usualStatuses].join(', ')}; its page names the others.`,
    'A page names the codes of each route, and their messages at its end. They are read from the source that a route runs, so a page may name a code that the route never answers. [Error codes](error-codes.md) has all of them. These belong to all routes:',
    codesTable(errorCodesIn('src/kernel/http')),
    '## Shared parameters',
    'A parameter of many routes is described here once.',
    sharedTable(parts),
  )
}

function sectionsPart({ name, pages, docs }: ReferencePart): string {
  const rows = pages.map(({ name: section, routes }) => [
    `[${titleOf(section)}](${name}/${section}.md)`,
    String(routes.length),
    [...new Set(routes.map(({ route }) => baseOf(route.path)))].map(code).join(', '),
  ])
  return page(`## ${docs.title}`, table(['Section', 'Routes', 'Paths'], rows)).trimEnd()
}

/** `/api/admin/plans/:id/clone` is below `/api/admin/plans`. */
const baseOf = (path: string): string => /^(?:\/api(?:\/admin|\/v\d+|\/shop)?)?\/[^/]+/.exec(path)?.[0] ?? path

const callersTable = (parts: readonly ReferencePart[]): string =>
  table(
    ['Service', 'Credential', 'What it is'],
    parts.flatMap(({ name, docs }) =>
      Object.values(docs.credentials ?? {}).map((text) => [
        name,
        callerName(text),
        text.includes(': ') ? text.slice(text.indexOf(': ') + 2) : text,
      ]),
    ),
  )

function statusTable(parts: readonly ReferencePart[]): string {
  const responses = parts
    .flatMap(({ pages }) => pages)
    .flatMap(({ routes }) => routes)
    .flatMap(({ operation }) => Object.entries(operation.spec.responses))
  const meanings = new Map(
    responses.filter(([status]) => Number(status) >= 400).map(([status, { description }]) => [status, description]),
  )
  return table(
    ['Status', 'Meaning'],
    [...meanings].toSorted(([one], [other]) => Number(one) - Number(other)),
  )
}

const sharedTable = (parts: readonly ReferencePart[]): string =>
  table(
    ['Parameter', 'Service', 'In', 'Type', 'Rules'],
    [...Map.groupBy(parts.flatMap(sharedRows), (row) => JSON.stringify(row.toSpliced(1, 1))).values()].map((same) =>
      same.length < parts.length ? same[0]! : same[0]!.with(1, 'both'),
    ),
  )

const sharedRows = ({ name, shared }: ReferencePart): string[][] =>
  shared.map((parameter) => {
    const [field] = fieldsOf(parametersAsSchema([{ ...parameter, required: false }]))
    const rules = [field!.rules, parameter.description ?? ''].filter(Boolean).join('. ')
    return [code(parameter.name), name, parameter.in, typeText(field!), rules]
  })
