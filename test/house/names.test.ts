/** Every field of every route that holds a name or a reason for other accounts to read. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Route } from '#kernel/http/route'
import { routes as licensingRoutes } from '../../src/composition/licensing.ts'
import { routes as panelRoutes } from '../../src/composition/panel.ts'

/** The names of such fields. Values, notes and comments are read by their author and may hold anything. */
const READ_BY_OTHERS = ['name', 'company', 'reason', 'hostname', 'os', 'arch', 'version']
const TURNED = 'ad\u202emin'

function objectsIn(schema: unknown): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema, ...Object.values(schema.shape).flatMap(objectsIn)]
  if (!(schema instanceof z.ZodType)) return []
  const { innerType, element, options = [], in: before } = schema.def as unknown as Record<string, any>
  return [innerType, element, before, ...options].flatMap(objectsIn)
}

const fieldsOf = ({ line, body }: Route): (readonly [string, z.ZodType])[] =>
  objectsIn(body).flatMap(({ shape }) =>
    Object.entries(shape)
      .filter(([name]) => READ_BY_OTHERS.includes(name))
      .map(([name, field]) => [`${line}: ${name}`, field as z.ZodType] as const),
  )

const fields = [...licensingRoutes, ...panelRoutes].flatMap(fieldsOf)

test.each(fields)('%s holds nothing that turns the text around', (_where, field) => {
  expect(field.safeParse(TURNED).success).toBe(false)
})

test('those are the names of people, companies, plans, features, tokens, keys, projects, teams, roles and machines', () => {
  const lines = new Set(fields.map(([where]) => where))
  for (const where of [
    'POST /api/admin/customers: name',
    'POST /api/admin/customers: company',
    'POST /api/admin/plans: name',
    'PATCH /api/admin/plans/:id: name',
    'POST /api/admin/features: name',
    'POST /api/admin/machine-tokens: name',
    'POST /api/admin/staff: name',
    'POST /api/shop/auth/register: company',
    'POST /api/v1/license/activate: hostname',
    'POST /api/admin/licenses/:id/revoke: reason',
    'POST /api/api-keys: name',
    'POST /api/projects: name',
    'POST /api/projects/:id/roles: name',
    'POST /api/teams: name',
    'POST /api/admin/roles: name',
    'POST /api/admin/users: name',
    'PATCH /api/auth/profile: name',
  ])
    expect(lines).toContain(where)
  expect(fields.length).toBeGreaterThan(40)
})
