/** What the OpenAPI document says of routes without a credential, whose refusals only their handlers know. */
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { responseStatusesOf } from '#kernel/http/openapi/openapi'
import { routes as licensing } from '../../src/composition/licensing.ts'
import { routes as panel } from '../../src/composition/panel.ts'
import { openApiCheck } from '../support/openapi-check.ts'

const REALMS = [
  ['/api/admin/auth', licensing],
  ['/api/shop/auth', licensing],
  ['/api/auth', panel],
] as const

test.each(REALMS)('signing in, going on and leaving are refused by name: %s', (path, routes) => {
  const refusals = (action: string) => {
    const [route] = routes.filter(({ line }) => line === `POST ${path}/${action}`)
    return [401, 403, 409, 429, 503].filter((status) => responseStatusesOf(route!).has(status))
  }
  expect(refusals('login')).toEqual([401, 409, 503])
  expect(refusals('refresh')).toEqual([401, 403, 409, 503])
  expect(refusals('logout')).toEqual([401, 403, 409, 503])
})

test('an answer that the document does not name is told of', () => {
  const document = openApiCheck(panel)
  const told = (status: number) => JSON.stringify({ msg: 'request', route: 'POST /api/auth/login', status })
  for (const status of [200, 401, 499, 503]) document.hear(told(status))
  document.check()
  document.hear(told(402))
  expect(() => document.check()).toThrow('POST /api/auth/login: 402')
})

/** Lists, whose parts no version names; and settings of one account, which only itself changes. */
const WITHOUT_VERSION = [
  'PUT /api/projects/:id/shared-env',
  'PATCH /api/applications/:id/env',
  'PATCH /api/applications/:id/ports',
  'PUT /api/users/me/notification-preferences',
]

test.each([
  ['licensing', licensing, 8],
  ['panel', panel, 11],
] as const)('a change of a record that can be read takes the version of its GET: %s', (_service, routes, least) => {
  const changes = routes.filter(({ method, path }) => {
    const isRead = routes.some((route) => route.method === 'GET' && route.path === path)
    return isRead && (method === 'PATCH' || method === 'PUT')
  })
  const versioned = changes.filter(({ line }) => !WITHOUT_VERSION.includes(line))
  expect(versioned.length).toBeGreaterThanOrEqual(least)
  for (const { line, path, version } of versioned) {
    const read = routes.find((route) => route.method === 'GET' && route.path === path)!
    expect(version, line).toBeDefined()
    expect(read.version, line).toBe(version)
    expect(Object.keys((read.reply as z.ZodObject).shape), line).toEqual(
      expect.arrayContaining(Object.keys(version!.covers.shape)),
    )
    expect(responseStatusesOf(read).has(412), line).toBe(false)
    expect(changes.every((change) => change.version === undefined || responseStatusesOf(change).has(412))).toBe(true)
  }
})
