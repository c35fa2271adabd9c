/**
 * Serves the pages for people: an HTML shell for each declared path, and the assets that it loads. They are public
 * files without data; a page asks the API for what it shows. The OpenAPI document does not contain these routes.
 */
import { z } from 'zod'
import { escapeHtml } from '../lib/escape-html.ts'
import { reject } from '../lib/rejection.ts'
import { uuid } from '../lib/uuid.ts'
import { CachedRepresentation } from './cached-representation.ts'
import { ASSETS, ASSET_TYPES } from './pages-bundle.ts'
import type { PagesBundle, PagesManifest } from './pages-bundle.ts'
import { SEE_OTHER } from './root-page.ts'
import type { BrowserRoot } from './root-page.ts'
import { answer, cachedReply, everyone, route } from './route.ts'
import type { Route } from './route.ts'

/** Pages that share a shell. */
export interface PageSurface {
  /** As in the bundle. */
  readonly name: string
  /** The path that its pages lie below. */
  readonly base: string
  readonly title: string
  /** The paths of its pages, written as those of routes. */
  readonly paths: readonly string[]
}

export interface PagesDependencies {
  readonly surfaces: readonly PageSurface[]
  /** Undefined: there are no pages, and their paths say so. */
  readonly bundle: PagesBundle | undefined
  /** The configured public address, without a trailing slash. */
  readonly baseUrl: string
}

export interface PagesRoutes {
  readonly routes: readonly Route[]
  /** What a browser gets at the root. */
  readonly root: BrowserRoot
}

const ROOT = '/'
const NOT_BUILT =
  'This service has no pages: run "daybook pages DIR", set PAGES_DIR to that directory, and start the service again. The API is complete without them'

/**
 * Only code and styles of this origin run, no text becomes code, and no other page may embed these. React sets styles
 * by the CSSOM, which the policy allows.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** No page uses one of these. */
const DENIED_FEATURES = [
  'camera',
  'display-capture',
  'geolocation',
  'hid',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]

const SHELL_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': DENIED_FEATURES.map((feature) => `${feature}=()`).join(', '),
}

/** The name of an asset contains the hash of its content, so a browser never asks again. */
const ASSET_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** @throws Error if the bundle lacks a surface */
export function pagesOf({ surfaces, bundle, baseUrl }: PagesDependencies): PagesRoutes {
  const shells = new Map(surfaces.map((surface) => [surface, bundle && shellOf(surface, bundle, baseUrl)]))
  const pages = [...shells].flatMap(([{ paths }, shell]) =>
    paths.filter((path) => path !== ROOT).map((path) => pageRoute(path, shell)),
  )
  return { routes: surfaces.length === 0 ? [] : [...pages, assetRoute(bundle)], root: rootOf(shells) }
}

function pageRoute(path: string, shell: CachedRepresentation | undefined): Route {
  return route(`GET ${path as '/'}`, {
    does: 'Get the HTML shell of a page.',
    access: everyone,
    params: pageParams(path),
    // Filters and places in lists: the page reads them.
    query: z.record(z.string(), z.string()),
    reply: cachedReply('text/html; charset=utf-8'),
    handle: async () => answer(shell ?? reject('unavailable', NOT_BUILT, 'PAGES_NOT_BUILT'), 200, SHELL_HEADERS),
  })
}

/** Ids are UUIDs, as in the API. Another parameter is one segment, which the page judges. */
function pageParams(path: string): z.ZodType {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  return z.object(Object.fromEntries(names.map((name) => [name, /^id$|Id$/.test(name) ? uuid : z.string()])))
}

function assetRoute(bundle: PagesBundle | undefined): Route {
  return route(`GET /${ASSETS}/:file`, {
    does: 'Get a script, a style or an image of the pages.',
    access: everyone,
    params: z.object({ file: z.enum([...(bundle?.assets.keys() ?? [])]) }),
    reply: cachedReply(...ASSET_TYPES),
    handle: async ({ params: { file } }) => {
      const { kept, contentType } = bundle!.assets.get(file)!
      return answer(kept, 200, { ...ASSET_HEADERS, 'Content-Type': contentType })
    },
  })
}

/** The page at the root, if a surface has one; otherwise the way to the first surface. */
function rootOf(shells: ReadonlyMap<PageSurface, CachedRepresentation | undefined>): BrowserRoot {
  const [first] = shells
  if (!first) return {}
  const [surface, shell] = [...shells].find(([{ paths }]) => paths.includes(ROOT)) ?? first
  const headers = { Vary: 'Accept', 'Content-Type': 'text/html' }
  if (!shell) return { note: NOT_BUILT }
  return {
    answer: () =>
      surface.paths.includes(ROOT)
        ? answer(shell, 200, { ...SHELL_HEADERS, ...headers })
        : answer('', SEE_OTHER, { ...headers, Location: surface.base }),
  }
}

/** It loads everything by reference: the policy allows nothing inline. */
function shellOf({ name, base, title }: PageSurface, bundle: PagesManifest, baseUrl: string): CachedRepresentation {
  const parts = bundle.surfaces[name]
  if (!parts) throw new Error(`The pages in the bundle lack ${name}`)
  const { module, preloads, styles } = parts
  return new CachedRepresentation(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="origin" content="${escapeHtml(baseUrl)}">
<meta name="base" content="${escapeHtml(base)}">
<script src="/${bundle.theme}"></script>
${styles.map((path) => `<link rel="stylesheet" href="/${path}">\n`).join('')}<script type="module" src="/${module}"></script>
${preloads.map((path) => `<link rel="modulepreload" href="/${path}">\n`).join('')}<link rel="icon" href="/${bundle.icon}" type="image/svg+xml">
<link rel="license" href="/${bundle.notices}">
</head><body><div id="root"></div><noscript>This page needs JavaScript. The API does not: see /api/docs.</noscript></body></html>
`)
}
