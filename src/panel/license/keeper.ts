/** Sets, removes and keeps the panel's license, and writes down what it has become, for whatever is counted against it. */
import type { Unit } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import { LicenseRefused, NO_ANSWER } from '../../license-client/client.ts'
import type { Source } from '../../license-client/client.ts'
import { secretOf } from '../../license-client/exchange.ts'
import { untilRetry } from '../../license-client/schedule.ts'
import { present, panelLicense } from './decider.ts'
import type { LicenseState, PanelLicense } from './decider.ts'
import type { Known, OwnLicense, Turn } from './store.ts'

export type Run = <Result>(work: (unit: Unit) => Promise<Result>) => Promise<Result>

/** A start waits for nobody: whoever has the turn writes down the same. */
const PATIENCE_AT_START_MS = 2_000
const FIRST_ASK_SECONDS = 3_600
const CODE = /^[A-Z_]{1,50}$/

/** Activates it now. @throws Rejection 400 for what is no license key · 409 in the service's words · 503 where nobody answers; what was stays */
export function setLicenseKey(own: OwnLicense, run: Run, text: string): Promise<Known> {
  const licenseKey = text.trim()
  const licenseId = keyIdOf(licenseKey) ?? reject('invalid', 'This is not a license key', 'LICENSE_KEY_INVALID')
  return own.turn(async (turn) => {
    await turn.client.activate(licenseKey).catch(refused)
    const known = await turn.known()
    await run(async (unit) => {
      await unit.decide(panelLicense, undefined, 'SetKey', { licenseId, licenseKey })
      await note(unit, known)
    })
    return known
  })
}

/** For a panel without a network. @returns a text to be carried to whoever makes a lease file of it. @throws Rejection 400 for what is no license key */
export function askOffline(
  own: OwnLicense,
  run: Run,
  text: string,
): Promise<Known & { readonly offlineRequest: string }> {
  const licenseKey = text.trim()
  const licenseId = keyIdOf(licenseKey) ?? reject('invalid', 'This is not a license key', 'LICENSE_KEY_INVALID')
  return own.turn(async (turn) => {
    const offlineRequest = await turn.client.offlineRequest(licenseKey)
    await run((unit) => unit.decide(panelLicense, undefined, 'SetKey', { licenseId, licenseKey }))
    return { ...(await turn.known()), offlineRequest }
  })
}

/** Of a lease file that was brought back. @throws Rejection 400 for one that is not for this panel, or worth less than what it has */
export function takeLeaseFile(own: OwnLicense, run: Run, text: string): Promise<Known> {
  return own.turn(async (turn) => {
    await turn.client.importFile(text).catch(refusedFile)
    const known = await turn.known()
    const licenseKey = known.memory.licenseKey!
    await run(async (unit) => {
      await unit.decide(panelLicense, undefined, 'SetKey', { licenseId: keyIdOf(licenseKey)!, licenseKey })
      await note(unit, known)
    })
    // Should there be a network one day.
    turn.askIn(FIRST_ASK_SECONDS)
    return known
  })
}

/** Also where nobody answers. @throws Rejection 409 without a key */
export function removeLicenseKey(own: OwnLicense, run: Run): Promise<Known> {
  return own.turn(async (turn) => {
    await run(async (unit) => {
      await unit.decide(panelLicense, undefined, 'RemoveKey', {})
    })
    await forget(turn)
    return turn.known()
  })
}

/** One real question. @throws Rejection 409 without a key */
export function revalidateLicense(own: OwnLicense, run: Run): Promise<Known & { readonly source: Source }> {
  return own.turn(async (turn) => {
    const { licenseKey } = present(await run((unit) => unit.look(panelLicense)))
    const source = await asked(turn, licenseKey)
    const known = await turn.known()
    await run(async (unit) => {
      await unit.decide(panelLicense, undefined, 'NoteRevalidation', { source, state: known.standing.state })
      await note(unit, known)
    })
    return { ...known, source }
  })
}

/** Asks when the time has come, and writes down what has become of the license either way. */
export function keepLicense(own: OwnLicense, run: Run, now: Date): Promise<void> {
  return own.turn(async (turn) => {
    const known = await run((unit) => unit.look(panelLicense))
    if (!known) return forget(turn)
    const { askAt } = turn.schedule
    if (askAt !== null && Date.parse(askAt) <= now.getTime()) await asked(turn, known.licenseKey)
    const become = await turn.known()
    await run((unit) => note(unit, become))
  })
}

/**
 * At the start of a process. @param first the key of the environment, which counts once
 * @throws Rejection 503 while another process asks: then that one has done the same
 */
export async function beginLicense(own: OwnLicense, run: Run, now: Date, first: string | undefined): Promise<void> {
  const licenseId = first === undefined ? undefined : keyIdOf(first)
  if (first !== undefined && licenseId !== undefined)
    await run((unit) => unit.decide(panelLicense, undefined, 'SetFirstKey', { licenseId, licenseKey: first }))
  const isSet = Boolean(await run((unit) => unit.look(panelLicense)))
  await own.turn(async ({ client, schedule: { askAt }, askIn, asBefore }) => {
    const { state } = await client.start()
    // Who starts again and again asks no more often for it, and no more seldom.
    if (askAt !== null && Date.parse(askAt) > now.getTime()) asBefore()
    else if (isSet && state === 'FREE') askIn(0)
  }, PATIENCE_AT_START_MS)
}

/** The clock of the last moment is remembered: one that is set back while nothing runs is noticed. */
export const endLicense = (own: OwnLicense): Promise<void> =>
  own.turn(({ client }) => client.stop(), PATIENCE_AT_START_MS)

/** What is not written down does not count: a process died while it set or removed a key. */
async function forget({ client, askNoMore, known }: Turn): Promise<void> {
  if ((await known()).memory.licenseKey !== null) await client.remove()
  askNoMore()
}

/** A key that was never activated is activated; one that was, is asked about. What a refusal said, the client remembers. */
async function asked({ client, schedule, askIn, known }: Turn, licenseKey: string): Promise<Source> {
  if ((await known()).memory.instanceId !== null) return (await client.revalidate()).source
  try {
    await client.activate(licenseKey)
    return 'ONLINE'
  } catch (error) {
    if (!(error instanceof LicenseRefused)) throw error
    const tries = schedule.tries + 1
    askIn(untilRetry(tries, undefined, Math.random()), tries)
    return 'CACHE'
  }
}

function refused(error: unknown): never {
  if (!(error instanceof LicenseRefused)) throw error
  const { message, code = '' } = error
  if (code === NO_ANSWER) reject('unavailable', message, 'LICENSING_UNREACHABLE', { 'Retry-After': '60' })
  return reject('conflict', message, CODE.test(code) ? code : 'LICENSE_REFUSED')
}

function refusedFile(error: unknown): never {
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

async function note(unit: Unit, known: Known): Promise<void> {
  const before = await unit.load(panelLicense)
  if (before) await unit.decide(panelLicense, undefined, 'NoteState', stateOf(known, before))
}

function stateOf({ standing }: Known, before: PanelLicense): LicenseState {
  const { state, reason, license, lease, source } = standing
  const about = { licenseId: license?.jti ?? before.licenseId, state, reason, source }
  if (state === 'FREE') return { ...about, plan: 'free', features: {}, expiresAt: null, graceUntil: null }
  if (!license) return { ...about, plan: before.plan, features: {}, expiresAt: null, graceUntil: null }
  return {
    ...about,
    plan: license.plan,
    features: (lease ?? license).ft,
    expiresAt: instantOf(license.exp),
    graceUntil: instantOf(graceEnd(standing)),
  }
}

/** Of a license whose lease is renewed as it should be; where it is not, until when that is borne. */
const graceEnd = ({ state, until, license }: Known['standing']): number | null =>
  state === 'DEGRADED' || !license
    ? null
    : state === 'GRACE' || state === 'TAMPERED'
      ? until
      : license.exp + license.grc

export const instantOf = (seconds: number | null | undefined): string | null =>
  seconds == null ? null : new Date(seconds * 1_000).toISOString()
