import type { Break } from './breaks.ts'

const INPUT = 'src/kernel/http/input.ts'
const ID = 'src/kernel/lib/uuid.ts'

const ids = 'test/house/ids.test.ts'

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
    find: 'part.safeParse(UPPER_CASE_UUID).data === UPPER_CASE_UUID',
    replace: 'part.safeParse(UPPER_CASE_UUID).data === undefined',
    test: ids,
    named: 'does not start',
  },
  {
    promise: 'the audit trail finds an id in any spelling',
    file: 'src/licensing/audit/routes.ts',
    find: 'const word = z.string().max(100).overwrite(normalizeUuid).optional()',
    replace: 'const word = z.string().max(100).overwrite((text) => (normalizeUuid.name === "" ? "" : text)).optional()',
    test: 'test/licensing/plans/plans.test.ts',
    named: 'an id in upper case is the same id',
  },
  {
    promise: 'a cell begins no formula behind a semicolon, a tab or a line end',
    file: 'src/kernel/lib/csv.ts',
    find: '(?<=^|[;\\t\\r\\n])',
    replace: '(?<=^)',
    test: 'test/kernel/lib/csv.test.ts',
    named: 'no cell of any text is computed',
  },
  {
    promise: 'spaces and quotes before its sign make a formula no less of one',
    file: 'src/kernel/lib/csv.ts',
    find: '[\\p{White_Space}\\p{Default_Ignorable_Code_Point}"]',
    replace: '[x]',
    test: 'test/kernel/lib/csv.test.ts',
  },
  {
    promise: 'an export of the audit trail is an entry itself',
    file: 'src/licensing/audit/routes.ts',
    find: "      await recordExport(run, { resource: 'audit entries', format })\n",
    replace: '      if (run === undefined) await recordExport(run, { resource: "audit entries", format })\n',
    test: 'test/licensing/audit/audit.test.ts',
    named: 'is an entry itself',
  },
  {
    promise: 'no name holds what directs the text or is not seen',
    file: 'src/kernel/lib/display-text.ts',
    find: 'const isReadable = (text: string): boolean => !UNSEEN.test(text) && SEEN.test(text)',
    replace: 'const isReadable = (text: string): boolean => UNSEEN.test("") || SEEN.test(text)',
    test: 'test/house/names.test.ts',
  },
  {
    promise: 'a name of nothing that is seen is no name',
    file: 'src/kernel/lib/display-text.ts',
    find: ' && SEEN.test(text)',
    replace: ' && SEEN.test("a")',
    test: 'test/kernel/lib/name.test.ts',
    named: 'is no name',
  },
  {
    promise: 'a name of a setting that was decided before still holds',
    file: 'src/panel/settings/events.ts',
    find: '    takes: nameSchema(100),\n',
    replace: '    takes: nameSchema(100),\n    ...{ is: nameSchema(100) },\n',
    test: 'test/panel/settings/settings.test.ts',
    named: 'still holds',
  },
  {
    promise: 'the log knows every kind of secret, because it is declared',
    file: 'src/kernel/credentials/secret-token.ts',
    find: "prefix: `db[${Object.keys(SECRET_KINDS).join('')}]_`",
    replace: 'prefix: `db[kmrsia]_`',
    test: 'test/kernel/logging/log.test.ts',
    named: 'knows every beginning',
  },
  {
    promise: 'no secret stands in the log behind an escaped character',
    file: 'src/kernel/lib/secret-pattern.ts',
    find: '(?<![0-9A-Za-z])|(?<=%[0-9A-Fa-f]{2})',
    replace: '(?<![0-9A-Za-z])',
    test: 'test/kernel/logging/log.test.ts',
    named: 'knows every beginning',
  },
  {
    promise: 'a secret that is declared is masked',
    file: 'src/kernel/lib/secret-pattern.ts',
    find: '  declaredPatterns.push(spelling)\n',
    replace: '  if (declaredPatterns.length < 2) declaredPatterns.push(spelling)\n',
    test: 'test/kernel/logging/log.test.ts',
    named: 'knows a secret that is declared later',
  },
]
