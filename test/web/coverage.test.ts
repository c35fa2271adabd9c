/** Every operation that is open to people has a page that uses it, or a reason why it has none. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as licensing from '#api-client/licensing'
import type { Operation } from '#api-client/operation'
import * as panel from '#api-client/panel'
import { UNSHOWN as BACK_OFFICE_UNSHOWN } from '../../src/web/back-office/unshown.ts'
import { UNSHOWN as PANEL_UNSHOWN } from '../../src/web/panel/unshown.ts'
import { UNSHOWN as SHOP_UNSHOWN } from '../../src/web/shop/unshown.ts'

const WEB = join(import.meta.dirname, '../../src/web')

const SURFACES = [
  { name: 'back-office', service: licensing, kind: 'staff', doors: /^\/api\/admin\//, unshown: BACK_OFFICE_UNSHOWN },
  { name: 'shop', service: licensing, kind: 'customer', doors: /^\/api\/shop\//, unshown: SHOP_UNSHOWN },
  { name: 'panel', service: panel, kind: 'user', doors: /^\/api\/(?:auth|settings)\//, unshown: PANEL_UNSHOWN },
] as const

const lineOf = ({ method, path }: Operation): string => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

/** The code of a surface without its list of operations that have no page. */
const codeOf = (surface: string): string =>
  readdirSync(join(WEB, surface), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && file !== 'unshown.ts')
    .map((file) => readFileSync(join(WEB, surface, file), 'utf8'))
    .join('\n')

describe.each(SURFACES)('the pages of $name', ({ name, service, kind, doors, unshown }) => {
  const operations = Object.entries(service).filter((entry): entry is [string, Operation] => 'path' in entry[1])
  const open = operations.filter(
    ([, { openTo, path }]) => openTo.includes(kind) || (openTo.length === 0 && doors.test(path)),
  )
  const code = codeOf(name)
  const isUsed = (constant: string): boolean => new RegExp(`\\b${constant}\\b`).test(code)

  test('use every operation that is open to people, or say why not', () => {
    expect(open.length).toBeGreaterThan(20)
    const missing = open.filter(([constant, operation]) => !isUsed(constant) && !(lineOf(operation) in unshown))
    expect(missing.map(([, operation]) => lineOf(operation))).toEqual([])
  })

  test('have no reason for an operation that they use, or that does not exist', () => {
    const used = new Map(open.map(([constant, operation]) => [lineOf(operation), isUsed(constant)]))
    expect(Object.keys(unshown).filter((line) => used.get(line) !== false)).toEqual([])
    for (const reason of Object.values(unshown)) expect(reason).toMatch(/^[A-Z].{15,}\.$/s)
  })
})
