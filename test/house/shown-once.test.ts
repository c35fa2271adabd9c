/** Routes that answer secrets: no such answer is stored for an Idempotency-Key, in either service. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { acceptsIdempotencyKey } from '#kernel/http/idempotency'
import type { Route } from '#kernel/http/route'
import { routes as licensing } from '../../src/composition/licensing.ts'
import { routes as panel } from '../../src/composition/panel.ts'

/** Names of fields that hold a secret or a link to one. */
const SECRET = /[a-z]Key$|[Ss]ecret$|[Tt]oken$|[Ll]ink$|[a-z]Url$|[Cc]ommand$|[Ll]ease$|[Pp]assword$|Codes?$/

/** Fields with such a name that hold no secret, with the reason. */
const OPENS_NOTHING: Readonly<Record<string, string>> = {
  'POST /api/admin/webhooks publicKey': 'is public',
  'PATCH /api/admin/webhooks/:id publicKey': 'is public',
  'POST /api/admin/webhooks/:id/rotate-secret publicKey': 'is public',
  'POST /api/admin/subscriptions/:id/change-preview previewToken': 'is a signed price',
  'POST /api/shop/subscriptions/:id/change-preview previewToken': 'is a signed price',
  'POST /api/shop/checkout checkoutUrl': 'is where this customer pays for this checkout, at the provider',
  'PATCH /api/admin/config password': 'is masked',
  'PATCH /api/applications/:id command': 'is the program of a container and its arguments',
  'POST /api/applications command': 'is the program of a container and its arguments',
  'POST /api/applications/:id/duplicate command': 'is the program of a container and its arguments',
  'POST /api/applications/:id/transfer-project command': 'is the program of a container and its arguments',
  'POST /api/git-providers/oauth/hosted-git/device/start userCode': 'opens nothing without a sign-in at GitHub',
  'POST /api/git-providers baseUrl': 'is the address of the provider',
  'PATCH /api/registries/:id password': 'is masked',
  'POST /api/registries password': 'is masked',
}

const isText = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && JSON.stringify(schema).includes('"string"')

/** The names of all strings in a JSON schema, at any depth. */
function textsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.entries(schema.properties as object) : []
  return [
    ...own.flatMap(([name, value]) => (isText(value) && !('properties' in value) ? [name] : [])),
    ...Object.values(schema).flatMap(textsIn),
  ]
}

const textsOf = ({ reply }: Route): string[] =>
  reply instanceof z.ZodType ? [...new Set(textsIn(z.toJSONSchema(reply, { unrepresentable: 'any' })))] : []

const secretsOf = (route: Route): string[] => textsOf(route).filter((name) => SECRET.test(name))

const repeatable = [...licensing, ...panel].filter(acceptsIdempotencyKey)

const named = repeatable.flatMap((route) => secretsOf(route).map((name) => ({ route, name })))

test('what is called like a secret in a repeatable answer is not kept, or opens nothing', () => {
  const kept = named.filter(({ route, name }) => !route.shownOnce?.includes(name))
  expect(kept.map(({ route, name }) => `${route.line} ${name}`).toSorted()).toEqual(
    Object.keys(OPENS_NOTHING).toSorted(),
  )
})

test('the value of a variable of a project is not kept', () => {
  const ofProjects = repeatable.filter(({ line }) => line.includes('/api/projects/'))
  const values = ofProjects.filter((route) => textsOf(route).includes('value'))
  expect(values.map(({ line, shownOnce }) => [line, shownOnce])).toEqual([
    ['PUT /api/projects/:id/shared-env', ['value']],
  ])
})

test('no other route shows again what is not kept', () => {
  const again = repeatable.filter(({ showAgain }) => showAgain).map(({ line }) => line)
  expect(again.toSorted()).toEqual([
    'POST /api/admin/licenses/:id/offline-lease',
    'POST /api/admin/provisioning',
    'POST /api/shop/account/export',
    'POST /api/shop/licenses/:id/offline-activation',
  ])
})
