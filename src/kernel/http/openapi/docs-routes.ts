/** The API describes itself: as OpenAPI for programs, as a page for people, both made of the routes. */
import { docsPage } from './docs-page.ts'
import { openapi } from './openapi.ts'
import type { Docs } from './openapi.ts'
import { rootRoute } from '../root-page.ts'
import { answer, everyone, cachedReply, route } from '../route.ts'
import type { Route } from '../route.ts'

/**
 * The given routes, those that describe them, themselves included, and the one at `/` that leads there.
 * @throws Error for two equal operation ids
 */
export function withDocumentation(routes: readonly Route[], docs: Docs, baseUrl: string): readonly Route[] {
  const document = cachedReply('application/json; charset=utf-8')
  const page = cachedReply('text/html')
  const leading = [
    ...routes,
    route('GET /api/openapi.json', {
      does: 'This API as an OpenAPI 3.1 document.',
      access: everyone,
      reply: document,
      handle: async () => document.of(text),
    }),
    route('GET /api/docs', {
      does: 'This API as a page for people.',
      access: everyone,
      reply: page,
      handle: async () => answer(page.of(html), 200, { 'Content-Security-Policy': policy }),
    }),
  ]
  const all = [
    ...leading,
    rootRoute(
      leading.map(({ line }) => line),
      docs,
    ),
  ]
  const described = openapi(all, docs, baseUrl)
  const text = JSON.stringify(described)
  const { html, policy } = docsPage(described)
  return all
}
