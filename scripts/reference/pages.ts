/** All pages of the reference, from the declarations of both services. */
import type { ErrorCode } from '../../src/kernel/http/openapi/openapi.ts'
import { operationsWithFieldsOf } from '../../src/kernel/http/openapi/operations.ts'
import type { Operation, Parameter } from '../../src/kernel/http/openapi/operations.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import { codesPage } from './codes-page.ts'
import { DOCUMENTED, commonRoutes, documentOf } from './documents.ts'
import type { DocumentedService } from './documents.ts'
import { distinct, errorCodesIn, errorCodesOfRoutes } from './error-codes.ts'
import { indexPage } from './index-page.ts'
import type { ReferencePart } from './index-page.ts'
import { sectionPage } from './section-page.ts'
import type { DocumentedRoute, PageContext } from './section-page.ts'

/** The shell variable of a service's address in the documentation. */
const BASES = { licensing: '$URL', panel: '$PANEL' } as const

/** A parameter that this many routes of a service have is described once. */
const SHARED_MIN = 8

/** Text by path below `docs/reference`. */
export function referencePages(): ReadonlyMap<string, string> {
  const parts = DOCUMENTED.map(partOf)
  return new Map([['README.md', indexPage(parts)], ['error-codes.md', codesPage(parts)], ...parts.flatMap(pagesOf)])
}

/** For the documentation that the services serve, which cannot read their sources. */
export const servedErrorCodes = (): Readonly<Record<string, readonly ErrorCode[]>> =>
  Object.fromEntries(
    DOCUMENTED.map(({ name }) => [name, distinct(['src/kernel', `src/${name}`].flatMap(errorCodesIn))]),
  )

function partOf(service: DocumentedService): ReferencePart {
  const { name, sections } = service
  const common = commonRoutes(service)
  const operations = operationsWithFieldsOf(documentOf(service))
  const codesOf = errorCodesOfRoutes(name)
  const documented = (routes: readonly Route[]): DocumentedRoute[] =>
    grouped(routes).map((route) => {
      const operation = operationOf(route, operations)
      return { route, operation, codes: codesOf(route).filter(({ status }) => status in operation.spec.responses) }
    })
  const own = sections
    .filter(({ routes }) => routes.length > 0)
    .map((section) => ({ name: section.name, routes: documented(section.routes) }))
  return {
    ...service,
    pages: [...own, { name: 'service', routes: documented(common) }].toSorted((one, other) =>
      one.name < other.name ? -1 : 1,
    ),
    shared: sharedParameters(operations),
    usualStatuses: new Set(usualStatuses(operations)),
  }
}

/** Routes of one path stand together, in the order of the first. */
const grouped = (routes: readonly Route[]): Route[] => [...Map.groupBy(routes, ({ path }) => path).values()].flat()

function operationOf({ line, method, path }: Route, operations: readonly Operation[]): Operation {
  const templated = path.replaceAll(/:(\w+)/g, '{$1}')
  const found = operations.find((each) => each.method === method && each.path === templated)
  if (!found) throw new Error(`${line} is not in the OpenAPI document`)
  return found
}

const keyOf = ({ name, in: place, schema, description }: Parameter): string =>
  JSON.stringify([name, place, schema, description])

function sharedParameters(operations: readonly Operation[]): Parameter[] {
  const all = operations.flatMap(({ spec }) => spec.parameters).filter((parameter) => parameter.in !== 'path')
  return [...Map.groupBy(all, keyOf).values()].filter((each) => each.length >= SHARED_MIN).map(([first]) => first!)
}

/** The errors of every route. */
const usualStatuses = (operations: readonly Operation[]): string[] =>
  operations
    .map(({ spec }) => Object.keys(spec.responses).filter((status) => Number(status) >= 400))
    .reduce((common, each) => common.filter((status) => each.includes(status)))

function pagesOf(part: ReturnType<typeof partOf>): [path: string, text: string][] {
  const shared = new Set(part.shared.map(keyOf))
  const context: PageContext = {
    service: part.name === 'panel' ? 'panel' : 'licensing service',
    base: BASES[part.name],
    credentials: part.docs.credentials ?? {},
    isShared: (parameter) => shared.has(keyOf(parameter)),
    usualStatuses: part.usualStatuses,
  }
  return part.pages.map((section) => [`${part.name}/${section.name}.md`, sectionPage(section, context)])
}
