/** The root page: what this service is, with links; as HTML for browsers and as JSON for other clients. */
import { escapeHtml } from '../lib/escape-html.ts'
import type { CachedRepresentation } from './cached-representation.ts'
import { preferredType } from './content-negotiation.ts'
import { htmlPage } from './html-page.ts'
import type { Docs } from './openapi/openapi.ts'
import { JSON_TYPE } from './reply.ts'
import { NOT_MODIFIED, answer, everyone, route, textReply } from './route.ts'
import type { Answer, Route, RouteLine } from './route.ts'

const STYLE = `
:root { color-scheme: light dark }
body { margin: 4rem auto; max-width: 40rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif }
li { overflow-wrap: anywhere }
`

export const SEE_OTHER = 303

const VARY = { Vary: 'Accept' }

/** Public links, by name. */
const PUBLIC_LINKS: Readonly<Record<string, { readonly line: RouteLine; readonly is: string }>> = {
  documentation: { line: 'GET /api/docs', is: 'the documentation of the API' },
  openapi: { line: 'GET /api/openapi.json', is: 'the API as an OpenAPI 3.1 document' },
  health: { line: 'GET /api/health', is: 'whether the service answers' },
}

/** What browsers get in place of the description of the service. */
export interface BrowserRoot {
  /** Absent: browsers get the description as well. */
  readonly answer?: (() => Answer<string | CachedRepresentation>) | undefined
  /** A sentence for the description, as plain text. */
  readonly note?: string | undefined
}

/**
 * @param lines the routes of the service: only links to existing routes are shown
 * @returns a page that contains only the public facts of `docs`
 */
export function rootRoute(
  lines: readonly RouteLine[],
  { title, version, description }: Docs,
  root: BrowserRoot = {},
): Route {
  const places = Object.entries(PUBLIC_LINKS).filter(([, { line }]) => lines.includes(line))
  const links = Object.fromEntries(places.map(([name, { line }]) => [name, pathOf(line)]))
  const json = JSON.stringify({ name: title, version, description, links })
  const items = places.map(
    ([, { line, is }]) => `<li><a href="${pathOf(line)}">${pathOf(line)}</a>: ${escapeHtml(is)}</li>`,
  )
  const { html, policy } = htmlPage(
    title,
    STYLE,
    `<h1>${escapeHtml(title)}</h1>
<p>Version ${escapeHtml(version)}. ${escapeHtml(description)}</p>
${root.note === undefined ? '' : `<p>${escapeHtml(root.note)}.</p>\n`}<ul>${items.join('')}</ul>`,
  )
  const described = { ...VARY, 'Content-Type': 'text/html', 'Content-Security-Policy': policy }
  return route('GET /', {
    does: 'Describe this service as JSON and link to its documentation. A browser gets the first page.',
    access: everyone,
    status: [200, SEE_OTHER, NOT_MODIFIED],
    reply: textReply(JSON_TYPE, 'text/html'),
    handle: async ({ header }) =>
      preferredType(['application/json', 'text/html'], header('accept')) === 'text/html'
        ? (root.answer?.() ?? answer(html, 200, described))
        : answer(json, 200, VARY),
  })
}

const pathOf = (line: RouteLine): string => line.slice(line.indexOf('/'))
