/** The panel of an evaluation, beside the licensing service that licenses it. */
import { join } from 'node:path'
import { pino } from 'pino'
import type { Logger } from 'pino'
import type { Licensing } from '../app.ts'
import { logger } from '../kernel/log.ts'
import { Rejection } from '../kernel/rejection.ts'
import { signingKeys } from '../licensing/signing-keys/decider.ts'
import { SYSTEM_ACTOR } from '../open-core.ts'
import type { OpenWorker } from '../open-worker.ts'
import { openPanel } from '../panel-app.ts'
import type { LicenseSettings, Panel } from '../panel-app.ts'
import type { PanelConfig } from '../panel-config.ts'
import { setupToken } from '../panel/identity/setup-token.ts'
import { setLicenseKey } from '../panel/keep-license.ts'
import type { Run } from '../panel/keep-license.ts'
import { ownLicense } from '../panel/own-license.ts'
import { panelLicenseEvents } from '../panel/license/events.ts'
import { evaluationLicense } from './first-start.ts'
import { mailboxIn, panelSettingsOf } from './settings.ts'

const LOG = 'panel.log'
const FIRST_START = { actor: SYSTEM_ACTOR, requestId: 'first-start' }

export interface Beside {
  readonly config: PanelConfig & { readonly databaseUrl: string }
  readonly dataDir: string
  readonly licensing: Licensing
  /** What the licensing service calls itself, and where it listens. */
  readonly licensingUrl: string
  readonly licensingPort: number
}

export interface RunningPanel {
  /** For the terminal. */
  readonly lines: readonly string[]
  close(): Promise<void>
}

/** @throws Error for people as openPanel */
export async function startPanel(beside: Beside): Promise<RunningPanel> {
  const { config, dataDir } = beside
  const destination = pino.destination({ dest: join(dataDir, LOG), mkdir: true, sync: false, mode: 0o600 })
  const log = logger({ level: config.logLevel, destination })
  const license = config.license ?? (await licensedHere(beside))
  const settings = { ...panelSettingsOf(config, mailboxIn(dataDir)), license }
  const panel = await openPanel(settings, log)
  let worker: OpenWorker | undefined
  const close = async () => {
    await worker?.close()
    await panel.close()
  }
  try {
    const { openWorker } = await import('../open-worker.ts')
    worker = await openWorker(panel, settings, log)
    if (!config.license) await firstLicense(panel, beside, log)
    const { port } = await panel.listen(config.port, config.host)
    return { lines: await welcome(panel, { ...config, port }), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The service is spoken to here, whatever its public address is. */
async function licensedHere({ licensing, licensingUrl, licensingPort }: Beside): Promise<LicenseSettings> {
  const { root } = await licensing.commands.run(FIRST_START, (unit) => unit.look(signingKeys))
  return {
    serviceUrl: licensingUrl,
    root: root!.publicJwk,
    fetch: (url, init) => {
      const { pathname, search } = new URL(url instanceof Request ? url.url : url)
      return fetch(`http://127.0.0.1:${licensingPort}${pathname}${search}`, init)
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

async function welcome(panel: Panel, { port, url }: { readonly port: number; readonly url: string }) {
  const here = `http://127.0.0.1:${port}`
  const { state, license } = (await panel.given(ownLicense)!.known()).standing
  const token = await setupToken(panel)
  const first =
    token === undefined
      ? []
      : [`  Setup token       ${token}`, '                    makes the first account: POST /api/auth/register']
  return [
    'Daybook panel is running.',
    '',
    `  API               ${here}/api   (public address: ${url})`,
    `  Documentation     ${here}/api/docs`,
    `  License           ${state}${license ? `, plan ${license.plan}` : ''}   (log: ${LOG})`,
    ...first,
  ]
}
