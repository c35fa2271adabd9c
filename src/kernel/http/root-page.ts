/** What stands at `/`: what this service is and where to go on, as a page for browsers and as JSON for the rest. */
import { preferredType } from './content-negotiation.ts'
import type { Docs } from './openapi/openapi.ts'
import { escapeHtml, htmlPage } from './html-page.ts'
import { JSON_TYPE } from './reply.ts'
import { answer, everyone, route, textReply } from './route.ts'
import type { Route, RouteLine } from './route.ts'

const STYLE = `
:root { color-scheme: light dark }
body { margin: 4rem auto; max-width: 40rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif }
li { overflow-wrap: anywhere }
`

/** Where a stranger may look, by the name of each link. */
const PUBLIC_LINKS: Readonly<Record<string, { readonly line: RouteLine; readonly is: string }>> = {
  documentation: { line: 'GET /api/docs', is: 'the API for people' },
  openapi: { line: 'GET /api/openapi.json', is: 'the API as an OpenAPI 3.1 document' },
  health: { line: 'GET /api/health', is: 'whether the service answers' },
}

/** @param lines the service's routes: only a link that answers is shown. Says nothing that `docs` does not say in public. */
export function rootRoute(lines: readonly RouteLine[], { title, version, description }: Docs): Route {
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
<ul>${items.join('')}</ul>`,
  )
  return route('GET /', {
    does: 'Say what this service is and where its documentation is: as a page for a browser, else as JSON.',
    access: everyone,
    reply: textReply(JSON_TYPE, 'text/html'),
    handle: async ({ header }) =>
      preferredType(['application/json', 'text/html'], header('accept')) === 'text/html'
        ? answer(html, 200, { Vary: 'Accept', 'Content-Type': 'text/html', 'Content-Security-Policy': policy })
        : answer(json, 200, { Vary: 'Accept' }),
  })
}

const pathOf = (line: RouteLine): string => line.slice(line.indexOf('/'))
