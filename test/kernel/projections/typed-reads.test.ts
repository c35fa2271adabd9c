/** A query knows the columns of its tables, those of joins included: the compiler refuses one that is misspelled. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { pagination } from '#kernel/http/pagination'
import { everyone, route } from '#kernel/http/route'
import type { Access } from '#kernel/http/route'
import { findRow, lookup } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  bool,
  id,
  integer,
  key,
  nullable,
  otherTable,
  readModel,
  sql,
  text,
  timestamptz,
} from '#kernel/projections/read-model'
import { listRoute, paginatedLists } from '#kernel/resource/list-route'

const ROOT = join(import.meta.dirname, '../../..')

const authors = readModel('authors', 1, { id: key, name: text, age: nullable(integer), createdAt: timestamptz })
const bookPages = readModel('bookPages', 1, { id: key, authorId: id, pages: integer, isLent: bool })
const uses = otherTable<{ pageId: string; lastUsedAt: string }>('telemetry.pageUse')

/** Compiles queries and runs none. */
const read: ReadDatabase = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const joined = bookPages
  .queryIn(read)
  .innerJoin(authors.as('author'), 'author.id', 'bookPages.authorId')
  .leftJoin(uses.as('use'), 'use.pageId', 'bookPages.id')

test('a query names the table of the read model, and each joined table by its alias', () => {
  const query = joined
    .select(['bookPages.id', 'pages', 'author.name', 'author.age', 'use.lastUsedAt'])
    .where('author.name', '=', 'Ada')
    .where(sql<boolean>`${bookPages.ref('isLent')} IS FALSE`)
    .orderBy('author.createdAt')
  expect(query.compile().sql).toBe(
    'select "bookPages"."id", "pages", "author"."name", "author"."age", "use"."lastUsedAt"' +
      ' from "read"."bookPages" as "bookPages"' +
      ' inner join "read"."authors" as "author" on "author"."id" = "bookPages"."authorId"' +
      ' left join "telemetry"."pageUse" as "use" on "use"."pageId" = "bookPages"."id"' +
      ' where "author"."name" = $1 and "bookPages"."isLent" IS FALSE order by "author"."createdAt"',
  )
  expectTypeOf(query.execute()).resolves.items.toEqualTypeOf<{
    id: string
    pages: number
    name: string
    age: number | null
    lastUsedAt: string | null
  }>()
})

const findPage = lookup(
  bookPages,
  ['authorId'],
  (rows, { readerId }) =>
    rows.leftJoin(authors.as('reader'), (join) => join.on('reader.id', '=', readerId)).select(['pages', 'reader.name']),
  { readerId: nullable(id) },
)
const counting: Access<number> = { kinds: ['reader'], rule: async () => 7 }

test('a look-up is asked with its key and parameters, and finds what its query selects', () => {
  expectTypeOf(findPage).parameter(1).toEqualTypeOf<{ authorId: string } & { readerId: string | null }>()
  expectTypeOf(findPage).returns.resolves.toEqualTypeOf<Readonly<{ pages: number; name: string | null }> | undefined>()
  expectTypeOf(findRow(read, authors, { name: 'Ada' })).resolves.toEqualTypeOf<
    Readonly<{ id: string; name: string; age: number | null; createdAt: string }> | undefined
  >()
  route('GET /authors', {
    does: '',
    access: counting,
    handle: async ({ ruleResult }) => expectTypeOf(ruleResult).toEqualTypeOf<number>() && undefined,
  })
})

const byAge = pagination({ filters: {}, sort: ['age'] })
const byName = pagination({ filters: {}, sort: ['name'] })
const byWord = pagination({ filters: { word: z.string() }, sort: ['name'] })
const all = authors.queryIn(read).selectAll()
const listsByWord = paginatedLists({ filters: { word: z.string() }, sort: ['name'] })
const listsByAge = paginatedLists({ filters: { name: z.string() }, sort: ['age'] })
const spec = { does: 'List authors.', access: everyone, item: z.object({}) }

/** Never called. A line that compiles makes its comment an error. */
const misspelled: readonly (() => unknown)[] = [
  // @ts-expect-error the column is called name
  () => authors.queryIn(read).select('nam'),
  // @ts-expect-error the column is called name
  () => authors.queryIn(read).where('nam', '=', 'Ada'),
  // @ts-expect-error a name is a text
  () => authors.queryIn(read).where('name', '=', 7),
  // @ts-expect-error the column is called createdAt
  () => authors.queryIn(read).orderBy('created'),
  // @ts-expect-error the column is called authorId
  () => bookPages.queryIn(read).innerJoin(authors.as('author'), 'author.id', 'bookPages.author'),
  // @ts-expect-error no table of the query is called writer
  () => bookPages.queryIn(read).innerJoin(authors.as('author'), 'writer.id', 'bookPages.authorId'),
  // @ts-expect-error the column of the joined table is called name
  () => joined.select('author.nam'),
  // @ts-expect-error the column of the joined table is called lastUsedAt
  () => joined.where('use.lastUsed', 'is', null),
  // @ts-expect-error the column is called pages
  () => bookPages.ref('page'),
  // @ts-expect-error a table is named by its read model only
  () => read.selectFrom('read.authors').selectAll(),
  // @ts-expect-error the column of the key is called name
  () => lookup(authors, ['nam'], (rows) => rows.select('age')),
  // @ts-expect-error the column is called age
  () => lookup(authors, ['name'], (rows) => rows.select('ages')),
  // @ts-expect-error a parameter is declared as a column
  () => lookup(authors, ['name'], (rows, { pageId }) => rows.where('id', '=', pageId).select('age')),
  // @ts-expect-error a look-up is asked with its whole key
  () => findPage(read, { authorId: '' }),
  // @ts-expect-error a key is a text
  () => findPage(read, { authorId: '', readerId: 7 }),
  // @ts-expect-error a row is read by its columns
  () => findRow(read, authors, { nam: 'Ada' }),
  // @ts-expect-error a name is a text
  () => findRow(read, authors, { name: 7 }),
  // @ts-expect-error the route's rule has read a number
  () => route('GET /authors', { does: '', access: counting, handle: async (call) => call.ruleResult.trim() }),
  // @ts-expect-error a list is not ordered by a column that may be null
  () => byAge.list(all, byAge.query.parse({})),
  // @ts-expect-error a list shows the columns that it is ordered by
  () => byName.list(authors.queryIn(read).select(['id', 'createdAt']), byName.query.parse({})),
  // @ts-expect-error a parameter is a column, or the list says how it applies
  () => byWord.list(all, byWord.query.parse({})),
  // @ts-expect-error the column is called name
  () => byWord.list(all, byWord.query.parse({}), { word: (rows, word) => rows.where('nam', '=', word) }),
  // @ts-expect-error a list filters by columns of its table
  () => listRoute('GET /authors', authors, listsByWord, spec),
  // @ts-expect-error a list is not ordered by a column that may be null
  () => listRoute('GET /authors', authors, listsByAge, spec),
]

test('the compiler refuses each misspelled query, and takes the others', async () => {
  expect(misspelled.length).toBeGreaterThan(0)
  const directory = await mkdtemp(join(tmpdir(), 'typed-reads-'))
  const project = join(directory, 'tsconfig.json')
  const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')] }
  const only = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, files: [import.meta.filename], include: [] }
  await writeFile(project, JSON.stringify(only))
  try {
    expect(await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['--project', project])).toMatchObject({
      stdout: '',
    })
  } finally {
    await rm(directory, { recursive: true })
  }
})
