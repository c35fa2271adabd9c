/**
 * Maintains a panel's license: activates it, sends heartbeats, and decides on its own while the service
 * is unreachable. The panel never waits for it: `status()` needs no request.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Ed25519Jwk } from '#kernel/credentials/jws'
import { thumbprint } from '#kernel/credentials/jws'
import { fingerprint } from './fingerprint.ts'
import type { HostValues } from './fingerprint.ts'
import { withFailure, withoutLicense, judgeAnswer, trustedManifest, withManifest } from './judge-answer.ts'
import type { SentRequest, AnswerOutcome } from './judge-answer.ts'
import { fetchManifest, secretOf, sendSigned } from './license-api.ts'
import type { LicenseApiDependencies, LicenseApiReply } from './license-api.ts'
import type { TrustedRoot } from './manifest.ts'
import { Memory, newMemory } from './memory.ts'
import type { LicenseMemoryStore } from './memory.ts'
import { offlineRequest, acceptLeaseFile } from './offline.ts'
import { LicenseRefused, licenseRefusedOf, NO_ANSWER, SIGNATURE_INVALID, unreachable } from './refusal.ts'
import { secondsUntilDue, secondsUntilFirst, secondsUntilRetry } from './schedule.ts'
import { correctedTime, isTampered, judgeStatus, verifyMemory, licenseStatus } from './status.ts'
import type { PanelLicenseStatus } from './status.ts'
import { linkIn, statementIn, verifiedVersions } from './versions.ts'
import type { OfferedFile, OfferedVersion } from './versions.ts'

const API = '/api/v1/license'
const DAY_SECONDS = 86_400
/** Node's timers are limited to 2^31 - 1 ms. */
const SLEEP_MS_MAX = 2_000_000_000
/** The longest wait for the service to be notified of a removal. */
const GOODBYE_MS = 3_000

export interface InstanceDescription {
  readonly name: string
  readonly hostname: string
  readonly version: string
  readonly os: string
  readonly arch: string
}

export interface LicenseClientDependencies {
  /** The URL of the licensing service, without a trailing slash. */
  readonly serviceUrl: string
  /** The root key's public half, with which this panel is configured. */
  readonly root: Ed25519Jwk
  readonly store: LicenseMemoryStore
  readonly host: () => Promise<HostValues>
  readonly about: InstanceDescription
  readonly usage?: () => Promise<Readonly<Record<string, number>>>
  readonly fetch?: typeof globalThis.fetch
  /** Unix seconds by this host's clock. */
  readonly now?: () => number
  /** 0 to 1. */
  readonly random?: () => number
  /** Called for errors that the panel tolerates: an invalid response, a memory that cannot be stored. */
  readonly onError?: (error: unknown) => void
  readonly onStatus?: (standing: PanelLicenseStatus) => void
  /** If given, the client sets no timer of its own: the caller must call `revalidate` after so many seconds. */
  readonly wake?: (seconds: number) => void
}

export type StatusSource = 'ONLINE' | 'CACHE' | 'FILE'

export interface LicenseClient {
  /** Loads the memory, and sends heartbeats in the background from then on. */
  start(): Promise<PanelLicenseStatus>
  /** Loads the memory, and continues where another client with the same memory stopped. */
  resume(): Promise<PanelLicenseStatus>
  status(): PanelLicenseStatus
  /** @throws LicenseRefused with a text for the user; the earlier license is kept */
  activate(licenseKey: string): Promise<PanelLicenseStatus>
  /** Sends one heartbeat now. CACHE: it got no valid response, and the status is the earlier one. */
  revalidate(): Promise<{ readonly standing: PanelLicenseStatus; readonly source: StatusSource }>
  /**
   * The versions of a channel that the license entitles to. A failure changes nothing.
   * @throws LicenseRefused without a key, and with what the service has answered in place of a list
   */
  versions(channel: string): Promise<readonly OfferedVersion[]>
  /**
   * A link to a file of a version, which opens it for minutes.
   * @throws LicenseRefused as `versions`, and for a file that the license does not entitle to now
   */
  fileLink(channel: string, file: OfferedFile): Promise<URL>
  /** Removes the license, even if the service cannot be notified. */
  remove(): Promise<PanelLicenseStatus>
  /**
   * A text to send to the shop or the staff, who create a lease file from it.
   * @throws LicenseRefused without a key
   */
  offlineRequest(licenseKey?: string): Promise<string>
  /**
   * @throws LicenseRefused for a file that is not for this panel, or is older or shorter than its
   * present lease
   */
  importFile(text: string): Promise<PanelLicenseStatus>
  /** Stores the time, and sends no more requests. */
  stop(): Promise<void>
}

export function licenseClient(given: LicenseClientDependencies): LicenseClient {
  const parts = { ...DEFAULTS, ...given }
  const { now, random, onError } = parts
  const root: TrustedRoot = { kid: thumbprint(parts.root), jwk: parts.root }
  const stopping = new AbortController()
  const web: LicenseApiDependencies = { ...parts, signal: stopping.signal }
  let memory = newMemory()
  let turn: Promise<unknown> = Promise.resolve()
  let alarm: AbortController | undefined
  let shown: PanelLicenseStatus['state'] | undefined

  /** Runs one operation at a time: two responses must not change the same memory concurrently. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }

  async function recall(): Promise<void> {
    memory = Memory.safeParse(await parts.store.load()).data ?? memory
  }

  async function remember(next: Memory): Promise<void> {
    memory = next
    tell()
    await parts.store.save(memory).catch(onError)
  }

  function tell(): PanelLicenseStatus {
    const all = licenseStatus(memory, root, now())
    if (all.state !== shown) {
      shown = all.state
      parts.onStatus?.(all)
    }
    return all
  }

  /** Starts the period of 72 hours if the clock was set back. */
  async function watchClock(): Promise<void> {
    if (
      memory.tamperedSince === null &&
      memory.licenseKey !== null &&
      isTampered(memory, verifyMemory(memory, root), now())
    )
      await remember({ ...memory, tamperedSince: now() })
  }

  const wholeFingerprint = async () => fingerprint(memory.installId, await parts.host())

  /**
   * @param body the body of the request
   * @returns the outcome; every error that is thrown on the way counts as a failure
   */
  async function ask(
    path: string,
    body: object,
    asked: Omit<SentRequest, 'nonce' | 'offset'>,
    known?: unknown,
  ): Promise<[AnswerOutcome, LicenseApiReply]> {
    const { instanceId, instanceKey } = memory
    const isOwn = asked.isOwn ?? !asked.isActivation
    const instance = isOwn && instanceId !== null ? { id: instanceId, key: instanceKey } : undefined
    const { reply, nonce, offset } = await sendSigned(web, {
      path: API + path,
      body,
      licenseKey: asked.licenseKey,
      instance,
      offset: memory.clockOffset,
    })
    const context = { ...asked, nonce, offset }
    const first = judgeAnswer(memory, reply.body, context, { root, now: now(), fetched: known })
    const isPartial = first.outcome === 'GOOD' && first.isPartial
    if (first.outcome !== 'UNKNOWN_KEY' && !isPartial) return [first, reply]
    const fetched = await fetchManifest(web).catch(onError)
    const second = judgeAnswer(memory, reply.body, context, { root, now: now(), fetched })
    return [isPartial && !MORE_THAN_PARTIAL.includes(second.outcome) ? first : second, reply]
  }

  async function heartbeat(licenseKey = memory.licenseKey!, follows = 1): Promise<LicenseApiReply | undefined> {
    try {
      const usage = await parts.usage?.().catch(() => undefined)
      const [result, reply] = await ask('/heartbeat', await heartbeatBody(licenseKey, usage), { licenseKey })
      if (result.outcome === 'FOLLOW' && follows > 0) return await heartbeat(result.licenseKey, follows - 1)
      if (result.outcome === 'GOOD') await remember(result.memory)
      else await remember(withFailure(memory, now()))
      return reply
    } catch (error) {
      onError(error)
      await remember(withFailure(memory, now()))
      return undefined
    }
  }

  /**
   * The last lease of the service, if it is known for certain: two panels that continue from the same
   * lease are clones.
   */
  function prevLease(licenseKey: string): string | null {
    const isCertain = memory.lastHeartbeat?.ok === true && licenseKey === memory.licenseKey
    return (isCertain && verifyMemory(memory, root).lease?.jti) || null
  }

  const heartbeatBody = async (licenseKey: string, usage: object | undefined) => ({
    instanceId: memory.instanceId,
    fingerprint: await wholeFingerprint(),
    version: parts.about.version,
    seqSeen: verifyMemory(memory, root).license?.seq ?? 0,
    prevLease: prevLease(licenseKey),
    ...(usage ? { usage } : {}),
  })

  /** Once a day, so that a revoked signing key is not trusted for longer. */
  async function freshenManifest(): Promise<void> {
    if (now() - memory.manifestAskedAt < DAY_SECONDS) return
    const fetched = await fetchManifest(web).catch(() => undefined)
    await remember({ ...withManifest(memory, root, now(), fetched), manifestAskedAt: now() })
  }

  async function beat(): Promise<void> {
    await watchClock()
    if (memory.licenseKey === null || memory.instanceId === null) return
    await freshenManifest()
    const reply = await heartbeat()
    if (reply?.errorCode === SIGNATURE_INVALID) await activate(memory.licenseKey).catch(onError)
    const isGood = memory.lastHeartbeat?.ok === true
    const { license, lease } = verifyMemory(memory, root)
    wakeIn(
      isGood && license && lease
        ? secondsUntilDue(lease.nhb, license.hb, correctedTime(memory, now()), random())
        : secondsUntilRetry(Math.max(1, memory.failures), reply?.retryAfter, random()),
    )
  }

  function wakeIn(seconds: number): void {
    alarm?.abort()
    if (stopping.signal.aborted) return
    if (parts.wake) return parts.wake(seconds)
    const mine = (alarm = new AbortController())
    pause(Math.min(seconds * 1_000, SLEEP_MS_MAX), undefined, { signal: mine.signal, ref: false })
      .then(() => inTurn(beat))
      .catch((error: unknown) => {
        if (mine.signal.aborted) return
        onError(error)
        wakeIn(secondsUntilRetry(1, undefined, random()))
      })
  }

  /**
   * Other clients may have used up the rate limit of a license key. A panel that the service knows then
   * asks under its instance's own limit.
   */
  async function askToActivate(
    body: object,
    licenseKey: string,
    fetched: unknown,
  ): Promise<[AnswerOutcome, LicenseApiReply]> {
    const asked = { licenseKey, isActivation: true }
    const first = await ask('/activate', body, asked, fetched)
    if (first[1].status !== TOO_MANY || memory.instanceId === null) return first
    const second = await ask('/activate', body, { ...asked, isOwn: true }, fetched)
    return second[0].outcome === 'GOOD' ? second : first
  }

  /** The refusal is stored and shown if it concerns this panel's license, and not one that was only tried. */
  async function refused(reply: LicenseApiReply, licenseKey: string): Promise<LicenseRefused> {
    const refusal = licenseRefusedOf(reply)
    const { message, code = null } = refusal
    const isOfThisPanel = memory.licenseKey === null || memory.licenseKey === licenseKey
    if (isOfThisPanel && code !== NO_ANSWER) await remember({ ...memory, refusal: { at: now(), code, message } })
    return refusal
  }

  /**
   * Also called automatically if the service no longer knows this panel's key: its slot was given away,
   * or the service's data was lost.
   */
  async function activate(licenseKey: string): Promise<PanelLicenseStatus> {
    const fetched = await fetchManifest(web).catch(unreachable)
    const trusted = trustedManifest(memory, root, correctedTime(memory, now()), fetched)
    if (!trusted || !verifyMemory({ ...memory, manifest: trusted.jws, licenseKey }, root).license)
      throw new LicenseRefused(
        'This license key was not signed by the licensing service that this panel trusts: check the key',
      )
    const body = {
      fingerprint: await wholeFingerprint(),
      instance: parts.about,
      instanceKey: publicHalf(memory.instanceKey),
    }
    // From here on the service may have issued another lease than the known one.
    memory = { ...memory, lastHeartbeat: memory.lastHeartbeat?.ok === true ? null : memory.lastHeartbeat }
    const [result, reply] = await askToActivate(body, licenseKey, fetched).catch(unreachable)
    if (result.outcome !== 'GOOD') throw await refused(reply, licenseKey)
    await remember({ ...result.memory, manifestAskedAt: now() })
    wakeIn(secondsUntilDue(result.lease.nhb, DAY_SECONDS, correctedTime(memory, now()), 0))
    return tell()
  }

  async function askVersions(channel: string) {
    const { licenseKey, instanceId, instanceKey } = memory
    if (licenseKey === null) throw new LicenseRefused('Enter a license key first: versions need one')
    const { reply, nonce } = await sendSigned(web, {
      path: `${API}/versions?channel=${encodeURIComponent(channel)}`,
      licenseKey,
      instance: instanceId === null ? undefined : { id: instanceId, key: instanceKey },
      offset: memory.clockOffset,
    }).catch(unreachable)
    const statement = statementIn(reply.body)
    if (statement === undefined) throw licenseRefusedOf(reply)
    const { keyId } = secretOf(licenseKey)
    const verifiedWith = (fetched?: unknown) => {
      const trusted = trustedManifest(memory, root, correctedTime(memory, now()), fetched)
      return trusted && !trusted.hasEnded ? verifiedVersions(trusted.manifest, statement, { keyId, nonce }) : undefined
    }
    // A key that signs since lately stands in a newer manifest only.
    const offered = verifiedWith() ?? verifiedWith(await fetchManifest(web).catch(onError))
    if (!offered) throw new LicenseRefused('The list of versions was not signed for this panel', NO_ANSWER)
    return { offered, body: reply.body }
  }

  async function fileLink(channel: string, file: OfferedFile): Promise<URL> {
    const { offered, body } = await askVersions(channel)
    const isOffered = offered.some(
      ({ version, artifacts }) =>
        version === file.version && artifacts.some(({ sha256, size }) => sha256 === file.sha256 && size === file.size),
    )
    if (!isOffered)
      throw new LicenseRefused(`The licensing service does not offer this file of version ${file.version} any more`)
    return linkIn(body, file, new URL(parts.serviceUrl).origin)
  }

  return {
    start: () =>
      inTurn(async () => {
        await recall()
        await remember({ ...memory, lastHeartbeat: null })
        await watchClock()
        const { license, lease } = verifyMemory(memory, root)
        const at = correctedTime(memory, now())
        if (memory.instanceId !== null)
          wakeIn(secondsUntilFirst(lease?.nhb ?? at, license?.hb ?? DAY_SECONDS, at, random()))
        return tell()
      }),
    resume: () =>
      inTurn(async () => {
        await recall()
        return tell()
      }),
    status: () => licenseStatus(memory, root, now()),
    activate: (licenseKey) =>
      inTurn(() =>
        activate(licenseKey.trim()).catch((error: unknown) => {
          onError(error)
          throw error
        }),
      ),
    revalidate: () =>
      inTurn(async () => {
        await beat()
        const known = verifyMemory(memory, root)
        const all = judgeStatus(memory, known, now())
        const isAnswered = memory.lastHeartbeat?.ok === true
        return { standing: all, source: all.source === 'FILE' ? 'FILE' : isAnswered ? 'ONLINE' : 'CACHE' }
      }),
    versions: (channel) => inTurn(async () => (await askVersions(channel)).offered),
    fileLink: (channel, file) => inTurn(() => fileLink(channel, file)),
    remove: () =>
      inTurn(async () => {
        const { licenseKey, instanceId } = memory
        alarm?.abort()
        if (licenseKey !== null && instanceId !== null)
          await Promise.race([
            ask('/deactivate', { instanceId, reason: 'removed by its panel' }, { licenseKey }).catch(onError),
            pause(GOODBYE_MS, undefined, { ref: false }),
          ])
        await remember(withoutLicense(memory))
        return tell()
      }),
    offlineRequest: (licenseKey = memory.licenseKey ?? undefined) =>
      inTurn(async () => {
        if (licenseKey === undefined) throw new LicenseRefused('Enter a license key first: a request needs one')
        await remember(memory)
        const asking = { licenseKey, fingerprint: await wholeFingerprint(), about: parts.about }
        return offlineRequest(memory, asking, correctedTime(memory, now()))
      }),
    importFile: (text) =>
      inTurn(async () => {
        const next = acceptLeaseFile(memory, text, root, now())
        if ('refused' in next) throw new LicenseRefused(next.refused)
        await remember(next.memory)
        return tell()
      }),
    async stop() {
      stopping.abort()
      alarm?.abort()
      await turn
      await remember({ ...memory, highWater: Math.max(memory.highWater, correctedTime(memory, now())) })
    },
  }
}

const TOO_MANY = 429
/** The outcomes that are better than a partial response. */
const MORE_THAN_PARTIAL: readonly AnswerOutcome['outcome'][] = ['GOOD', 'FOLLOW']

const DEFAULTS = {
  fetch: globalThis.fetch,
  now: () => Math.floor(Date.now() / 1_000),
  random: Math.random,
  onError: () => {},
} as const

const publicHalf = ({ kty, crv, x }: Ed25519Jwk): Ed25519Jwk => ({ kty, crv, x })
