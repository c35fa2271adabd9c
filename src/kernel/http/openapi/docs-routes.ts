/**
 * Serves the documentation of the API, derived from the routes: as OpenAPI for programs and as HTML for
 * people.
 */
import { rootRoute } from '../root-page.ts'
import type { BrowserRoot } from '../root-page.ts'
import { answer, everyone, cachedReply, route } from '../route.ts'
import type { Route } from '../route.ts'
import { docsPage } from './docs-page.ts'
import { openapi } from './openapi.ts'
import type { Docs } from './openapi.ts'
import { MADE_AT_START } from './when-made.ts'

/**
 * @param root what browsers get at `/`; by default the description of the service
 * @returns the given routes, the documentation routes and the route at `/` that links to them; all are
 * documented
 * @throws Error for two equal operation ids
 */
export function withDocumentation(
  routes: readonly Route[],
  docs: Docs,
  baseUrl: string,
  root?: BrowserRoot,
): readonly Route[] {
  const document = cachedReply('application/json; charset=utf-8')
  const page = cachedReply('text/html')
  const leading = [
    ...routes,
    route('GET /api/openapi.json', {
      does: 'Get the OpenAPI 3.1 document of this API.',
      access: everyone,
      reply: document,
      handle: async () => document.of(made().text),
    }),
    route('GET /api/docs', {
      does: 'Get the documentation of this API as an HTML page.',
      access: everyone,
      reply: page,
      handle: async () => answer(page.of(made().html), 200, { 'Content-Security-Policy': made().policy }),
    }),
  ]
  const all = [
    ...leading,
    rootRoute(
      leading.map(({ line }) => line),
      docs,
      root,
    ),
  ]
  const make = () => {
    const described = openapi(all, docs, baseUrl)
    return { text: JSON.stringify(described), ...docsPage(described, docs.errorCodes) }
  }
  let kept = MADE_AT_START ? make() : undefined
  const made = () => (kept ??= make())
  return all
}
