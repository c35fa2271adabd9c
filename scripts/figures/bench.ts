/** Requests per second, side by side in one run: the machine's mood changes from minute to minute, ratios change less. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { Request } from 'autocannon'
import { startEmbeddedPostgres } from '../../src/embedded-postgres.ts'
import { migrate } from '../../src/kernel/store/migrate.ts'
import { child, freePort } from './child.ts'
import { bareInserts } from './inserts.ts'
import type { BareInserts } from './inserts.ts'
import { median } from './spread.ts'

export const BIN = join(import.meta.dirname, '../../bin/daybook.mjs')
const KOA = join(import.meta.dirname, 'bare-koa.ts')
const CONNECTIONS = 32
const WARM_UP_SECONDS = 2
const ADMIN = { email: 'ada@daybook.test', password: randomBytes(18).toString('base64url') }
const SLUG = 'starter'

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
  readonly provisioning: Rate
  readonly inserts: Rate
  readonly rowsPerProvisioning: number
}

type Measure = (seconds: number) => Promise<{ perSecond: number; p50?: number; p99?: number }>

interface Shop {
  readonly url: string
  readonly token: string
  readonly planId: string
}

async function post(url: string, path: string, body: object, as?: string): Promise<any> {
  const headers = { 'content-type': 'application/json', ...(as ? { authorization: `Bearer ${as}` } : {}) }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(response.ok, `${path} answers ${response.status}`)
  return response.json()
}

async function openShop(url: string): Promise<Shop> {
  const { accessToken } = await post(url, '/api/admin/auth/login', ADMIN)
  const plan = await post(url, '/api/admin/plans', { slug: SLUG, name: 'Starter' }, accessToken)
  const permissions = ['licenses:manage', 'plans:view']
  const { secret } = await post(url, '/api/admin/machine-tokens', { name: 'figures', permissions }, accessToken)
  return { url, token: secret, planId: plan.id }
}

const order = () => ({ email: `${randomUUID()}@customer.test`, planSlug: SLUG, reference: randomUUID() })

const fired =
  (url: string, request: Request): Measure =>
  async (duration) => {
    const result = await autocannon({ url, connections: CONNECTIONS, duration, requests: [request] })
    assert.deepEqual([result.errors, result.timeouts, result.non2xx], [0, 0, 0], `${url} fails`)
    const { p50, p99 } = result.latency
    return { perSecond: result.requests.total / result.duration, p50, p99 }
  }

function measures(koa: string, { url, token, planId }: Shop, inserts: BareInserts): Record<string, Measure> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    koa: fired(koa, { path: '/' }),
    tokenRead: fired(url, { path: `/api/admin/plans/${planId}`, headers }),
    provisioning: fired(url, {
      method: 'POST',
      path: '/api/admin/provisioning',
      headers,
      setupRequest: (request) => ({ ...request, body: JSON.stringify(order()) }),
    }),
    inserts: async (seconds) => ({ perSecond: await inserts.rate(CONNECTIONS, seconds) }),
  }
}

/** In turns, so that each round of one thing has the others for neighbours. */
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

/** Everything on one embedded Postgres: a service process, a bare Koa process, and this one, which asks. */
export async function rates(directory: string, rounds: number, seconds: number): Promise<Rates> {
  const postgres = await startEmbeddedPostgres({
    dataDir: join(directory, 'bench'),
    password: randomBytes(18).toString('hex'),
  })
  const [port, koaPort] = [await freePort(), await freePort()]
  const env = {
    DATABASE_URL: postgres.url,
    DAYBOOK_SECRET_KEY: randomBytes(32).toString('base64'),
    DAYBOOK_ADMIN_EMAIL: ADMIN.email,
    DAYBOOK_ADMIN_PASSWORD: ADMIN.password,
    LICENSING_URL: 'http://licensing.test',
    LICENSING_HOST: '127.0.0.1',
    LICENSING_PORT: String(port),
  }
  const end: (() => Promise<void>)[] = [postgres.stop]
  try {
    await migrate(postgres.url)
    end.push((await child([BIN, 'licensing'], env, 'licensing service started')).stop)
    end.push((await child([KOA, String(koaPort)], {}, 'listening')).stop)
    const shop = await openShop(`http://127.0.0.1:${port}`)
    await post(shop.url, '/api/admin/provisioning', order(), shop.token)
    const inserts = await bareInserts(postgres.url, CONNECTIONS)
    end.push(inserts.close)
    const found = await inRounds(measures(`http://127.0.0.1:${koaPort}`, shop, inserts), rounds, seconds)
    return { connections: CONNECTIONS, seconds, rowsPerProvisioning: inserts.rows, ...(found as any) }
  } finally {
    for (const stop of end.toReversed()) await stop()
  }
}
