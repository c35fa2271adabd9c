/** Every route of both services is found by its path as it would be without the index. */
import { expect, test } from 'vitest'
import { routes as licensing } from '../../src/composition/licensing.ts'
import { routes as panel } from '../../src/composition/panel.ts'
import { routeIndexCheck } from '../support/kernel/route-index-check.ts'

const ID = '01940000-0000-7000-8000-00000000ABCD'
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']

/** Values for the parameters of a path: an id, a word that other paths have in its place, and an escape. */
const VALUES = [ID, 'current', 'me', '%20x']

/** The path as it is, and spelled as no route is. */
const spellings = (path: string): string[] => [
  path,
  `${path}/`,
  path.toUpperCase(),
  path.replace('/', '//'),
  path.slice(0, path.lastIndexOf('/')),
  path.replace('a', '%61'),
]

test.each([
  ['licensing', licensing],
  ['panel', panel],
])('%s', (_service, routes) => {
  const check = routeIndexCheck(routes.map(({ method, path }) => [method, path] as const))
  const paths = new Set(routes.map(({ path }) => path))
  for (const path of paths)
    for (const value of VALUES)
      for (const spelling of spellings(path.replaceAll(/:\w+/g, value)))
        for (const method of METHODS) check(method, spelling)
  for (const { method, path, line } of routes) expect(check(method, path.replaceAll(/:\w+/g, ID))).toContain(line)
})
