/** Routes that declare from which states they change their record: of that record, and wherever a state is refused. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Route } from '#kernel/http/route'
import { errorCodesOfRoutes } from '../../scripts/reference/error-codes.ts'
import { routes as licensing } from '../../src/composition/licensing.ts'
import { routes as panel } from '../../src/composition/panel.ts'

const SERVICES = [
  { name: 'licensing', routes: licensing },
  { name: 'panel', routes: panel },
] as const

/** Refusals with 409 for something else than a state of the record that the path names. */
const OTHER_REASONS: Readonly<Record<string, string>> = {
  SLUG_TAKEN: 'another record has the name',
  NAME_TAKEN: 'another record has the name',
  FEATURE_IN_USE: 'plans have the feature',
  BUSY: 'other reads of the server',
  RULE_EXISTS: 'another rule of the server',
  TOO_MANY_VISIBLE: 'other announcements are visible',
  TOO_MANY: 'a number of records',
  QUOTA_REACHED: 'a number of records',
  PORT_TAKEN: 'the ports of all workloads of a server',
  PORT_RESERVED: 'what a server needs itself',
  NONE_FREE: 'the ports of all workloads of a server',
  NO_BASE_DOMAIN: 'a setting of the installation',
  LOCAL_SERVER: 'the kind of the server that runs the record',
  ENVIRONMENT_NOT_EMPTY: 'what the environment contains',
  LAST_SUPERADMIN: 'all other accounts',
  NOT_VERIFIED: 'only the status ACTIVE is refused',
  NOT_ACTIVE: 'the account of another member',
  SET_BY_ENVIRONMENT: 'a field of the request',
  LICENSING_NOT_CONFIGURED: 'the configuration of the installation',
  PANEL_URL_NOT_HTTPS: 'the configuration of the installation',
}

/** Routes without `from` that may be refused with another code, with the reason. */
const WITHOUT: Readonly<Record<string, string>> = {
  'PATCH /api/shop/me': 'a customer who is not active has no session',
  'DELETE /api/projects/:id': 'what the project contains',
  'DELETE /api/projects/:id/environments/:envId': 'what the environment contains',
  'POST /api/projects/:id/environments/:envId/promote-to/:dstEnvId':
    'what runs of applications, and what is free on their servers',
  'POST /api/projects/:id/duplicate': 'what its applications use, and what is free on their servers',
  'POST /api/servers/local/setup': 'its path names no record',
  'DELETE /api/engine/servers/:serverId/images/:imageId': 'what is on the host now, which is no record',
  'DELETE /api/engine/servers/:serverId/networks/:id': 'what is on the host now, which is no record',
  'DELETE /api/engine/servers/:serverId/volumes/:name': 'what is on the host now, which is no record',
  'DELETE /api/git-providers/:id': 'which applications use it',
  'POST /api/system/updates/check': 'the license of the installation',
  'POST /api/system/updates/apply': 'what the licensing service offers, and how the panel runs',
  'PATCH /api/applications/:id': 'what is free on its server',
  'POST /api/applications/:id/exec': 'what runs on its server',
  'POST /api/applications/:id/redeploy': 'whether its source has what is asked for',
  'POST /api/applications/:id/rollback': 'what its server has kept of another deployment',
  'POST /api/applications/:id/restart': 'whether it was ever deployed',
  'POST /api/applications/:id/start': 'whether it was ever deployed',
  'POST /api/applications/:id/stop': 'whether it was ever deployed',
  'PATCH /api/applications/:id/auto-deploy': 'the kind of its source, which is in a field of the record',
  'POST /api/applications/:id/webhook/install': 'where its repository is, and what the provider there allows',
  'PATCH /api/applications/:id/previews': 'where its source is, and who has the domain',
  'POST /api/applications/:id/duplicate': 'what is free on its server',
  'POST /api/applications/:id/transfer-project': 'what the other project has, and whether it is being deployed',
  'POST /api/scheduled-deploys/:id/run': 'whether its application has something to deploy',
}

type Fields = Readonly<Record<string, z.ZodType>>

/** The answers of a route, without what wraps them. */
function answersOf(schema: unknown): readonly z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(answersOf)
  return schema instanceof z.ZodType ? [schema] : []
}

/** The fields of an item of a list; undefined for one record. */
function itemFieldsOf({ reply }: Route): Fields | undefined {
  for (const answer of answersOf(reply)) {
    const items = answer instanceof z.ZodObject ? (answer.shape as Fields)['items'] : answer
    if (items instanceof z.ZodArray && items.element instanceof z.ZodObject) return items.element.shape
  }
  return undefined
}

const withoutLast = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** The fields of the record that a path names: the longest beginning of the path that is read or listed. */
function recordFieldsOf(routes: readonly Route[], path: string): Fields | undefined {
  if (path === '') return undefined
  const own = routes.find(({ line }) => line === `GET ${path}`)
  if (own && !itemFieldsOf(own)) {
    const record = answersOf(own.reply).find((answer) => answer instanceof z.ZodObject)
    if (record) return record.shape
  }
  const list = routes.find(({ line }) => line === `GET ${withoutLast(path)}`)
  const item = list && /\/:\w+$/.test(path) ? itemFieldsOf(list) : undefined
  return item ?? recordFieldsOf(routes, withoutLast(path))
}

const jsonOf = (schema: z.ZodType | undefined): unknown => schema && z.toJSONSchema(schema, { unrepresentable: 'any' })

test.each(SERVICES)('the routes of $name declare states of the record that their path names', ({ routes }) => {
  const declaring = routes.filter(({ from }) => from)
  expect(declaring.length).toBeGreaterThan(8)
  for (const { line, path, from } of declaring)
    for (const field of Object.keys(from!.states)) {
      const declared = jsonOf((from!.record.shape as Fields)[field])
      expect(jsonOf(recordFieldsOf(routes, path)?.[field]), `${line} ${field}`).toEqual(declared)
    }
})

/** The routes that change a record and declare no states, with the codes of their refusals with 409. */
const undeclared = SERVICES.flatMap(({ name, routes }) => {
  const codesOf = errorCodesOfRoutes(name)
  return routes
    .filter(({ method, path, from }) => method !== 'GET' && !from && recordFieldsOf(routes, path))
    .map((route) => ({
      line: route.line as string,
      codes: codesOf(route).flatMap(({ status, code }) => (status === 409 ? [code] : [])),
    }))
})

test('a route that is refused for a state of its record declares the others', () => {
  const refused = undeclared.filter(({ codes }) => codes.some((code) => !(code in OTHER_REASONS)))
  expect(refused.map(({ line }) => line)).toEqual(Object.keys(WITHOUT))
})

test('no code has a reason without need', () => {
  const codes = new Set(undeclared.flatMap((each) => each.codes))
  expect(Object.keys(OTHER_REASONS).filter((code) => !codes.has(code))).toEqual([])
})
