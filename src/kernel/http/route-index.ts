/**
 * Finds the routes of a path by its segments. By itself, @koa/router tests the regular expression of every route for
 * each request. Here it tests only those whose fixed segments the path has, `/plans/current` before `/plans/:id`.
 */
import type { Router } from '@koa/router'

type Layer = Router['stack'][number]

/** The routes whose paths begin alike. */
interface Branch {
  readonly fixed: Map<string, Branch>
  parameter?: Branch
  /** The routes that end here. */
  readonly layers: Layer[]
}

/** Each segment is a parameter, or has no sign that path-to-regexp gives a meaning. */
const INDEXABLE = /^(?:\/(?::\w+|[^/:*{}\\]*))+$/

const newBranch = (): Branch => ({ fixed: new Map(), layers: [] })

/**
 * Call it when all routes are registered.
 * @throws Error for a path that is not made of fixed segments and parameters
 */
export function indexRoutes(router: Router): void {
  const root = newBranch()
  for (const layer of router.stack) branchOf(root, layer).layers.push(layer)
  router.match = (path, method) => {
    const matching = layersAt(root, path.split('/')).filter((layer) => layer.match(path))
    const pathAndMethod = matching.filter(({ methods }) => methods.includes(method.toUpperCase()))
    return { path: matching, pathAndMethod, route: pathAndMethod.length > 0 }
  }
}

function branchOf(root: Branch, { path }: Layer): Branch {
  if (typeof path !== 'string' || !INDEXABLE.test(path)) throw new Error(`The path ${String(path)} cannot be indexed`)
  return path.split('/').reduce((branch, segment) => {
    if (segment.startsWith(':')) return (branch.parameter ??= newBranch())
    const known = branch.fixed.get(segment) ?? newBranch()
    branch.fixed.set(segment, known)
    return known
  }, root)
}

/** @param nth the segment that leaves this branch */
function layersAt(branch: Branch, segments: readonly string[], nth = 0): readonly Layer[] {
  if (nth === segments.length) return branch.layers
  const fixed = branch.fixed.get(segments[nth]!)
  const found = fixed ? layersAt(fixed, segments, nth + 1) : []
  return branch.parameter ? [...found, ...layersAt(branch.parameter, segments, nth + 1)] : found
}
