import { createPrivateKey } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { newEd25519, readJws } from '#kernel/identity/jws'
import type { Ed25519PrivateJwk } from '#kernel/identity/jws'
import { hashOfNonce } from '../src/license-client/answers.ts'
import { secretOf } from '../src/license-client/exchange.ts'
import { fingerprint } from '../src/license-client/fingerprint.ts'
import { untilRetry } from '../src/license-client/schedule.ts'
import { newNonce, signedHeaders } from '../src/license-client/signed-request.ts'
import { LeaseClaims, verifiedLease } from '../src/license-client/tokens.ts'
import { verifiedManifest } from '../src/license-client/manifest.ts'
import type { Manifest } from '../src/license-client/manifest.ts'
import type { Drill } from './drill.ts'
import { cluster, migrated } from './postgres.ts'
import { SLUG, call, onSite, openShop, signIn } from './site.ts'
import type { Service } from './site.ts'

const API = 'http://licensing.test/api/v1/license'
const WIDTH = 32
const SOCKETS = 512
const VISIBLE_TRIES = 50
const NOT_YET: readonly number[] = [401, 429]
/** For how long nobody answers. Every panel has its heartbeat in that time. */
const AWAY_MS = 20_000
/** A panel's minute, so that the drill ends within the hour. */
const MINUTE_MS = 15_000
const SECOND_MS = MINUTE_MS / 60
const ENDS_WITHIN_MS = 20 * 60_000

interface Panel {
  readonly licenseKey: string
  readonly key: Ed25519PrivateJwk
  readonly components: object
  instanceId: string
  lease: string | null
  failures: number
  doneMs: number | undefined
}

interface Answered {
  readonly status: number
  readonly retryAfter: number | undefined
  readonly body: any
}

/** The service comes back, and with it everybody who has waited for it. */
export const herd: Drill = {
  name: 'herd',
  does: 'the service is away while 50,000 panels want to say that they are alive, and comes back; each signs as it would in earnest and tries again as its schedule says',
  breaks: 'panels sign with a key that is not theirs',
  async run({ directory, isQuick, isBroken }) {
    const postgres = await migrated(await cluster(directory))
    return onSite(postgres, async (place) => {
      const service = await place.service()
      const { panels, manifest } = await activated(service, isQuick ? 1_000 : 50_000)
      await service.stop()
      const began = performance.now()
      const herd = stampede(service.port, panels, { manifest, isBroken, giveUpMs: began + ENDS_WITHIN_MS })
      await pause(AWAY_MS)
      const { port } = await place.service({ port: service.port })
      const backMs = performance.now()
      await herd.ended
      const times = panels.flatMap(({ doneMs }) => (doneMs === undefined ? [] : [(doneMs - backMs) / 1_000]))
      const sorted = times.toSorted((one, other) => one - other)
      const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
      const found = await aliveSince(port, panels, began)
      return {
        acknowledged: panels.length,
        found,
        lost: panels.length - found,
        doubled: 0,
        broken: [...herd.wrong].map(([what, times]) => `${times} times: ${what}`),
        note: `${panels.length} panels, away for ${AWAY_MS / 1_000} s, half were back ${at(0.5)} s after the service, 99 % ${at(0.99)} s, the last ${at(0.99999)} s; ${[...herd.turnedAway].map(([what, times]) => `${times} × ${what}`).join(', ')}`,
      }
    })
  },
}

/** Sells as many licenses, and activates a panel on each. */
async function activated(service: Service, count: number): Promise<{ panels: Panel[]; manifest: Manifest }> {
  const shop = await openShop(service.port)
  const session = await signIn(service.port)
  const { root } = (await call(service.port, 'GET', '/api/admin/settings/signing-keys', session)).body
  const { body } = await call(service.port, 'GET', '/api/v1/license/keys')
  const manifest = verifiedManifest(body.manifest, { kid: root.kid, jwk: root.publicJwk })
  if (!manifest) throw new Error('The manifest is not signed by the root key')
  const panels: Panel[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: WIDTH })
  await inParallel(count, WIDTH, async (nth) => {
    const order = { email: `customer-${nth % 500}@customer.test`, planSlug: SLUG, reference: `order-${nth}` }
    const sold = await call(service.port, 'POST', '/api/admin/provisioning', shop, order)
    const key = newEd25519()
    const { scheme, components } = fingerprint(`install-${nth}`, { machine: `machine-${nth}` })
    const panel: Panel = {
      licenseKey: sold.body.licenseKey,
      key,
      components: { scheme, components },
      instanceId: '',
      lease: null,
      failures: 0,
      doneMs: undefined,
    }
    const { d: _d, ...instanceKey } = key
    const instance = { name: `panel-${nth}`, hostname: 'host', version: '1.0.0', os: 'linux', arch: 'x64' }
    const asking = { fingerprint: panel.components, instance, instanceKey }
    const answered = await activation(service.port, panel, asking, agent)
    panel.instanceId = answered.body.instance.id
    panel.lease = jtiOf(answered.body.lease)
    panels.push(panel)
  })
  agent.destroy()
  return { panels, manifest }
}

/** A license key made a moment ago may not be visible yet on a busy machine; then it is refused. */
async function activation(
  port: number,
  panel: Panel,
  asking: object,
  agent: Agent,
  tries = VISIBLE_TRIES,
): Promise<Answered> {
  // A kept connection may end just as it is used again; to ask twice takes no second slot.
  const answered = await asked(port, '/activate', panel, asking, agent).then(
    (both) => both.answered,
    () => undefined,
  )
  if (answered && answered.status < 300) return answered
  if (tries === 0 || (answered && !NOT_YET.includes(answered.status)))
    throw new Error(`an activation is answered ${answered?.status ?? 'by nobody'}`)
  await pause(200)
  return activation(port, panel, asking, agent, tries - 1)
}

function stampede(
  port: number,
  panels: readonly Panel[],
  { manifest, isBroken, giveUpMs }: { manifest: Manifest; isBroken: boolean; giveUpMs: number },
) {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS })
  const wrong = new Map<string, number>()
  const turnedAway = new Map<string, number>()
  const count = (where: Map<string, number>, what: string) => where.set(what, (where.get(what) ?? 0) + 1)

  async function beat(panel: Panel): Promise<number | undefined> {
    const signedWith = isBroken ? newEd25519() : panel.key
    const body = {
      instanceId: panel.instanceId,
      fingerprint: panel.components,
      version: '1.0.0',
      seqSeen: 1,
      prevLease: panel.failures === 0 ? panel.lease : null,
    }
    const { answered, nonce } = await asked(port, '/heartbeat', panel, body, agent, signedWith)
    const lease = verifiedLease(manifest, answered.body?.lease)
    const isGood = lease?.st === 'OK' && lease.req === hashOfNonce(nonce) && lease.sub === panel.instanceId
    if (isGood) return undefined
    count(answered.status === 200 ? wrong : turnedAway, `answered ${answered.status}`)
    return answered.retryAfter ?? 0
  }

  async function live(panel: Panel): Promise<void> {
    await pause(Math.random() * AWAY_MS)
    for (;;) {
      const retryAfter = await beat(panel).catch((error: NodeJS.ErrnoException) => {
        count(turnedAway, error.code ?? error.message)
        return 0
      })
      if (retryAfter === undefined) break
      if (performance.now() > giveUpMs || (isBroken && panel.failures > 3)) return
      panel.failures += 1
      await pause(untilRetry(panel.failures, retryAfter / (SECOND_MS / 1_000), Math.random()) * SECOND_MS)
    }
    panel.doneMs = performance.now()
  }

  const ended = Promise.all(panels.map(live)).then(() => agent.destroy())
  return { ended, wrong, turnedAway }
}

/** Instances whose last sign of life, as staff see it, is later than the outage. */
async function aliveSince(port: number, panels: readonly Panel[], beganMs: number): Promise<number> {
  const since = Date.now() - (performance.now() - beganMs)
  const session = await signIn(port)
  let found = 0
  await inParallel(panels.length, WIDTH, async (nth) => {
    const { instanceId } = panels[nth]!
    const { body } = await call(port, 'GET', `/api/admin/instances/${instanceId}`, session)
    if (Date.parse(body.lastHeartbeatAt) >= since) found += 1
  })
  return found
}

async function asked(port: number, path: string, panel: Panel, body: object, agent: Agent, key = panel.key) {
  const bytes = Buffer.from(JSON.stringify(body))
  const nonce = newNonce()
  const headers = signedHeaders({
    method: 'POST',
    url: new URL(API + path),
    body: bytes,
    license: secretOf(panel.licenseKey),
    instance: panel.instanceId
      ? { instanceId: panel.instanceId, privateKey: createPrivateKey({ key: { ...key }, format: 'jwk' }) }
      : undefined,
    at: new Date(),
    nonce,
  })
  return { answered: await sent(port, `/api/v1/license${path}`, headers, bytes, agent), nonce }
}

/** Each panel is a host of its own: nothing here waits for another's connection longer than there are sockets. */
function sent(port: number, path: string, headers: Record<string, string>, body: Buffer, agent: Agent) {
  return new Promise<Answered>((resolve, refuse) => {
    const asking = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      agent,
      timeout: 30_000,
    })
    asking.on('timeout', () => asking.destroy(Object.assign(new Error('no answer'), { code: 'NO_ANSWER' })))
    asking.on('error', refuse)
    asking.on('response', (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', refuse)
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        const retryAfter = Number(response.headers['retry-after'] ?? Number.NaN)
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: Number.isNaN(retryAfter) ? undefined : retryAfter,
          body: text.startsWith('{') ? JSON.parse(text) : undefined,
        })
      })
    })
    asking.end(body)
  })
}

async function inParallel(count: number, width: number, work: (nth: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

const jtiOf = (lease: string): string => LeaseClaims.parse(readJws(lease)!.payload).jti
