import type { Break } from './breaks.ts'

const INPUT = 'src/kernel/http/input.ts'
const ID = 'src/kernel/id.ts'

const ids = 'test/ids.test.ts'

/** What is written in requests, answers, tables and logs: ids, names, cells, secrets. */
export const spellingBreaks: readonly Break[] = [
  {
    promise: 'an id in upper case is the same id, on every route',
    file: ID,
    find: 'export const uuid = z.uuid().toLowerCase()',
    replace: 'export const uuid = z.uuid()',
    test: ids,
    named: 'GET /api/admin/plans/:id',
  },
  {
    promise: 'a route that passes an id on as it was sent does not start',
    file: INPUT,
    find: 'part.safeParse(SHOUTED).data === SHOUTED',
    replace: 'part.safeParse(SHOUTED).data === undefined',
    test: ids,
    named: 'does not start',
  },
  {
    promise: 'the audit trail finds an id in any spelling',
    file: 'src/licensing/audit/routes.ts',
    find: 'const word = z.string().max(100).overwrite(inOneSpelling).optional()',
    replace: 'const word = z.string().max(100).overwrite((text) => (inOneSpelling.name === "" ? "" : text)).optional()',
    test: 'test/licensing/plans.test.ts',
    named: 'an id in upper case is the same id',
  },
]
