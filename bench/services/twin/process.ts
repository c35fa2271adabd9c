/**
 * The routes that are measured, written by hand with Koa and pg: what a service costs that gives the same guarantees
 * and does nothing else. It runs as `process.ts`, with its settings in TWIN, and understands the services' requests.
 */
import Koa from 'koa'
import pg from 'pg'
import type { WrittenRows } from '../written-rows.ts'
import { licenseApi } from './license-api.ts'
import { provisioning } from './provisioning.ts'
import { keyRead, tokenRead } from './reads.ts'

export interface TwinSettings {
  readonly port: number
  readonly licensingDatabase: string
  readonly panelDatabase: string
  /** The host that signatures cover. */
  readonly authority: string
  readonly projectName: string
  readonly provisioned: WrittenRows
  readonly activated: WrittenRows
}

/** As many as a service has. */
const CONNECTIONS = 10

export interface Answer {
  readonly status: number
  /** JSON. */
  readonly body: string
}

export interface Asked {
  readonly path: string
  readonly header: (name: string) => string
  readonly body: () => Promise<string>
}

/** A body, or undefined for a caller that is refused. */
export type Handler = (asked: Asked) => Promise<Answer | undefined>

const settings: TwinSettings = JSON.parse(process.env['TWIN']!)
const licensing = new pg.Pool({ connectionString: settings.licensingDatabase, max: CONNECTIONS })
const panel = new pg.Pool({ connectionString: settings.panelDatabase, max: CONNECTIONS })
const { activate, heartbeat } = licenseApi(licensing, settings)

const ROUTES: readonly (readonly [string, Handler])[] = [
  ['GET /api/admin/plans/', tokenRead(licensing)],
  ['GET /api/projects/', keyRead(panel, settings.projectName)],
  ['POST /api/admin/provisioning', provisioning(licensing, settings.provisioned)],
  ['POST /api/v1/license/activate', activate],
  ['POST /api/v1/license/heartbeat', heartbeat],
]

const app = new Koa()
app.use(async (ctx) => {
  const asked = `${ctx.method} ${ctx.path}`
  const handle = ROUTES.find(([start]) => asked.startsWith(start))?.[1]
  const answer = await handle?.({ path: ctx.path, header: (name) => ctx.get(name), body: () => bodyOf(ctx.req) })
  ctx.status = answer?.status ?? 401
  ctx.type = 'application/json'
  ctx.body = answer?.body ?? '{}'
})
app.listen(settings.port, '127.0.0.1', () => console.log('the twin listens'))

async function bodyOf(request: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
