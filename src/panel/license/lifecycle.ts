/** Sets, removes and keeps the panel's license, and writes down what it has become, for whatever is counted against it. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import { LicenseRefused, NO_ANSWER } from '../../license-client/client.ts'
import type { StatusSource } from '../../license-client/client.ts'
import { secretOf } from '../../license-client/license-api.ts'
import { secondsUntilRetry } from '../../license-client/schedule.ts'
import { requireLicense, panelLicense } from './decider.ts'
import type { LicenseState, PanelLicense } from './decider.ts'
import type { LicenseRecord, LicenseStore, LockedLicense } from './store.ts'

export type RunInUnit = <Result>(work: (unit: UnitOfWork) => Promise<Result>) => Promise<Result>

/** A start waits for nobody: whoever has the turn writes down the same. */
const PATIENCE_AT_START_MS = 2_000
const FIRST_ASK_SECONDS = 3_600
const CODE = /^[A-Z_]{1,50}$/

/** Activates it now. @throws Rejection 400 for what is no license key · 409 in the service's words · 503 where nobody answers; what was stays */
export function setLicenseKey(own: LicenseStore, run: RunInUnit, text: string): Promise<LicenseRecord> {
  const licenseKey = text.trim()
  const licenseId = keyIdOf(licenseKey) ?? reject('invalid', 'This is not a license key', 'LICENSE_KEY_INVALID')
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

/** For a panel without a network. @returns a text to be carried to whoever makes a lease file of it. @throws Rejection 400 for what is no license key */
export function requestOfflineActivation(
  own: LicenseStore,
  run: RunInUnit,
  text: string,
): Promise<LicenseRecord & { readonly offlineRequest: string }> {
  const licenseKey = text.trim()
  const licenseId = keyIdOf(licenseKey) ?? reject('invalid', 'This is not a license key', 'LICENSE_KEY_INVALID')
  return own.withLock(async (turn) => {
    const offlineRequest = await turn.client.offlineRequest(licenseKey)
    await run((unit) => unit.decide(panelLicense, undefined, 'SetKey', { licenseId, licenseKey }))
    return { ...(await turn.read()), offlineRequest }
  })
}

/** Of a lease file that was brought back. @throws Rejection 400 for one that is not for this panel, or worth less than what it has */
export function importLeaseFile(own: LicenseStore, run: RunInUnit, text: string): Promise<LicenseRecord> {
  return own.withLock(async (turn) => {
    await turn.client.importFile(text).catch(rejectLeaseFile)
    const known = await turn.read()
    const licenseKey = known.memory.licenseKey!
    await run(async (unit) => {
      await unit.decide(panelLicense, undefined, 'SetKey', { licenseId: keyIdOf(licenseKey)!, licenseKey })
      await recordState(unit, known)
    })
    // Should there be a network one day.
    turn.scheduleContact(FIRST_ASK_SECONDS)
    return known
  })
}

/** Also where nobody answers. @throws Rejection 409 without a key */
export function removeLicenseKey(own: LicenseStore, run: RunInUnit): Promise<LicenseRecord> {
  return own.withLock(async (turn) => {
    await run(async (unit) => {
      await unit.decide(panelLicense, undefined, 'RemoveKey', {})
    })
    await forgetLicense(turn)
    return turn.read()
  })
}

/** One real question. @throws Rejection 409 without a key */
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

/** Asks when the time has come, and writes down what has become of the license either way. */
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
 * At the start of a process. @param first the key of the environment, which counts once
 * @throws Rejection 503 while another process asks: then that one has done the same
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
    // Who starts again and again asks no more often for it, and no more seldom.
    if (askAt !== null && Date.parse(askAt) > now.getTime()) keepSchedule()
    else if (isSet && state === 'FREE') scheduleContact(0)
  }, PATIENCE_AT_START_MS)
}

/** The clock of the last moment is remembered: one that is set back while nothing runs is noticed. */
export const stopLicense = (own: LicenseStore): Promise<void> =>
  own.withLock(({ client }) => client.stop(), PATIENCE_AT_START_MS)

/** What is not written down does not count: a process died while it set or removed a key. */
async function forgetLicense({ client, clearSchedule, read }: LockedLicense): Promise<void> {
  if ((await read()).memory.licenseKey !== null) await client.remove()
  clearSchedule()
}

/** A key that was never activated is activated; one that was, is asked about. What a refusal said, the client remembers. */
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

/** Undefined for what is no license key. */
export function keyIdOf(licenseKey: string): string | undefined {
  try {
    return secretOf(licenseKey.trim()).keyId
  } catch {
    return undefined
  }
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

/** Of a license whose lease is renewed as it should be; where it is not, until when that is borne. */
const graceEnd = ({ state, until, license }: LicenseRecord['standing']): number | null =>
  state === 'DEGRADED' || !license
    ? null
    : state === 'GRACE' || state === 'TAMPERED'
      ? until
      : license.exp + license.grc

export const timestampOf = (seconds: number | null | undefined): string | null =>
  seconds == null ? null : new Date(seconds * 1_000).toISOString()
