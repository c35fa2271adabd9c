/** The composition root of the panel: settings → core → gate → routes. The only place that wires it. */
import { arch, hostname, platform } from 'node:os'
import type { Logger } from 'pino'
import { checkpoints } from '#kernel/projections/checkpoints'
import type { CommandContext } from '#kernel/events/event'
import { given, giving } from '#kernel/lib/services'
import type { Given } from '#kernel/lib/services'
import type { Docs } from '#kernel/http/openapi/openapi'
import { mailing } from '#kernel/mail/mail-settings'
import type { MailSettings } from '#kernel/mail/mail-settings'
import { secretUses } from '#kernel/credentials/secret-uses'
import { sessionUses } from '#kernel/credentials/session-uses'
import { workStatus } from '#kernel/jobs/job-status'
import { feedOf, liveFeed } from '#panel/events/change-feed'
import { SSE } from '#panel/access/access'
import { config } from '#panel/config/decider'
import { configuration, mailingBy } from '#panel/config/effective-config'
import type { Environment } from '#panel/config/effective-config'
import { authenticate } from '#panel/access/authenticate'
import { sseWayIn } from '#panel/access/sse-caller'
import { sections } from '#panel/index'
import { beginLicense, endLicense } from '#panel/license/keeper'
import { ownLicense, ownLicenseOf } from '#panel/license/store'
import type { OwnLicenseParts } from '#panel/license/store'
import { platformState } from '#panel/health/platform-state'
import type { PlatformState } from '#panel/health/platform-state'
import { usageOf } from '#panel/license/usage'
import { keyAddress } from '#projections/panel/api-keys'
import { undestroyedKeys } from '#projections/panel/users'
import packageJson from '../../package.json' with { type: 'json' }
import { composition, openCore, SYSTEM_ACTOR } from './core.ts'
import type { Core, Standing, Wraps } from './core.ts'
import { openService } from './service.ts'
import type { Door, Entrance, Service, ServingSettings } from './service.ts'

const panel = composition(sections, undestroyedKeys)
export const { streams, deciders, readModels, routes, reactions, timers } = panel

export interface PanelSettings extends ServingSettings {
  /** Of a Redis that keeps the queue; without it this database does. */
  readonly redisUrl?: string | undefined
  /** Without it no mail is sent until administrators set a server. */
  readonly mail?: MailSettings | undefined
  /** Addresses and ranges at which a mail server that administrators set may be although they are not public. Default: none. */
  readonly mailAllow?: readonly string[] | undefined
  /** What the environment does not say, so that it is only what is usual, and administrators may say otherwise. Default: nothing. */
  readonly leftOpen?: readonly ('PANEL_URL' | 'MAIL_FROM')[] | undefined
  /** Without it the panel stays free. */
  readonly license?: LicenseSettings | undefined
}

export interface LicenseSettings extends Pick<OwnLicenseParts, 'serviceUrl' | 'root' | 'fetch' | 'host'> {
  /** Of an installation that has never had one. */
  readonly firstKey?: string | undefined
}

export type Panel = Service

/** @throws a plain Error for people when the database forgets what it acknowledged or the secret key is another installation's */
export const openPanelCore = (settings: PanelSettings, log: Logger, wraps?: Wraps): Promise<Core> =>
  openCore(panel, settings, (parts) => givenBy(settings, parts, log), log, wraps)

function givenBy(settings: PanelSettings, standing: Standing, log: Logger): Given {
  const { license, baseUrl } = settings
  const { service: pool, vault, clock, read, commands } = standing
  const decided = () => commands.run(ASKING, (unit) => unit.look(config))
  const configured = { environment: environmentOf(settings), decided }
  const own = [
    giving(platformState, stateOf(standing)),
    giving(configuration, configured),
    giving(mailing, mailingBy(configured)),
    giving(liveFeed, feedOf(standing)),
  ]
  if (!license) return given(own)
  const about = {
    name: new URL(baseUrl).host,
    hostname: hostname(),
    version: packageJson.version,
    os: platform(),
    arch: arch(),
  }
  const onError = (err: unknown) => log.warn({ err }, 'the licensing service is of no help')
  const usage = () => usageOf(read)
  return given([...own, giving(ownLicense, ownLicenseOf({ ...license, pool, vault, clock, about, usage, onError }))])
}

const ASKING: CommandContext = { actor: SYSTEM_ACTOR, requestId: 'configuration' }

function environmentOf({ baseUrl, mail, mailAllow = [], leftOpen = [] }: PanelSettings): Environment {
  const isOpen = (variable: 'PANEL_URL' | 'MAIL_FROM') => leftOpen.includes(variable)
  return {
    smtp: mail && 'smtp' in mail ? mail.smtp : undefined,
    from: isOpen('MAIL_FROM') ? undefined : mail?.from,
    panelUrl: isOpen('PANEL_URL') ? undefined : baseUrl,
    usual: { from: mail?.from, panelUrl: baseUrl, mailFolder: mail && 'folder' in mail ? mail.folder : undefined },
    mailAllow,
  }
}

const names = new Set(readModels.map(({ name }) => name))

const stateOf = ({ store, service: pool, read }: Standing): PlatformState => ({
  head: () => store.head(),
  readModels: async () => (await checkpoints(read)).filter(({ name }) => names.has(name)),
  work: () => workStatus({ store, pool, reactions, timers }),
})

/** The whole panel, ready to listen. @throws as openPanelCore */
export async function openPanel(settings: PanelSettings, log: Logger, wraps?: Wraps): Promise<Panel> {
  const core = await openPanelCore(settings, log, wraps)
  const serving = {
    docs: DOCS,
    prepare: (run: Door['looking']) => beginLicensed(core, run, settings.license?.firstKey, log),
    entrance: (door: Door) => entrance(door, log),
  }
  return openService(core, serving, settings, log)
}

async function beginLicensed({ given, clock }: Core, run: Door['looking'], firstKey: string | undefined, log: Logger) {
  const own = given(ownLicense)
  await (own && beginLicense(own, run, clock.now(), firstKey).catch(noTurn(log)))
}

/** Another process has the license in hand: what it writes down holds for this one. */
const noTurn = (log: Logger) => (err: unknown) => log.warn({ err }, 'the license is left as it is')

function entrance({ core, read, baseUrl }: Door, log: Logger): Entrance {
  const { vault, given, commands, service: pool } = core
  const own = given(ownLicense)
  const onError = (err: unknown) => log.warn({ err }, 'last uses wait')
  const uses = {
    sessions: sessionUses({ pool, table: 'user_session_use', onError }),
    keys: secretUses({ pool, vault, table: 'api_key_use', id: 'api_key_id', address: keyAddress, onError }),
  }
  const bearer = authenticate({ read, vault, baseUrl, uses })
  return {
    authenticate: bearer,
    waysIn: { [SSE]: sseWayIn({ commands, read, bearer }) },
    close: () => Promise.all([uses.sessions.close(), uses.keys.close(), own && endLicense(own).catch(noTurn(log))]),
  }
}

const DOCS: Docs = {
  title: 'Daybook panel',
  version: packageJson.version,
  description:
    'The self-hosted panel: accounts and sessions, scoped API keys, projects, teams, quotas, notifications, the license, a complete audit trail.',
}
