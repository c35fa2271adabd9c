/** The reference of routes is what `npm run reference` writes, and its examples are requests that routes accept. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { uuidParams } from '#kernel/http/input'
import { asksOf, requirementOf } from '#kernel/http/requirement'
import { bytesLimit } from '#kernel/http/route'
import type { Route } from '#kernel/http/route'
import { DOCUMENTED } from '../../scripts/reference/documents.ts'
import { errorCodesIn } from '../../scripts/reference/error-codes.ts'
import { referencePages, servedErrorCodes } from '../../scripts/reference/pages.ts'
import { routes as licensing } from '../../src/composition/licensing.ts'
import { routes as panel } from '../../src/composition/panel.ts'

const DIRECTORY = join(import.meta.dirname, '../../docs/reference')
const pages = referencePages()

test('the pages are those of the declarations', () => {
  const files = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  expect(files.toSorted(), 'run `npm run reference`').toEqual([...pages.keys()].toSorted())
  const stale = [...pages].filter(([path, text]) => readFileSync(join(DIRECTORY, path), 'utf8') !== text)
  expect(
    stale.map(([path]) => path),
    'run `npm run reference`',
  ).toEqual([])
})

interface Example {
  readonly line: string
  readonly curl: string
}

/** The heading of each route, and the `curl` line below it. */
const examplesIn = (service: string): Example[] =>
  [...pages]
    .filter(([path]) => path.startsWith(`${service}/`))
    .flatMap(([, text]) => text.split(/^## /m).slice(1))
    .flatMap((part) => {
      const curl = /^```sh\n(.*?)\n```$/ms.exec(part)?.[1]
      return curl === undefined ? [] : [{ line: part.split('\n')[0]!, curl }]
    })

const SERVICES = [
  ['licensing', licensing],
  ['panel', panel],
] as const

test.each(SERVICES)('every route of %s has an example that its schemas accept', (service, routes) => {
  const examples = new Map(examplesIn(service).map(({ line, curl }) => [line, curl]))
  for (const route of routes) {
    const curl = examples.get(route.line)
    expect(curl, route.line).toBeDefined()
    requireAccepted(route, curl!)
  }
})

function requireAccepted({ line, path, method, params, query, body }: Route, curl: string): void {
  const [, address = ''] = /"\$(?:URL|PANEL)([^"]*)"/.exec(curl)!
  const { pathname, searchParams } = new URL(address, 'http://example.com')
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const values = new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(pathname)?.slice(1)
  const given = Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values?.[index] ?? '')]))
  expect((params ?? uuidParams(path)).safeParse(given).error, `${line}: path`).toBeUndefined()
  if (query) expect(query.safeParse(Object.fromEntries(searchParams)).error, `${line}: query`).toBeUndefined()
  const sent = /-d '(.*)'$/m.exec(curl)?.[1]
  const isJson = body !== undefined && bytesLimit(body) === undefined
  expect(sent !== undefined, `${line}: has a body`).toBe(isJson)
  if (isJson) expect(body.safeParse(JSON.parse(sent!)).error, `${line}: body`).toBeUndefined()
  const stated = /-X (\w+)/.exec(curl)?.[1] ?? (/ (-d|--data-binary) /.test(curl) ? 'POST' : 'GET')
  expect(stated, `${line}: method`).toBe(method)
}

test('every check beyond kind and permission says in words what it asks', () => {
  const checks = [...licensing, ...panel].flatMap(({ line, access, guard }) =>
    [access.rule, guard].flatMap((check) => (check ? [{ line, words: requirementOf(check) }] : [])),
  )
  expect(checks.length).toBeGreaterThan(40)
  expect(checks.filter(({ words }) => words === undefined)).toEqual([])
})

/** What they ask depends on the query, the body or the restrictions of a key. */
const WITHOUT_NAMES = [
  'GET /api/applications',
  'GET /api/deployments',
  'GET /api/projects',
  'GET /api/scheduled-deploys',
  'POST /api/projects',
  'POST /api/admin/bulk',
]

test('every check beyond kind and permission has a name for programs, if the caller and the path decide it', () => {
  const nameless = [...licensing, ...panel].filter(({ access, guard }) =>
    [access.rule, guard].some((check) => check && asksOf(check).length === 0),
  )
  expect(nameless.map(({ line }) => line).toSorted()).toEqual(WITHOUT_NAMES.toSorted())
})

test('each service serves the error codes that `npm run reference` writes', () => {
  expect(Object.fromEntries(DOCUMENTED.map(({ name, docs }) => [name, docs.errorCodes]))).toEqual(servedErrorCodes())
})

test('the page of error codes has each code of the source', () => {
  const codes = ['src/kernel', 'src/licensing', 'src/panel'].flatMap(errorCodesIn).map(({ code }) => code)
  expect(codes.length).toBeGreaterThan(150)
  expect(codes.filter((code) => !pages.get('error-codes.md')!.includes(`\`${code}\``))).toEqual([])
})
