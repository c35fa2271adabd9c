import { Router } from '@koa/router'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { indexRoutes } from '#kernel/http/route-index'
import { routeIndexCheck } from '../../support/kernel/route-index-check.ts'

const WORDS = ['plans', 'current', '__proto__', '']
const DECLARED = ['GET', 'POST', 'DELETE']
const REQUESTED = [...DECLARED, 'HEAD', 'OPTIONS', 'PUT']

const pathOf = (segments: readonly string[], max: number) =>
  fc.array(fc.constantFrom(...segments), { minLength: 1, maxLength: max }).map((each) => `/${each.join('/')}`)
/** The router rejects a path that names a parameter twice. */
const numbered = (path: string): string => path.split(':id').reduce((left, right, nth) => `${left}:id${nth}${right}`)
const line = fc.tuple(fc.constantFrom(...DECLARED), pathOf([...WORDS, 'a.b', ':id', ':id', ':id'], 3).map(numbered))
const request = fc.tuple(
  fc.constantFrom(...REQUESTED),
  pathOf([...WORDS, ...WORDS, 'Plans', 'a.b', 'a-b', '%41', '%zz', ':id1', 'é', '\n'], 4),
)

it('finds what the router finds by testing every route, and fixed segments before parameters', () => {
  let found = 0
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { selector: (each) => each.join(' '), minLength: 4, maxLength: 12 }),
      fc.array(request, { minLength: 20, maxLength: 20 }),
      (lines, requests) => {
        const check = routeIndexCheck(lines)
        for (const [method, path] of requests) check(method, path)
        for (const [method, path] of lines) found += check(method, path.replaceAll(/:\w+/g, 'current')).length
      },
    ),
    { numRuns: 300 },
  )
  expect(found).toBeGreaterThan(1_000)
})

it('decodes a parameter, and leaves one with a bad escape as it is', () => {
  const router = new Router({ sensitive: true, strict: true })
  router.register('/plans/:id/:part', ['GET'], () => {})
  indexRoutes(router)
  const [layer] = router.match('/plans/%C3%A9%20a/%zz', 'GET').pathAndMethod
  const captures = layer!.captures('/plans/%C3%A9%20a/%zz')
  expect(layer!.params('', captures)).toEqual({ id: 'é a', part: '%zz' })
})

it.each(['/files/*path', '/plans{/:id}', '/plans/:id.json', '/plans/a:id', '/plans/\\:id'])(
  'refuses %s, which is not made of fixed segments and parameters',
  (path) => {
    const router = new Router()
    router.register(path, ['GET'], () => {})
    expect(() => indexRoutes(router)).toThrow('cannot be indexed')
  },
)
