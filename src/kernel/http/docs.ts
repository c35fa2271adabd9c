/** The API describes itself: as OpenAPI for programs, as a page for people, both made of the routes. */
import { docsPage } from './docs-page.ts'
import { openapi } from './openapi.ts'
import type { Docs } from './openapi.ts'
import { answer, everyone, route, textReply } from './route.ts'
import type { Route } from './route.ts'

/** The given routes and the two that describe them, themselves included. @throws Error for two equal operation ids */
export function documented(routes: readonly Route[], docs: Docs, baseUrl: string): readonly Route[] {
  const all = [
    ...routes,
    route('GET /api/openapi.json', {
      does: 'This API as an OpenAPI 3.1 document.',
      access: everyone,
      reply: textReply('application/json; charset=utf-8'),
      handle: async () => text,
    }),
    route('GET /api/docs', {
      does: 'This API as a page for people.',
      access: everyone,
      reply: textReply('text/html'),
      handle: async () => answer(page.html, 200, { 'Content-Security-Policy': page.policy }),
    }),
  ]
  const document = openapi(all, docs, baseUrl)
  const text = JSON.stringify(document)
  const page = docsPage(document)
  return all
}
