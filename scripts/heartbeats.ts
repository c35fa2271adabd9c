/**
 * `node scripts/heartbeats.ts [--rounds 3 --seconds 10 --panels 6000]`: heartbeats per second, and the cost
 * of one to the service's process, compared with the cost of its cryptography alone. Both are measured in
 * turns on one machine, whose cores panels, service and Postgres share. Requests are signed ahead of each
 * round. Costs are processor time, which other processes change little.
 */
import assert from 'node:assert/strict'
import { createHmac, createSecretKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { startEmbeddedPostgres } from '../src/evaluation/embedded-postgres.ts'
import { migrate } from '../src/kernel/store/migrate.ts'
import { signedHeaders } from '../src/license-client/signed-request.ts'
import { BIN } from './figures/bench.ts'
import { child, freePort } from './figures/child.ts'
import { median } from './figures/spread.ts'

const BASE_URL = 'http://licensing.test'
const CONNECTIONS = 64
const PER_LICENSE = 10
const LANES = 32
/** No instance may send more within an hour. */
const HEARTBEATS_EACH = 12
const ADMIN = { email: 'ada@daybook.test', password: randomBytes(18).toString('base64url') }

interface SomePanel {
  readonly license: { readonly keyId: string; readonly k: Buffer }
  readonly key: KeyObject
  readonly components: Record<string, string>
  instanceId: string
  left: number
}

interface Ready {
  readonly body: string
  readonly headers: Record<string, string>
}

async function answered(url: string, path: string, init: RequestInit): Promise<any> {
  const response = await fetch(url + path, { method: 'POST', ...init })
  assert.ok(response.ok, `${path} answers ${response.status}: ${await response.clone().text()}`)
  return response.json()
}

const asJson = (body: object, as?: string): RequestInit => ({
  headers: { 'content-type': 'application/json', ...(as ? { authorization: `Bearer ${as}` } : {}) },
  body: JSON.stringify(body),
})

async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  const lane = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

function signed(path: string, body: object, panel: SomePanel): Ready {
  const text = JSON.stringify(body)
  const instance = panel.instanceId === '' ? undefined : { instanceId: panel.instanceId, privateKey: panel.key }
  const url = new URL(path, BASE_URL)
  const how = {
    method: 'POST' as const,
    url,
    body: Buffer.from(text),
    license: panel.license,
    instance,
    at: new Date(),
  }
  return { body: text, headers: signedHeaders(how) }
}

async function activatedPanels(url: string, number: number): Promise<SomePanel[]> {
  const { accessToken } = await answered(url, '/api/admin/auth/login', asJson(ADMIN))
  const plan = { slug: 'many', name: 'Many', maxActivations: PER_LICENSE }
  await answered(url, '/api/admin/plans', asJson(plan, accessToken))
  const panels: SomePanel[] = []
  await inLanes([...Array(Math.ceil(number / PER_LICENSE)).keys()], async (nth) => {
    const order = { email: `panel-${nth}@customer.test`, planSlug: plan.slug }
    const { licenseKey } = await answered(url, '/api/admin/provisioning', asJson(order, accessToken))
    const { jti, k } = JSON.parse(Buffer.from(licenseKey.split('.')[1], 'base64url').toString())
    const license = { keyId: jti as string, k: Buffer.from(k, 'base64url') }
    for (let each = 0; each < PER_LICENSE; each += 1) {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519')
      const components = { install: randomBytes(16).toString('base64url') }
      const panel: SomePanel = { license, key: privateKey, components, instanceId: '', left: HEARTBEATS_EACH }
      const instance = { name: 'web', hostname: 'web.test', version: '1.0.0', os: 'linux', arch: 'x64' }
      const { kty, crv, x } = publicKey.export({ format: 'jwk' })
      const body = { fingerprint: { scheme: 'fp1', components }, instance, instanceKey: { kty, crv, x } }
      const path = '/api/v1/license/activate'
      panel.instanceId = (await answered(url, path, signed(path, body, panel))).instance.id
      panels.push(panel)
    }
  })
  return panels
}

const HEARTBEAT = '/api/v1/license/heartbeat'

/** From panels that have some left, in turn, so that two heartbeats of one panel are far apart. */
function heartbeats(panels: readonly SomePanel[], number: number): Ready[] {
  const all: Ready[] = []
  while (all.length < number) {
    const before = all.length
    for (const panel of panels) {
      if (panel.left === 0 || all.length === number) continue
      panel.left -= 1
      const fingerprint = { scheme: 'fp1', components: panel.components }
      const body = { instanceId: panel.instanceId, fingerprint, version: '1.0.0', seqSeen: 1, prevLease: null }
      all.push(signed(HEARTBEAT, body, panel))
    }
    assert.ok(all.length > before, 'more panels are needed')
  }
  return all
}

/** Ticks of a hundredth of a second, as Linux counts them (proc(5): utime and stime). */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function fired(url: string, pid: number, ready: Ready[]) {
  const amount = ready.length
  const [startedMs, spentMs] = [performance.now(), cpuMs(pid)]
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    amount,
    requests: [{ method: 'POST', path: HEARTBEAT, setupRequest: (request) => ({ ...request, ...ready.pop() }) }],
  })
  assert.deepEqual([result.errors, result.timeouts, result.non2xx], [0, 0, 0], 'heartbeats fail')
  const { p50, p99 } = result.latency
  const cpuUs = ((cpuMs(pid) - spentMs) / amount) * 1_000
  return { perSecond: amount / ((performance.now() - startedMs) / 1_000), p50, p99, cpuUs }
}

/** The minimum of a heartbeat: HMAC and Ed25519 verified, a lease signed. @returns microseconds */
function bare(seconds: number): number {
  const secret = createSecretKey(randomBytes(32))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const base = randomBytes(600)
  const lease = randomBytes(700)
  const signature = sign(null, base, privateKey)
  const until = performance.now() + seconds * 1_000
  const before = process.cpuUsage()
  let done = 0
  for (; performance.now() < until; done += 1) {
    createHmac('sha256', secret).update(base).digest()
    assert.ok(verify(null, base, publicKey, signature))
    sign(null, lease, privateKey)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / done
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    panels: { type: 'string', default: '6000' },
  },
})
const directory = mkdtempSync(join(tmpdir(), 'daybook-heartbeats-'))
// If root starts it, Postgres runs as another user, who has to enter the directory.
chmodSync(directory, 0o711)
const postgres = await startEmbeddedPostgres({
  dataDir: join(directory, 'bench'),
  password: randomBytes(18).toString('hex'),
})
const end: (() => Promise<void>)[] = [postgres.stop]
try {
  const port = await freePort()
  const env = {
    DATABASE_URL: postgres.url,
    DAYBOOK_SECRET_KEY: randomBytes(32).toString('base64'),
    DAYBOOK_ADMIN_EMAIL: ADMIN.email,
    DAYBOOK_ADMIN_PASSWORD: ADMIN.password,
    LICENSING_URL: BASE_URL,
    LICENSING_HOST: '127.0.0.1',
    LICENSING_PORT: String(port),
  }
  await migrate(postgres.url)
  const { pid, stop } = await child([BIN, 'licensing'], env, 'licensing service started')
  end.push(stop)
  const url = `http://127.0.0.1:${port}`
  const panels = await activatedPanels(url, Number(values.panels))
  console.log(`${panels.length} panels activated; ${availableParallelism()} cores, ${CONNECTIONS} connections`)
  await fired(url, pid, heartbeats(panels, 2_000))
  const each = Math.floor((panels.length * HEARTBEATS_EACH - 2_000) / Number(values.rounds) / 2)
  const rounds: Awaited<ReturnType<typeof fired>>[] = []
  const alone: number[] = []
  for (let round = 0; round < Number(values.rounds); round += 1) {
    alone.push(bare(Number(values.seconds)))
    rounds.push(await fired(url, pid, heartbeats(panels, each)))
    const { perSecond, p50, p99, cpuUs } = rounds.at(-1)!
    console.log(
      `heartbeats ${perSecond.toFixed(0)} /s (p50 ${p50} ms, p99 ${p99} ms), ${cpuUs.toFixed(0)} µs each   sign + verify + HMAC ${alone.at(-1)!.toFixed(0)} µs`,
    )
  }
  const ratio = median(rounds.map(({ cpuUs }, nth) => cpuUs / alone[nth]!))
  const perSecond = median(rounds.map((each) => each.perSecond))
  console.log(`median ${perSecond.toFixed(0)} /s, each costs ${ratio.toFixed(1)} times its cryptography`)
} finally {
  for (const stop of end.toReversed()) await stop()
  rmSync(directory, { recursive: true, force: true })
}
