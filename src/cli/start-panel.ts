/** The panel of an evaluation, beside the licensing service that issues its license. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { userTable } from '#projections/panel/users'
import { SYSTEM_ACTOR } from '../composition/core.ts'
import type { Licensing } from '../composition/licensing.ts'
import { openPanel } from '../composition/panel.ts'
import type { LicenseSettings, Panel } from '../composition/panel.ts'
import type { OpenWorker } from '../composition/worker.ts'
import type { PanelConfig } from '../config/panel.ts'
import { evaluationLicense } from '../evaluation/first-start.ts'
import { loadOrCreatePanelPassword, panelPasswordPath } from '../evaluation/secrets-file.ts'
import { licenseSettingsFrom } from '../evaluation/trusted-service.ts'
import type { RealmAccount } from '../kernel/auth/realm.ts'
import { Rejection } from '../kernel/lib/rejection.ts'
import { provide } from '../kernel/lib/services.ts'
import { setupToken } from '../panel/access/setup-token.ts'
import { userRealm } from '../panel/access/user-realm.ts'
import { panelLicenseEvents } from '../panel/license/events.ts'
import { setLicenseKey } from '../panel/license/lifecycle.ts'
import type { RunInUnit } from '../panel/license/lifecycle.ts'
import { licenseStore } from '../panel/license/store.ts'
import { localAgentStarter } from '../panel/servers/local-agent.ts'
import type { LocalAgentStarter } from '../panel/servers/local-agent.ts'
import { localOrigin } from './address.ts'
import { findPasswordPlace } from './find-password-place.ts'
import { portError } from './free-port.ts'
import { startLocalAgent } from './local-agent.ts'
import type { LocalAgent } from './local-agent.ts'
import { logFile } from './log-file.ts'
import { logOf } from './log.ts'
import { panelSettingsOf } from './settings.ts'
import { factLines, firstAccountLines, textSection, signInLines } from './welcome.ts'

const LOG = 'panel.log'
const NOT_YET = { message: 'The panel is starting', remedy: 'Try again in a moment' }
const FIRST_NAME = 'Administrator'
const FIRST_START = { actor: SYSTEM_ACTOR, requestId: 'first-start' }

export interface StartPanelOptions {
  readonly config: PanelConfig & { readonly databaseUrl: string }
  readonly dataDir: string
  readonly licensing: Licensing
  /** The public address of the licensing service, and its address on this machine. */
  readonly licensingUrl: string
  readonly licensingOrigin: string
  /** Proposed for the first account. */
  readonly email: string
  /** Called with the next step, for progress output. */
  readonly onProgress: (what: string) => void
}

export interface RunningPanel {
  /** Output for the terminal. */
  readonly lines: readonly string[]
  close(): Promise<void>
}

/** @throws Error for the user as openPanel */
export async function startPanel(beside: StartPanelOptions): Promise<RunningPanel> {
  const { config, dataDir, onProgress } = beside
  const log = logOf(config.logLevel, logFile(join(dataDir, LOG)))
  const license = config.license ?? (await localLicenseSettings(beside))
  const settings = { ...panelSettingsOf(config, dataDir), license, onProgress }
  let worker: OpenWorker | undefined
  let localAgent: LocalAgent | undefined
  const starter: LocalAgentStarter = { start: async () => (localAgent ? localAgent.start() : NOT_YET) }
  const started = config.localAgent ? [provide(localAgentStarter, starter)] : []
  const panel = await openPanel(settings, log, undefined, started)
  const close = async () => {
    await localAgent?.close()
    await worker?.close()
    await panel.close()
  }
  try {
    onProgress('Starting the panel')
    const { openWorker } = await import('../composition/worker.ts')
    worker = await openWorker(panel, settings, log)
    if (!config.license) await firstLicense(panel, beside, log)
    const { port } = await panel.listen(config.port, config.host).catch((error: unknown) => {
      throw portError(error, config.port, config.host, 'PANEL')
    })
    const origin = localOrigin(config.host, port)
    if (config.localAgent) {
      onProgress('Starting the local agent')
      localAgent = await startLocalAgent({ panel, origin, dataDir, log })
    }
    return { lines: await welcome(panel, origin, { ...beside, localServer: localAgent?.line }), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Requests to the service stay on this machine, whatever its public address is. */
async function localLicenseSettings({
  licensing,
  licensingUrl,
  licensingOrigin,
}: StartPanelOptions): Promise<LicenseSettings> {
  return {
    ...(await licenseSettingsFrom(licensing, licensingUrl))!,
    fetch: (url, init) => {
      const { pathname, search } = new URL(url instanceof Request ? url.url : url)
      return fetch(`${licensingOrigin}${pathname}${search}`, init)
    },
  }
}

/**
 * Only once: if the license is removed or replaced, the panel keeps that. If no license can be issued,
 * the panel stays on the free tier.
 */
async function firstLicense(panel: Panel, { licensing, licensingUrl }: StartPanelOptions, log: Logger): Promise<void> {
  if ((await panel.store.readStream(panelLicenseEvents.nameFor())).length > 0) return
  const licenseKey = await evaluationLicense(licensing, licensingUrl)
  if (licenseKey === undefined) return
  const run: RunInUnit = (work) => panel.commands.run(FIRST_START, work)
  await setLicenseKey(panel.services(licenseStore)!, run, licenseKey).catch((error: unknown) => {
    if (!(error instanceof Rejection)) throw error
    log.warn({ err: error }, 'the panel could not be licensed')
  })
}

async function welcome(
  panel: Panel,
  origin: string,
  beside: StartPanelOptions & { readonly localServer: string | undefined },
): Promise<string[]> {
  const { state, license } = (await panel.services(licenseStore)!.read()).standing
  const facts = factLines([
    ['Address', `${origin}/   (public address: ${beside.config.url})`],
    ...(beside.config.pagesDir === undefined ? [] : [['Panel', `${beside.config.url}/`] as const]),
    ['Documentation', `${origin}/api/docs`],
    ['License', `${state}${license ? `, plan ${license.plan}` : ''}   (log: ${LOG})`],
    ...(beside.localServer === undefined ? [] : [['Local server', beside.localServer] as const]),
  ])
  return [...textSection('Daybook panel is running.', facts), ...(await signInSection(panel, origin, beside))]
}

/** How to create the first account, or, if it exists, how to sign in to it. */
async function signInSection(
  panel: Panel,
  origin: string,
  { config, dataDir, email }: StartPanelOptions,
): Promise<string[]> {
  const token = await setupToken(panel)
  const password = loadOrCreatePanelPassword(dataDir)
  const kept = `in ${panelPasswordPath(dataDir)}`
  if (token !== undefined)
    return firstAccountLines(
      origin,
      config.pagesDir && config.url,
      { email, password, name: FIRST_NAME, setupToken: token },
      kept,
    )
  await panel.projector.catchUp()
  const first = await firstUser(panel)
  if (!first) return []
  const place = await findPasswordPlace(first.passwordHash, [{ place: kept, password }], 'as it was chosen')
  return textSection('Sign in to the panel:', signInLines({ email: first.email, passwordPlace: place }))
}

/** The oldest active SUPERADMIN account. */
export async function firstUser(panel: Pick<Panel, 'read' | 'commands'>): Promise<RealmAccount | undefined> {
  const first = await userTable
    .queryIn(panel.read)
    .select('id')
    .where('role', '=', 'SUPERADMIN')
    .where('status', '=', 'ACTIVE')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first && panel.commands.run(FIRST_START, (unit) => userRealm.account(unit, first.id))
}
