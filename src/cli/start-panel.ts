/** The panel of an evaluation, beside the licensing service that licenses it. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Licensing } from '../composition/licensing.ts'
import type { Member } from '../kernel/auth/realm.ts'
import { Rejection } from '../kernel/lib/rejection.ts'
import { SYSTEM_ACTOR } from '../composition/core.ts'
import type { OpenWorker } from '../composition/worker.ts'
import { openPanel } from '../composition/panel.ts'
import type { LicenseSettings, Panel } from '../composition/panel.ts'
import type { PanelConfig } from '../config/panel.ts'
import { setupToken } from '../panel/access/setup-token.ts'
import { userRealm } from '../panel/access/user-realm.ts'
import { setLicenseKey } from '../panel/license/keeper.ts'
import type { Run } from '../panel/license/keeper.ts'
import { ownLicense } from '../panel/license/store.ts'
import { panelLicenseEvents } from '../panel/license/events.ts'
import { userTable } from '#projections/panel/users'
import { loadOrCreatePanelPassword, panelPasswordPath } from '../evaluation/secrets-file.ts'
import { localOrigin } from './address.ts'
import { evaluationLicense } from '../evaluation/first-start.ts'
import { portError } from './free-port.ts'
import { placeOf } from './kept-password.ts'
import { licensedBy } from '../evaluation/trusted-service.ts'
import { logOf } from './log.ts'
import { logFile } from './log-file.ts'
import { mailboxIn, panelSettingsOf } from './settings.ts'
import { factLines, firstAccountLines, section, signInLines } from './welcome.ts'

const LOG = 'panel.log'
const FIRST_NAME = 'Administrator'
const FIRST_START = { actor: SYSTEM_ACTOR, requestId: 'first-start' }

export interface Beside {
  readonly config: PanelConfig & { readonly databaseUrl: string }
  readonly dataDir: string
  readonly licensing: Licensing
  /** What the licensing service calls itself, and where it is reached on this machine. */
  readonly licensingUrl: string
  readonly licensingOrigin: string
  /** Proposed for the first account. */
  readonly email: string
  /** Told what is done next. */
  readonly tell: (what: string) => void
}

export interface RunningPanel {
  /** For the terminal. */
  readonly lines: readonly string[]
  close(): Promise<void>
}

/** @throws Error for people as openPanel */
export async function startPanel(beside: Beside): Promise<RunningPanel> {
  const { config, dataDir, tell } = beside
  const log = logOf(config.logLevel, logFile(join(dataDir, LOG)))
  const license = config.license ?? (await licensedHere(beside))
  const settings = { ...panelSettingsOf(config, mailboxIn(dataDir)), license, tell }
  const panel = await openPanel(settings, log)
  let worker: OpenWorker | undefined
  const close = async () => {
    await worker?.close()
    await panel.close()
  }
  try {
    tell('Starting the panel')
    const { openWorker } = await import('../composition/worker.ts')
    worker = await openWorker(panel, settings, log)
    if (!config.license) await firstLicense(panel, beside, log)
    const { port } = await panel.listen(config.port, config.host).catch((error: unknown) => {
      throw portError(error, config.port, config.host, 'PANEL')
    })
    return { lines: await welcome(panel, localOrigin(config.host, port), beside), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The service is spoken to here, whatever its public address is. */
async function licensedHere({ licensing, licensingUrl, licensingOrigin }: Beside): Promise<LicenseSettings> {
  return {
    ...(await licensedBy(licensing, licensingUrl))!,
    fetch: (url, init) => {
      const { pathname, search } = new URL(url instanceof Request ? url.url : url)
      return fetch(`${licensingOrigin}${pathname}${search}`, init)
    },
  }
}

/** Once: whoever removes it, or has another one, is not given it again. One that cannot be had leaves the panel free. */
async function firstLicense(panel: Panel, { licensing, licensingUrl }: Beside, log: Logger): Promise<void> {
  if ((await panel.store.readStream(panelLicenseEvents.at())).length > 0) return
  const licenseKey = await evaluationLicense(licensing, licensingUrl)
  if (licenseKey === undefined) return
  const run: Run = (work) => panel.commands.run(FIRST_START, work)
  await setLicenseKey(panel.given(ownLicense)!, run, licenseKey).catch((error: unknown) => {
    if (!(error instanceof Rejection)) throw error
    log.warn({ err: error }, 'the panel is not licensed')
  })
}

async function welcome(panel: Panel, origin: string, beside: Beside): Promise<string[]> {
  const { state, license } = (await panel.given(ownLicense)!.known()).standing
  const facts = factLines([
    ['Address', `${origin}/   (public address: ${beside.config.url})`],
    ['Documentation', `${origin}/api/docs`],
    ['License', `${state}${license ? `, plan ${license.plan}` : ''}   (log: ${LOG})`],
  ])
  return [...section('Daybook panel is running.', facts), ...(await signingIn(panel, origin, beside))]
}

/** Until there is an account, what makes it; then whose it is. */
async function signingIn(panel: Panel, origin: string, { dataDir, email }: Beside): Promise<string[]> {
  const token = await setupToken(panel)
  const password = loadOrCreatePanelPassword(dataDir)
  const kept = `in ${panelPasswordPath(dataDir)}`
  if (token !== undefined)
    return firstAccountLines(origin, { email, password, name: FIRST_NAME, setupToken: token }, kept)
  await panel.projector.catchUp()
  const first = await firstUser(panel)
  if (!first) return []
  const place = await placeOf(first.passwordHash, [{ place: kept, password }], 'as it was chosen')
  return section('Sign in to the panel:', signInLines({ email: first.email, kept: place }))
}

/** Of those who may do everything, the one who has been there longest. */
async function firstUser(panel: Panel): Promise<Member | undefined> {
  const first = await userTable
    .in(panel.read)
    .select('id')
    .where('role', '=', 'SUPERADMIN')
    .where('status', '=', 'ACTIVE')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first && panel.commands.run(FIRST_START, (unit) => userRealm.member(unit, first.id))
}
