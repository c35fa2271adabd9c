/** Compares what the index of routes finds with what @koa/router finds by testing every route. */
import { Router } from '@koa/router'
import { expect } from 'vitest'
import { indexRoutes } from '#kernel/http/route-index'

export type Line = readonly [method: string, path: string]

/** A parameter comes after every fixed segment. */
const rank = ([, path]: Line): string => path.replaceAll(/:\w+/g, '\uFFFF')

function byRank(one: Line, other: Line): number {
  if (rank(one) === rank(other)) return 0
  return rank(one) < rank(other) ? -1 : 1
}

function registered(lines: readonly Line[]): Router {
  const router = new Router({ sensitive: true, strict: true })
  for (const [method, path] of lines) router.register(path, [method], () => {})
  return router
}

/** @returns a function that compares both for a request, and returns the lines of the matching routes */
export function routeIndexCheck(lines: readonly Line[]): (method: string, path: string) => string[] {
  const indexed = registered(lines)
  indexRoutes(indexed)
  const inOrder = registered(lines.toSorted(byRank))
  return (method, path) => {
    const [found, expected] = [indexed, inOrder].map((router) => {
      const { route, ...layers } = router.match(path, method)
      const linesOf = (of: typeof layers.path) => of.map((layer) => `${layer.methods.at(-1)} ${String(layer.path)}`)
      return { route, path: linesOf(layers.path), pathAndMethod: linesOf(layers.pathAndMethod) }
    }) as [Found, Found]
    expect(found, `${method} ${path}`).toEqual(expected)
    return found.pathAndMethod
  }
}

interface Found {
  readonly route: boolean
  readonly path: string[]
  readonly pathAndMethod: string[]
}
