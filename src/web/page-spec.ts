/** How a page is declared. The router, the server, the navigation and the sweeps of the tests read it. */
import type { Operation } from '#api-client/operation'

export interface PageSpec {
  readonly title: string
  /** The file below the surface's folder, without .tsx. Its default export is the page. */
  readonly page: string
  /** The operation that the page needs: a caller who may not call it does not see the page. */
  readonly needs?: Operation
  /** The heading of the navigation that the page stands under; the pages of the first have none. */
  readonly section?: string
  /** The letter that opens it after `g`: one of its title, of its own on the surface. */
  readonly keys?: `g ${string}`
  /** Shown without a session. */
  readonly isPublic?: true
}

/** By path, whose parameters are written as those of routes. */
export type Pages = Readonly<Record<string, PageSpec>>

/** An operation that projects and the installation have, as the installation asks for it. */
export function onPlatform({ asks = [], ...operation }: Operation): Operation {
  const permission = asks.find((ask) => !ask.startsWith('project:'))
  return { ...operation, ...(permission !== undefined && { permission }) }
}
