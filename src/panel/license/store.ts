/**
 * Stores the panel's license between contacts. The memory of the license client is sealed in the
 * database and shared by all processes. A lock lets only one process use the client at a time, and the
 * client then continues from the stored memory.
 */
import type { Pool } from 'pg'
import type { Ed25519Jwk } from '#kernel/credentials/jws'
import { thumbprint } from '#kernel/credentials/jws'
import { withAdvisoryLock } from '#kernel/lib/advisory-lock'
import type { Clock } from '#kernel/lib/clock'
import { reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import type { ServiceRegistry } from '#kernel/lib/services'
import { unixSeconds } from '#kernel/lib/timestamps'
import type { Vault } from '#kernel/vault/vault'
import { licenseClient } from '../../license-client/client.ts'
import type { InstanceDescription, LicenseClient, LicenseClientDependencies } from '../../license-client/client.ts'
import { downloadFile } from '../../license-client/download.ts'
import { hostValues } from '../../license-client/fingerprint.ts'
import type { HostValues } from '../../license-client/fingerprint.ts'
import { Memory, newMemory } from '../../license-client/memory.ts'
import { judgeStatus, verifyMemory } from '../../license-client/status.ts'
import type { PanelLicenseStatus } from '../../license-client/status.ts'
import type { OfferedFile } from '../../license-client/versions.ts'

/** Differs from the advisory lock ids of the kernel. */
const LOCK = 4_115_310
/** Milliseconds; longer than the lock holder waits for a service that does not answer. */
const PATIENCE_MS = 25_000
const SEALED_AS = { subject: 'installation', type: 'PanelLicense', field: 'memory' }

const LOAD = `SELECT memory, ask_at AS "askAt", look_at AS "lookAt", tries FROM telemetry.panel_license`
const SAVE = `INSERT INTO telemetry.panel_license (memory) VALUES ($1) ON CONFLICT (id) DO UPDATE SET memory = excluded.memory`
const SCHEDULE = 'UPDATE telemetry.panel_license SET ask_at = $1, look_at = $2, tries = $3'

export interface LicenseStoreDependencies {
  readonly pool: Pool
  readonly vault: Vault
  readonly clock: Clock
  /** URL of the licensing service, without a trailing slash. */
  readonly serviceUrl: string
  /** Public part of the root key that signs the service's keys. */
  readonly root: Ed25519Jwk
  readonly about: InstanceDescription
  /** Sent with every heartbeat. */
  readonly usage?: LicenseClientDependencies['usage']
  readonly host?: (() => Promise<HostValues>) | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly onError?: ((error: unknown) => void) | undefined
}

/** The stored license, without contacting the service. */
export interface LicenseRecord {
  readonly memory: Memory
  readonly standing: PanelLicenseStatus
}

export interface LicenseSchedule {
  /** RFC 3339. When to contact the service; null: nothing is scheduled. */
  readonly askAt: string | null
  /** When the status next changes without a contact. */
  readonly lookAt: string | null
  /** Number of failed activations in a row. */
  readonly tries: number
}

export interface LockedLicense {
  readonly client: LicenseClient
  readonly schedule: LicenseSchedule
  /** Overrides the time that the client asked for. */
  scheduleContact(seconds: number, tries?: number): void
  keepSchedule(): void
  clearSchedule(): void
  read(): Promise<LicenseRecord>
}

export interface LicenseStore {
  read(): Promise<LicenseRecord>
  /** @throws Rejection 503 if another process holds the lock for too long, and everything that `work` throws */
  withLock<Result>(work: (turn: LockedLicense) => Promise<Result>, patienceMs?: number): Promise<Result>
  /**
   * The bytes of a file of a version. Others may use the license while they come.
   * @throws LicenseRefused as the client does, also in the middle · Rejection 503 as `withLock`
   */
  download(channel: string, file: OfferedFile, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** Undefined: no licensing service is configured, and the panel stays on the free tier. */
export const licenseStore = serviceKey<LicenseStore | undefined>('ownLicense', undefined)

/** @throws Rejection 409 LICENSING_NOT_CONFIGURED */
export const requireLicenseStore = (service: ServiceRegistry): LicenseStore =>
  service(licenseStore) ??
  reject(
    'conflict',
    'No licensing service is configured: ask the operator to set LICENSE_SERVER_URL',
    'LICENSING_NOT_CONFIGURED',
  )

export function createLicenseStore(parts: LicenseStoreDependencies): LicenseStore {
  const { pool, clock } = parts
  const root = { kid: thumbprint(parts.root), jwk: parts.root }
  let before: Promise<unknown> = Promise.resolve()

  async function known(): Promise<LicenseRecord> {
    const memory = Memory.safeParse((await load(parts)).memory).data ?? newMemory()
    return { memory, standing: judgeStatus(memory, verifyMemory(memory, root), unixSeconds(clock.now())) }
  }

  async function turn<Result>(work: (turn: LockedLicense) => Promise<Result>): Promise<Result> {
    const { memory, ...schedule } = await load(parts)
    let wakeIn: number | null | undefined
    let { tries } = schedule
    let failure: unknown
    const client = licenseClient({
      serviceUrl: parts.serviceUrl,
      root: parts.root,
      about: parts.about,
      ...(parts.usage ? { usage: parts.usage } : {}),
      host: parts.host ?? hostValues,
      now: () => unixSeconds(clock.now()),
      store: { load: async () => memory, save: (next) => save(parts, next).catch((error) => void (failure = error)) },
      wake: (seconds) => void ((wakeIn = seconds), (tries = 0)),
      ...(parts.fetch ? { fetch: parts.fetch } : {}),
      ...(parts.onError ? { onError: parts.onError } : {}),
    })
    await client.resume()
    const reschedule = async () => {
      const askAt = wakeIn === undefined ? schedule.askAt : wakeIn === null ? null : after(clock.now(), wakeIn)
      await pool.query(SCHEDULE, [askAt, nextChangeAt(await known(), clock.now()), tries])
    }
    const result = await work({
      client,
      schedule,
      scheduleContact: (seconds, failed = 0) => void ((wakeIn = seconds), (tries = failed)),
      keepSchedule: () => void ((wakeIn = undefined), (tries = schedule.tries)),
      clearSchedule: () => void ((wakeIn = null), (tries = 0)),
      read: known,
    }).finally(reschedule)
    // The client continues without saving its memory. The panel must fail, because it has no other copy.
    if (failure !== undefined) throw failure
    return result
  }

  const withLock: LicenseStore['withLock'] = (work, patienceMs = PATIENCE_MS) => {
    // Queues within the process first, so that waiting takes no database connections.
    const mine = before.then(() => withAdvisoryLock(pool, { lock: LOCK, waitMsMax: patienceMs }, () => turn(work)))
    before = mine.catch(() => {})
    return mine
  }

  return {
    read: known,
    withLock,
    async *download(channel, file, signal) {
      const link = await withLock(({ client }) => client.fileLink(channel, file))
      yield* downloadFile({ fetch: parts.fetch ?? globalThis.fetch, link, size: file.size, signal })
    },
  }
}

const after = (at: Date, seconds: number): string => new Date(at.getTime() + seconds * 1_000).toISOString()

/** The next time at which the status changes without a contact. */
function nextChangeAt({ memory, standing }: LicenseRecord, at: Date): string | null {
  const { until, license, lease } = standing
  const ends = [until, license?.exp, lease?.exp, license && lease && Math.min(license.exp, lease.exp) + license.grc]
  const now = unixSeconds(at)
  const times = ends.flatMap((end) => (end == null ? [] : [end - memory.clockOffset])).filter((end) => end > now)
  return times.length === 0 ? null : new Date(Math.min(...times) * 1_000).toISOString()
}

interface Row extends LicenseSchedule {
  readonly memory: string
}

async function load({
  pool,
  vault,
}: LicenseStoreDependencies): Promise<LicenseSchedule & { readonly memory: unknown }> {
  const row = (await pool.query<Row>(LOAD)).rows[0]
  if (!row) return { memory: undefined, askAt: null, lookAt: null, tries: 0 }
  return { ...row, memory: JSON.parse(await vault.open(row.memory, SEALED_AS)) as unknown }
}

async function save({ pool, vault }: LicenseStoreDependencies, memory: Memory): Promise<void> {
  await pool.query(SAVE, [await vault.seal(JSON.stringify(memory), SEALED_AS)])
}
