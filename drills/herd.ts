import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { newEd25519, privateKeyOf } from '#kernel/credentials/jws'
import { hashOfNonce } from '../src/license-client/judge-answer.ts'
import { secretOf } from '../src/license-client/license-api.ts'
import { verifiedManifest } from '../src/license-client/manifest.ts'
import type { Manifest } from '../src/license-client/manifest.ts'
import { secondsUntilRetry } from '../src/license-client/schedule.ts'
import { newNonce, signedHeaders } from '../src/license-client/signed-request.ts'
import type { LicenseSecret } from '../src/license-client/signed-request.ts'
import { verifiedLease } from '../src/license-client/tokens.ts'
import type { Drill } from './drill.ts'
import { PANELS_EACH, activatedAll } from './herd/activated.ts'
import { cluster, migrated } from './postgres.ts'
import { BASE_URL, call, onSite, openShop, signIn } from './site.ts'
import type { Service, Site } from './site.ts'

const HEARTBEAT = '/api/v1/license/heartbeat'
const WIDTH = 32
/** More than the service answers at once, so that it refuses some. */
const SOCKETS = 2_500
const PAGE = 100
/** How long the service is down. Every panel has a heartbeat due in that time. */
const AWAY_MS = 10_000
/** A panel's minute, shortened so that the drill ends soon. */
const MINUTE_MS = 6_000
const SECOND_MS = MINUTE_MS / 60
const ENDS_WITHIN_MS = 5 * 60_000
const BROKEN_TRIES = 3
const MB = 1_048_576

interface Panel {
  readonly license: LicenseSecret
  readonly key: KeyObject
  readonly fingerprint: object
  readonly instanceId: string
  failures: number
  /** The time of its answer. */
  doneMs: number | undefined
}

interface Answered {
  readonly status: number
  readonly retryAfter: number | undefined
  readonly body: any
}

/** The service comes back, and all panels that waited for it return at once. */
export const herd: Drill = {
  name: 'herd',
  does: 'the service is down while 50,000 panels send heartbeats, and comes back; each panel signs each request and retries by its schedule',
  breaks: 'panels sign with the keys of other panels',
  async run({ directory, isQuick, isBroken }) {
    const postgres = await migrated(await cluster(directory))
    return onSite(postgres, async (place) => {
      const service = await place.service()
      const { panels, manifest } = await activated(place, service, {
        url: postgres.url,
        count: isQuick ? 1_000 : 50_000,
      })
      await service.stop()
      const began = performance.now()
      const watched = memoryWatch()
      const herd = stampede(service.port, panels, { manifest, isBroken, giveUpMs: began + ENDS_WITHIN_MS })
      await pause(AWAY_MS)
      const again = await place.service({ port: service.port })
      const backMs = performance.now()
      await herd.ended
      const answered = panels.filter(({ doneMs }) => doneMs !== undefined)
      const alive = await aliveSince(again.port, began)
      const found = answered.filter(({ instanceId }) => alive.has(instanceId)).length
      const silent = panels.length - answered.length
      return {
        acknowledged: answered.length,
        found,
        lost: answered.length - found,
        doubled: 0,
        broken: [
          ...(silent > 0 ? [`${silent} panels were never answered`] : []),
          ...[...herd.wrong].map(([what, times]) => `${times} times: ${what}`),
        ],
        note: [
          `${panels.length} panels, service down for ${AWAY_MS / 1_000} s`,
          recovery(answered, backMs),
          [...herd.turnedAway].map(([what, times]) => `${times} × ${what}`).join(', '),
          `memory at most ${watched.most()} MB for all panels, ${peakOf(again.pid)} MB for the service`,
        ].join('; '),
      }
    })
  },
}

function recovery(answered: readonly Panel[], backMs: number): string {
  const seconds = answered.map(({ doneMs }) => (doneMs! - backMs) / 1_000).toSorted((one, other) => one - other)
  const at = (share: number) =>
    (seconds[Math.min(seconds.length - 1, Math.floor(seconds.length * share))] ?? 0).toFixed(1)
  return `half were answered ${at(0.5)} s after the service was back, 99 % ${at(0.99)} s, all ${at(1)} s`
}

/** The memory of this process, in MB. */
function memoryWatch() {
  let most = 0
  const look = () => (most = Math.max(most, process.memoryUsage.rss()))
  const timer = setInterval(look, 500).unref()
  return {
    most() {
      clearInterval(timer)
      return Math.round(look() / MB)
    },
  }
}

/** The peak memory of a process, in MB. */
const peakOf = (pid: number): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024)

/** Sells licenses over HTTP, and activates as many panels as each license allows. */
async function activated(place: Site, { port }: Service, { url, count }: { url: string; count: number }) {
  const shop = await openShop(port)
  const session = await signIn(port)
  const { root } = (await call(port, 'GET', '/api/admin/settings/signing-keys', session)).body
  const { body } = await call(port, 'GET', '/api/v1/license/keys')
  const manifest = verifiedManifest(body.manifest, { kid: root.kid, jwk: root.publicJwk })
  if (!manifest) throw new Error('The manifest is not signed by the root key')
  const plan = { slug: 'herd', name: 'Herd', maxActivations: PANELS_EACH }
  const made = await call(port, 'POST', '/api/admin/plans', session, plan)
  if (made.status !== 201) throw new Error(`the plan is answered ${made.status}`)
  const sold = await inParallel(Math.ceil(count / PANELS_EACH), WIDTH, async (nth) => {
    const order = { email: `customer-${nth}@customer.test`, planSlug: plan.slug, reference: `order-${nth}` }
    const { status, body } = await call(port, 'POST', '/api/admin/provisioning', shop, order)
    if (status !== 201) throw new Error(`an order is answered ${status}`)
    return body
  })
  const secrets = new Map(sold.map(({ license, licenseKey }) => [license.id as string, secretOf(licenseKey)]))
  const all = await activatedAll({ url, secretKey: place.secretKey }, sold)
  const panels = all.map(({ licenseId, jwk, ...panel }): Panel => {
    return { ...panel, license: secrets.get(licenseId)!, key: privateKeyOf(jwk), failures: 0, doneMs: undefined }
  })
  return { panels, manifest }
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
  const strange = isBroken ? privateKeyOf(newEd25519()) : undefined

  /** @returns undefined when it was answered, otherwise for how many seconds it must wait at least */
  async function beat(panel: Panel): Promise<number | undefined> {
    const { answered, nonce } = await asked(port, panel, agent, strange ?? panel.key)
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
      if (performance.now() > giveUpMs || (isBroken && panel.failures === BROKEN_TRIES)) return
      panel.failures += 1
      // The service names its own seconds; the drill's are shorter.
      const asks = retryAfter / (SECOND_MS / 1_000)
      await pause(secondsUntilRetry(panel.failures, asks, Math.random()) * SECOND_MS)
    }
    panel.doneMs = performance.now()
  }

  const ended = Promise.all(panels.map(live)).then(() => agent.destroy())
  return { ended, wrong, turnedAway }
}

/** Instances whose last heartbeat, as staff see it, is later than the outage. */
async function aliveSince(port: number, beganMs: number): Promise<ReadonlySet<string>> {
  const since = Date.now() - (performance.now() - beganMs)
  const session = await signIn(port)
  const alive = new Set<string>()
  let cursor = ''
  do {
    const { body } = await call(port, 'GET', `/api/admin/instances?limit=${PAGE}${cursor}`, session)
    for (const { id, lastHeartbeatAt } of body.items) if (Date.parse(lastHeartbeatAt) >= since) alive.add(id)
    cursor = body.nextCursor ? `&cursor=${encodeURIComponent(body.nextCursor)}` : ''
  } while (cursor !== '')
  return alive
}

async function asked(port: number, { instanceId, fingerprint, license }: Panel, agent: Agent, privateKey: KeyObject) {
  const said = { instanceId, fingerprint, version: '1.0.0', seqSeen: 1, prevLease: null }
  const body = Buffer.from(JSON.stringify(said))
  const nonce = newNonce()
  const url = new URL(BASE_URL + HEARTBEAT)
  const instance = { instanceId, privateKey }
  const headers = signedHeaders({ method: 'POST', url, body, license, instance, at: new Date(), nonce })
  return { answered: await sent(port, headers, body, agent), nonce }
}

/** Each panel is a separate host: no panel waits for another's connection, up to the number of sockets. */
function sent(port: number, headers: Record<string, string>, body: Buffer, agent: Agent) {
  return new Promise<Answered>((resolve, refuse) => {
    const asking = request({
      host: '127.0.0.1',
      port,
      path: HEARTBEAT,
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

async function inParallel<Result>(
  count: number,
  width: number,
  work: (nth: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      const nth = next++
      results[nth] = await work(nth)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
