/** An id is the same in upper and lower case, in every route that takes one. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { inputParserOf } from '#kernel/http/input'
import { everyone, route } from '#kernel/http/route'
import type { Route } from '#kernel/http/route'
import { normalizeUuid, uuid } from '#kernel/lib/uuid'
import { routes as licensingRoutes } from '../../src/composition/licensing.ts'
import { routes as panelRoutes } from '../../src/composition/panel.ts'

const ID = '01940000-0000-7000-8000-00000000abcd'
const UPPER = ID.toUpperCase()

/** Path parameters that are not ids: words, key ids, and names of the caller. */
const WORDS = ['key', 'kid', 'provider', 'resource']

/** Objects of a container engine have its names, not ours. Some that its grammar takes. */
const OF_ENGINE: Readonly<Record<string, readonly [param: string, value: string]>> = {
  images: ['imageId', `sha256:${'a'.repeat(64)}`],
  networks: ['id', 'a'.repeat(64)],
  volumes: ['name', 'Data'],
}
const ofEngineIn = ({ path }: Route) => OF_ENGINE[/^\/api\/engine\/servers\/:serverId\/(\w+)\/:/.exec(path)?.[1] ?? '']

const idsIn = (of: Route): string[] =>
  [...of.path.matchAll(/:(\w+)/g)]
    .map(([, name]) => name!)
    .filter((name) => !WORDS.includes(name) && name !== ofEngineIn(of)?.[0])
const withIds = [...licensingRoutes, ...panelRoutes].filter((each) => idsIn(each).length > 0)

function given(each: Route, id: string): Record<string, string> {
  const ofEngine = ofEngineIn(each)
  return Object.fromEntries([...idsIn(each).map((name) => [name, id] as const), ...(ofEngine ? [ofEngine] : [])])
}
const parsed = (each: Route, id: string) => inputParserOf(each).params(given(each, id))

test.each(withIds.map((each) => [each.line, each] as const))('%s', (_line, each) => {
  expect(parsed(each, UPPER)).toEqual(given(each, ID))
  expect(parsed(each, UPPER)).toEqual(parsed(each, ID))
})

test('routes with ids are most of the routes that name something', () => {
  expect(withIds.length).toBeGreaterThan(100)
})

describe('a route that would pass an id on as it was sent', () => {
  const made = (more: object) =>
    route('GET /things/:id', { does: 'A.', access: everyone, handle: async () => {}, ...more })

  test.each([
    ['in its path', { params: z.object({ id: z.uuid() }) }],
    ['in its query', { query: z.strictObject({ thingId: z.uuid().optional() }) }],
    ['in its body', { body: z.strictObject({ thingId: z.uuid() }) }],
    ['in a list', { body: z.strictObject({ ids: z.array(z.uuid()).min(1) }) }],
    [
      'in an object of its body',
      { body: z.strictObject({ filter: z.strictObject({ thingId: z.uuid().nullable() }) }) },
    ],
    ['as one of several', { body: z.strictObject({ thing: z.union([z.literal('all'), z.uuid()]) }) }],
    ['by default', { body: z.strictObject({ thingId: z.uuid().default(ID) }) }],
  ])('does not start: %s', (_where, more) => {
    expect(() => inputParserOf(made(more))).toThrow(/accepts an id without converting it to lower case/)
  })

  test('starts with the one that has one spelling', async () => {
    const ids = { params: z.object({ id: uuid }), query: z.strictObject({ ids: z.array(uuid) }) }
    const input = inputParserOf(made({ ...ids, body: z.strictObject({ thingId: uuid.nullable().default(null) }) }))
    expect(input.params({ id: UPPER })).toEqual({ id: ID })
    expect(input.query(`ids=${UPPER}&ids=${ID}`)).toEqual({ ids: [ID, ID] })
  })
})

test('text that may be an id is an id in any spelling, and every other word as it is', () => {
  const words = ['Ada@Example.com', 'STAFF', `${UPPER} `, `{${UPPER}}`, UPPER.replaceAll('-', '')]
  expect(normalizeUuid(UPPER)).toBe(ID)
  expect(words.map(normalizeUuid)).toEqual(words)
})
