/**
 * Requests per second, side by side in one run: the machine's speed changes from minute to minute, ratios
 * change less.
 */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import type { Request } from 'autocannon'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../src/evaluation/embedded-postgres.ts'
import { migrate } from '../../src/kernel/store/migrate.ts'
import { child, freePort, resident } from './child.ts'
import { bareInserts } from './inserts.ts'
import type { BareInserts } from './inserts.ts'
import { median } from './spread.ts'

export const BIN = join(import.meta.dirname, '../../bin/daybook.mjs')
const KOA = join(import.meta.dirname, 'bare-koa.ts')
const CONNECTIONS = 32
const WARM_UP_SECONDS = 2
export const ADMIN = { email: 'ada@daybook.test', password: randomBytes(18).toString('base64url') }
const SLUG = 'starter'
const PROJECT = 'Figures'
/** In ms. Long enough to collect the garbage of a start. */
const REST_MS = 10_000
export const SETUP_TOKEN = /setup token:\s+(dbu_\w+)\s/

export interface Rate {
  /** Median of the rounds. */
  readonly perSecond: number
  readonly rounds: readonly number[]
  /** Of the last round, in milliseconds. */
  readonly p50?: number
  readonly p99?: number
}

export interface Rates {
  readonly connections: number
  readonly seconds: number
  readonly koa: Rate
  readonly tokenRead: Rate
  readonly keyRead: Rate
  readonly provisioning: Rate
  readonly inserts: Rate
  readonly rowsPerProvisioning: number
  /** Resident, in MiB: after the start, and after the last request. */
  readonly memory: Readonly<Record<'licensing' | 'panel', Memory>>
}

interface Memory {
  readonly atRest: number
  readonly afterwards: number
}

type Measure = (seconds: number) => Promise<{ perSecond: number; p50?: number; p99?: number }>

export interface Project {
  readonly url: string
  /** Of the account that made it. */
  readonly accessToken: string
  readonly key: string
  readonly projectId: string
  readonly projectName: string
}

export interface Shop {
  readonly url: string
  /** Of a member of staff. */
  readonly accessToken: string
  readonly token: string
  readonly planId: string
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  await client.end()
}

/** @throws if the answer is no success */
export async function post(url: string, path: string, body: object, as?: string): Promise<any> {
  const headers = { 'content-type': 'application/json', ...(as ? { authorization: `Bearer ${as}` } : {}) }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(response.ok, `${path} answers ${response.status}: ${response.ok ? '' : await response.text()}`)
  return response.json()
}

export async function openShop(url: string): Promise<Shop> {
  const { accessToken } = await post(url, '/api/admin/auth/login', ADMIN)
  const plan = await post(url, '/api/admin/plans', { slug: SLUG, name: 'Starter' }, accessToken)
  const permissions = ['licenses:manage', 'plans:view']
  const { secret } = await post(url, '/api/admin/machine-tokens', { name: 'figures', permissions }, accessToken)
  return { url, accessToken, token: secret, planId: plan.id }
}

/** A panel's first account, its first project and a key that may read it. */
export async function openProject(url: string, setupToken: string): Promise<Project> {
  await post(url, '/api/auth/register', { ...ADMIN, setupToken })
  const { accessToken } = await post(url, '/api/auth/login', ADMIN)
  const project = await post(url, '/api/projects', { name: PROJECT }, accessToken)
  const ask = { name: 'figures', scopes: ['platform:projects:view'] }
  const { secret } = await post(url, '/api/api-keys', ask, accessToken)
  return { url, accessToken, key: secret, projectId: project.id, projectName: PROJECT }
}

/** Of a new customer. */
export const order = () => ({ email: `${randomUUID()}@customer.test`, planSlug: SLUG, reference: randomUUID() })

const fired =
  (url: string, request: Request): Measure =>
  async (duration) => {
    const result = await autocannon({ url, connections: CONNECTIONS, duration, requests: [request] })
    assert.deepEqual([result.errors, result.timeouts, result.non2xx], [0, 0, 0], `${url} fails`)
    const { p50, p99 } = result.latency
    return { perSecond: result.requests.total / result.duration, p50, p99 }
  }

function measures(
  koa: string,
  { url, token, planId }: Shop,
  project: Project,
  inserts: BareInserts,
): Record<string, Measure> {
  const withKey = { authorization: `Bearer ${project.key}` }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    koa: fired(koa, { path: '/' }),
    tokenRead: fired(url, { path: `/api/admin/plans/${planId}`, headers }),
    keyRead: fired(project.url, { path: `/api/projects/${project.projectId}`, headers: withKey }),
    provisioning: fired(url, {
      method: 'POST',
      path: '/api/admin/provisioning',
      headers,
      setupRequest: (request) => ({ ...request, body: JSON.stringify(order()) }),
    }),
    inserts: async (seconds) => ({ perSecond: await inserts.rate(CONNECTIONS, seconds) }),
  }
}

/** In turns, so that the measurements of each round are close in time. */
async function inRounds(all: Record<string, Measure>, rounds: number, seconds: number): Promise<Record<string, Rate>> {
  for (const measure of Object.values(all)) await measure(WARM_UP_SECONDS)
  const found: Record<string, Rate> = {}
  for (let round = 0; round < rounds; round += 1)
    for (const [name, measure] of Object.entries(all)) {
      const { perSecond, ...latency } = await measure(seconds)
      const each = [...(found[name]?.rounds ?? []), perSecond]
      found[name] = { ...latency, perSecond: median(each), rounds: each }
    }
  return found
}

/**
 * Everything on one embedded Postgres: a process for each service, a bare Koa process, and this one, which
 * sends the requests.
 */
export async function rates(directory: string, rounds: number, seconds: number): Promise<Rates> {
  const postgres = await startEmbeddedPostgres({
    dataDir: join(directory, 'bench'),
    password: randomBytes(18).toString('hex'),
  })
  const [port, panelPort, koaPort] = [await freePort(), await freePort(), await freePort()]
  const panelUrl = `http://127.0.0.1:${panelPort}`
  const env = {
    DATABASE_URL: postgres.url,
    DAYBOOK_SECRET_KEY: randomBytes(32).toString('base64'),
    DAYBOOK_ADMIN_EMAIL: ADMIN.email,
    DAYBOOK_ADMIN_PASSWORD: ADMIN.password,
    LICENSING_URL: 'http://licensing.test',
    LICENSING_HOST: '127.0.0.1',
    LICENSING_PORT: String(port),
  }
  const panelDatabase = new URL('panel', postgres.url).href
  const panelEnv = {
    PANEL_DATABASE_URL: panelDatabase,
    PANEL_SECRET_KEY: randomBytes(32).toString('base64'),
    PANEL_URL: panelUrl,
    PANEL_HOST: '127.0.0.1',
    PANEL_PORT: String(panelPort),
  }
  const end: (() => Promise<void>)[] = [postgres.stop]
  try {
    await migrate(postgres.url)
    await createDatabase(postgres.url, 'panel')
    await migrate(panelDatabase)
    const licensing = await child([BIN, 'licensing'], env, 'licensing service started')
    end.push(licensing.stop)
    const panel = await child([BIN, 'panel'], panelEnv, 'with this setup token')
    end.push(panel.stop)
    end.push((await child([KOA, String(koaPort)], {}, 'listening')).stop)
    await sleep(REST_MS)
    const memory = () => ({ licensing: resident(licensing.pid), panel: resident(panel.pid) })
    const atRest = memory()
    const shop = await openShop(`http://127.0.0.1:${port}`)
    await post(shop.url, '/api/admin/provisioning', order(), shop.token)
    const project = await openProject(panelUrl, SETUP_TOKEN.exec(panel.said())![1]!)
    const inserts = await bareInserts(postgres.url, CONNECTIONS)
    end.push(inserts.close)
    const found: any = await inRounds(measures(`http://127.0.0.1:${koaPort}`, shop, project, inserts), rounds, seconds)
    const afterwards = memory()
    const of = (name: 'licensing' | 'panel') => ({ atRest: atRest[name], afterwards: afterwards[name] })
    return {
      connections: CONNECTIONS,
      seconds,
      rowsPerProvisioning: inserts.rows,
      memory: { licensing: of('licensing'), panel: of('panel') },
      ...found,
    }
  } finally {
    for (const stop of end.toReversed()) await stop()
  }
}
