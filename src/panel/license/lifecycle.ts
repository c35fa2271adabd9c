/** Commands on the panel's license. They record its state as events, because limits depend on it. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import type { StatusSource } from '../../license-client/client.ts'
import { secretOf } from '../../license-client/license-api.ts'
import { LicenseRefused, NO_ANSWER } from '../../license-client/refusal.ts'
import { secondsUntilRetry } from '../../license-client/schedule.ts'
import { requireLicense, panelLicense } from './decider.ts'
import type { LicenseState, PanelLicense } from './decider.ts'
import type { LicenseRecord, LicenseStore, LockedLicense } from './store.ts'

export type RunInUnit = <Result>(work: (unit: UnitOfWork) => Promise<Result>) => Promise<Result>

/** A start does not wait longer: the process that holds the lock records the same state. */
const PATIENCE_AT_START_MS = 2_000
const FIRST_ASK_SECONDS = 3_600
const CODE = /^[A-Z_]{1,50}$/

/**
 * Activates the key now. If that fails, the previous license stays.
 * @throws Rejection 400 for a malformed key · 409 with the service's message · 503 without its answer
 */
export function setLicenseKey(own: LicenseStore, run: RunInUnit, text: string): Promise<LicenseRecord> {
  const { licenseKey, licenseId } = requireKey(text)
  return own.withLock(async (turn) => {
    await turn.client.activate(licenseKey).catch(rejectActivation)
    const known = await turn.read()
    await run(async (unit) => {
      await unit.decide(panelLicense, undefined, 'SetKey', { licenseId, licenseKey })
      await recordState(unit, known)
    })
    return known
  })
}

/**
 * For a panel without network access.
 * @returns a request text; the licensing service makes a lease file from it
 * @throws Rejection 400 for a malformed key
 */
export function requestOfflineActivation(
  own: LicenseStore,
  run: RunInUnit,
  text: string,
): Promise<LicenseRecord & { readonly offlineRequest: string }> {
  const { licenseKey, licenseId } = requireKey(text)
  return own.withLock(async (turn) => {
    const offlineRequest = await turn.client.offlineRequest(licenseKey)
    await run((unit) => unit.decide(panelLicense, undefined, 'SetKey', { licenseId, licenseKey }))
    return { ...(await turn.read()), offlineRequest }
  })
}

/**
 * Imports a lease file.
 * @throws Rejection 400 for a file that belongs to another panel or is worth less than the current license
 */
export function importLeaseFile(own: LicenseStore, run: RunInUnit, text: string): Promise<LicenseRecord> {
  return own.withLock(async (turn) => {
    await turn.client.importFile(text).catch(rejectLeaseFile)
    const known = await turn.read()
    const licenseKey = known.memory.licenseKey!
    await run(async (unit) => {
      await unit.decide(panelLicense, undefined, 'SetKey', { licenseId: keyIdOf(licenseKey)!, licenseKey })
      await recordState(unit, known)
    })
    // The panel may get network access later.
    turn.scheduleContact(FIRST_ASK_SECONDS)
    return known
  })
}

/**
 * Works without the licensing service.
 * @throws Rejection 409 without a key
 */
export function removeLicenseKey(own: LicenseStore, run: RunInUnit): Promise<LicenseRecord> {
  return own.withLock(async (turn) => {
    await run((unit) => unit.decide(panelLicense, undefined, 'RemoveKey', {}))
    await forgetLicense(turn)
    return turn.read()
  })
}

/**
 * Contacts the licensing service at once.
 * @throws Rejection 409 without a key
 */
export function revalidateLicense(
  own: LicenseStore,
  run: RunInUnit,
): Promise<LicenseRecord & { readonly source: StatusSource }> {
  return own.withLock(async (turn) => {
    const { licenseKey } = requireLicense(await run((unit) => unit.look(panelLicense)))
    const source = await contactService(turn, licenseKey)
    const known = await turn.read()
    await run(async (unit) => {
      await unit.decide(panelLicense, undefined, 'NoteRevalidation', { source, state: known.standing.state })
      await recordState(unit, known)
    })
    return { ...known, source }
  })
}

/** Contacts the service if it is due, and records the current state in any case. */
export function maintainLicense(own: LicenseStore, run: RunInUnit, now: Date): Promise<void> {
  return own.withLock(async (turn) => {
    const known = await run((unit) => unit.look(panelLicense))
    if (!known) return forgetLicense(turn)
    const { askAt } = turn.schedule
    if (askAt !== null && Date.parse(askAt) <= now.getTime()) await contactService(turn, known.licenseKey)
    const become = await turn.read()
    await run((unit) => recordState(unit, become))
  })
}

/**
 * Runs at the start of a process.
 * @param first key of the environment, which is used only once
 * @throws Rejection 503 while another process holds the lock; that process does the same work
 */
export async function startLicense(
  own: LicenseStore,
  run: RunInUnit,
  now: Date,
  first: string | undefined,
): Promise<void> {
  const licenseId = first === undefined ? undefined : keyIdOf(first)
  if (first !== undefined && licenseId !== undefined)
    await run((unit) => unit.decide(panelLicense, undefined, 'SetFirstKey', { licenseId, licenseKey: first }))
  const isSet = Boolean(await run((unit) => unit.look(panelLicense)))
  await own.withLock(async ({ client, schedule: { askAt }, scheduleContact, keepSchedule }) => {
    const { state } = await client.start()
    // Repeated restarts neither add nor delay contacts with the service.
    if (askAt !== null && Date.parse(askAt) > now.getTime()) keepSchedule()
    else if (isSet && state === 'FREE') scheduleContact(0)
  }, PATIENCE_AT_START_MS)
}

/** Stores the last clock reading, so that a clock set back while no process runs is detected. */
export const stopLicense = (own: LicenseStore): Promise<void> =>
  own.withLock(({ client }) => client.stop(), PATIENCE_AT_START_MS)

/** Removes a key without an event: a process died while it set or removed the key. Only recorded keys count. */
async function forgetLicense({ client, clearSchedule, read }: LockedLicense): Promise<void> {
  if ((await read()).memory.licenseKey !== null) await client.remove()
  clearSchedule()
}

/** Activates a key that was never activated, else revalidates it. The client stores a refusal. */
async function contactService(
  { client, schedule, scheduleContact, read }: LockedLicense,
  licenseKey: string,
): Promise<StatusSource> {
  if ((await read()).memory.instanceId !== null) return (await client.revalidate()).source
  try {
    await client.activate(licenseKey)
    return 'ONLINE'
  } catch (error) {
    if (!(error instanceof LicenseRefused)) throw error
    const tries = schedule.tries + 1
    scheduleContact(secondsUntilRetry(tries, undefined, Math.random()), tries)
    return 'CACHE'
  }
}

function rejectActivation(error: unknown): never {
  if (!(error instanceof LicenseRefused)) throw error
  const { message, code = '' } = error
  if (code === NO_ANSWER) reject('unavailable', message, 'LICENSING_UNREACHABLE', { 'Retry-After': '60' })
  return reject('conflict', message, CODE.test(code) ? code : 'LICENSE_REFUSED')
}

function rejectLeaseFile(error: unknown): never {
  if (!(error instanceof LicenseRefused)) throw error
  return reject('invalid', error.message, 'LEASE_FILE_REFUSED')
}

/** Undefined for a malformed license key. */
export function keyIdOf(licenseKey: string): string | undefined {
  try {
    return secretOf(licenseKey.trim()).keyId
  } catch {
    return undefined
  }
}

/** @throws Rejection 400 LICENSE_KEY_INVALID */
function requireKey(text: string): { readonly licenseKey: string; readonly licenseId: string } {
  const [licenseKey, licenseId] = [text.trim(), keyIdOf(text)]
  if (licenseId !== undefined) return { licenseKey, licenseId }
  return reject('invalid', 'This is not a license key: copy the whole key', 'LICENSE_KEY_INVALID')
}

async function recordState(unit: UnitOfWork, known: LicenseRecord): Promise<void> {
  const before = await unit.load(panelLicense)
  if (before) await unit.decide(panelLicense, undefined, 'NoteState', stateOf(known, before))
}

function stateOf({ standing }: LicenseRecord, before: PanelLicense): LicenseState {
  const { state, reason, license, lease, source } = standing
  const about = { licenseId: license?.jti ?? before.licenseId, state, reason, source }
  if (state === 'FREE') return { ...about, plan: 'free', features: {}, expiresAt: null, graceUntil: null }
  if (!license) return { ...about, plan: before.plan, features: {}, expiresAt: null, graceUntil: null }
  return {
    ...about,
    plan: license.plan,
    features: (lease ?? license).ft,
    expiresAt: timestampOf(license.exp),
    graceUntil: timestampOf(graceEnd(standing)),
  }
}

/** End of the grace period while the lease is current; else until when the failure is tolerated. */
const graceEnd = ({ state, until, license }: LicenseRecord['standing']): number | null =>
  state === 'DEGRADED' || !license
    ? null
    : state === 'GRACE' || state === 'TAMPERED'
      ? until
      : license.exp + license.grc

export const timestampOf = (seconds: number | null | undefined): string | null =>
  seconds == null ? null : new Date(seconds * 1_000).toISOString()
