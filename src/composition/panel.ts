/** The composition root of the panel: settings → core → gate → routes. All wiring is in this file. */
import { arch, hostname, platform } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { secretUseRecorder } from '#kernel/credentials/secret-uses'
import { sessionUseRecorder } from '#kernel/credentials/session-uses'
import type { CommandContext } from '#kernel/events/event'
import type { Docs } from '#kernel/http/openapi/openapi'
import { WEBHOOK } from '#kernel/http/signed-delivery'
import { serviceRegistry, provide } from '#kernel/lib/services'
import type { ProvidedService, ServiceRegistry } from '#kernel/lib/services'
import { mailSettings } from '#kernel/mail/mail-settings'
import type { MailSettings } from '#kernel/mail/mail-settings'
import { changeFeed, createChangeFeed } from '#kernel/resource/change-feed'
import { serviceState, serviceStateOf } from '#kernel/resource/health-route'
import { kindsOf } from '#kernel/resource/section'
import { postgresHints } from '#kernel/store/hints'
import { SSE } from '#panel/access/access'
import { authenticate } from '#panel/access/authenticate'
import { feedReaders } from '#panel/access/feed-viewer'
import { BUILT_IN_PROJECT_ROLES, PLATFORM_PERMISSIONS } from '#panel/access/permissions'
import { sseAuthentication } from '#panel/access/sse-caller'
import { AGENT, agentAuthentication } from '#panel/agent/agent-caller'
import { AGENT_OR_INSTALL, agentOrInstallAuthentication } from '#panel/agent/agent-or-install'
import { askedAsk, askedAsks, askedFollow, askedFollows, serversWithAsks } from '#panel/agent/asks'
import { openFollows } from '#panel/agent/follow'
import { createTaskHub, taskHub } from '#panel/agent/hub'
import { imageFiles, imageFilesIn } from '#panel/agent/image-files'
import { INSTALL, installAuthentication } from '#panel/agent/install-caller'
import { askedKinds, askedTask, byKindName } from '#panel/agent/kinds'
import { askedPlan, askedPlans } from '#panel/agent/plans'
import { agentReleases, agentReleasesIn } from '#panel/agent/release'
import { serversOfAgents } from '#panel/agent/servers-of-agents'
import { transferFiles, transferFilesIn } from '#panel/agent/transfer-files'
import { applicationDeliveries } from '#panel/applications/webhook/delivery-caller'
import { config } from '#panel/config/decider'
import { configuration, configuredMailing } from '#panel/config/effective-config'
import type { EnvironmentConfig } from '#panel/config/effective-config'
import { gitReach } from '#panel/git-providers/forges'
import { sections } from '#panel/index'
import { startLicense, stopLicense } from '#panel/license/lifecycle'
import { licenseStore, createLicenseStore } from '#panel/license/store'
import type { LicenseStoreDependencies } from '#panel/license/store'
import { usageOf } from '#panel/license/usage'
import { agentsOfServers } from '#panel/servers/agents'
import { panelPort } from '#panel/servers/ports/panel-port'
import { serverWatch, watchServers } from '#panel/servers/watch'
import type { ServerWatch } from '#panel/servers/watch'
import { runningRelease } from '#panel/system/running-release'
import { sealOfKeyAddress } from '#projections/panel/api-keys'
import { undestroyedSubjects } from '#projections/panel/users'
import packageJson from '../../package.json' with { type: 'json' }
import { PANEL } from '../web/surfaces.ts'
import { composition, openCore, SYSTEM_ACTOR } from './core.ts'
import type { Composition, Core, CoreComponents, CoreWrappers } from './core.ts'
import errorCodes from './error-codes.json' with { type: 'json' }
import { PANEL_FIELDS, PANEL_SECTIONS } from './notes/panel.ts'
import { openService } from './service.ts'
import type { AuthenticationDependencies, Authentication, Service, ServiceSettings } from './service.ts'

const panel = composition(sections, undestroyedSubjects)
export const { streams, deciders, readModels, routes, reactions, timers } = panel

/** A folder of the data directory. */
const TRANSFERS = 'transfers'

export interface PanelSettings extends ServiceSettings {
  /** That it listens on. Without it, an application on its own host may ask for the same port. */
  readonly port?: number | undefined
  /** The URL of the Redis for the queue; without it this database is used. */
  readonly redisUrl?: string | undefined
  /** Without it no mail is sent until administrators configure a server. */
  readonly mail?: MailSettings | undefined
  /**
   * Addresses and ranges that a mail server configured by administrators may have although they are not
   * public. Default: none.
   */
  readonly mailAllow?: readonly string[] | undefined
  /** The same for git providers, which accounts connect. Default: none. */
  readonly gitAllow?: readonly string[] | undefined
  /** Variables that are not set: their values are defaults, which administrators may change. Default: none. */
  readonly unsetVariables?: readonly ('PANEL_URL' | 'MAIL_FROM')[] | undefined
  /** SHA-256 in hex of the release's file that the panel was installed from. Default: unknown. */
  readonly releaseSha256?: string | undefined
  /** Holds the files of transfers between hosts. Without it those that need one are refused with 503 NO_DATA_DIR. */
  readonly dataDir?: string | undefined
  /** Holds a release of the agent, as `npm run agent:build` writes it. Without it, none is handed out. */
  readonly agentDir?: string | undefined
  /** Holds images that servers get from the panel, as scripts/images write them. Without it they pull them. */
  readonly imagesDir?: string | undefined
  /** Without it the panel stays on the free tier. */
  readonly license?: LicenseSettings | undefined
}

export interface LicenseSettings extends Pick<LicenseStoreDependencies, 'serviceUrl' | 'root' | 'fetch' | 'host'> {
  /** For an installation that never had a license. */
  readonly firstKey?: string | undefined
}

export type Panel = Service

/**
 * @throws Error for the operator if the database is not durable or the secret key belongs to another
 * installation
 */
export const openPanelCore = (settings: PanelSettings, log: Logger, wraps?: CoreWrappers): Promise<Core> =>
  openCore(panel, settings, (parts) => provideServices(panel, settings, parts, log), log, wraps)

function provideServices(
  { sections: made }: Pick<Composition, 'sections'>,
  settings: PanelSettings,
  standing: CoreComponents,
  log: Logger,
  more: readonly ProvidedService[] = [],
): ServiceRegistry {
  const { license, baseUrl } = settings
  const { pool, vault, clock, read, commands } = standing
  const decided = () => commands.run(CONFIGURATION_CONTEXT, (unit) => unit.look(config))
  const configured = { environment: environmentOf(settings), decided }
  const own = [
    provide(serviceState, serviceStateOf({ ...standing, readModels, reactions, timers })),
    provide(configuration, configured),
    provide(mailSettings, configuredMailing(configured)),
    provide(panelPort, settings.port),
    provide(gitReach, { allow: settings.gitAllow ?? [] }),
    provide(changeFeed, createChangeFeed({ ...standing, sections, ...feedReaders(read, sections) })),
    provide(
      taskHub,
      createTaskHub({
        ...standing,
        asked: () => serversWithAsks(pool),
        hints: postgresHints(pool),
        onError: (err) => log.warn({ err }, 'waiting agents are not woken'),
      }),
    ),
    provide(serversOfAgents, agentsOfServers({ vault, watch: serviceRegistry(more)(serverWatch) })),
    provide(runningRelease, { version: packageJson.version, sha256: settings.releaseSha256 ?? null }),
    provide(askedKinds, byKindName(askedTask.in(made))),
    provide(askedAsks, byKindName(askedAsk.in(made))),
    provide(askedFollows, byKindName(askedFollow.in(made))),
    provide(openFollows, new Map()),
    provide(askedPlans, byKindName(askedPlan.in(made))),
    ...(settings.dataDir === undefined
      ? []
      : [provide(transferFiles, transferFilesIn(join(settings.dataDir, TRANSFERS)))]),
    ...(settings.agentDir === undefined ? [] : [provide(agentReleases, agentReleasesIn(settings.agentDir))]),
    ...(settings.imagesDir === undefined ? [] : [provide(imageFiles, imageFilesIn(settings.imagesDir))]),
    ...more,
  ]
  if (!license) return serviceRegistry(own)
  const about = {
    name: new URL(baseUrl).host,
    hostname: hostname(),
    version: packageJson.version,
    os: platform(),
    arch: arch(),
  }
  const onError = (err: unknown) => log.warn({ err }, 'the licensing service could not be used')
  const usage = () => usageOf(read)
  return serviceRegistry([
    ...own,
    provide(licenseStore, createLicenseStore({ ...license, pool, vault, clock, about, usage, onError })),
  ])
}

const CONFIGURATION_CONTEXT: CommandContext = { actor: SYSTEM_ACTOR, requestId: 'configuration' }

function environmentOf({ baseUrl, mail, mailAllow = [], unsetVariables = [] }: PanelSettings): EnvironmentConfig {
  const isOpen = (variable: 'PANEL_URL' | 'MAIL_FROM') => unsetVariables.includes(variable)
  return {
    smtp: mail && 'smtp' in mail ? mail.smtp : undefined,
    from: isOpen('MAIL_FROM') ? undefined : mail?.from,
    panelUrl: isOpen('PANEL_URL') ? undefined : baseUrl,
    defaults: { from: mail?.from, panelUrl: baseUrl, mailFolder: mail && 'folder' in mail ? mail.folder : undefined },
    mailAllow,
  }
}

/**
 * Opens the whole panel, ready to listen.
 * @throws as openPanelCore
 */
export async function openPanel(
  settings: PanelSettings,
  log: Logger,
  wraps?: CoreWrappers,
  more: readonly ProvidedService[] = [],
): Promise<Panel> {
  return openPanelOf(panel, more, settings, log, wraps)
}

/** @param more services that take the place of the usual ones. @throws as openPanelCore */
export async function openPanelOf(
  made: Composition,
  more: readonly ProvidedService[],
  settings: PanelSettings,
  log: Logger,
  wraps?: CoreWrappers,
): Promise<Panel> {
  const provided = (parts: CoreComponents) =>
    provideServices(made, settings, parts, log, [provide(serverWatch, watchOf(parts, log)), ...more])
  const core = await openCore(made, settings, provided, log, wraps)
  const serving = {
    docs: DOCS,
    surfaces: [PANEL],
    prepare: (run: AuthenticationDependencies['runBeforeAuthentication']) =>
      startPanelLicense(core, run, settings.license?.firstKey, log),
    authentication: (door: AuthenticationDependencies) => panelAuthentication(door, log),
  }
  return openService(core, serving, settings, log)
}

const watchOf = ({ pool, commands, clock }: CoreComponents, log: Logger): ServerWatch =>
  watchServers({
    pool,
    commands,
    context: { actor: SYSTEM_ACTOR, requestId: 'server-watch' },
    now: () => clock.now(),
    onError: (err) => log.warn({ err }, 'silent servers are not noted'),
  })

async function startPanelLicense(
  { services, clock }: Core,
  run: AuthenticationDependencies['runBeforeAuthentication'],
  firstKey: string | undefined,
  log: Logger,
) {
  const own = services(licenseStore)
  await (own && startLicense(own, run, clock.now(), firstKey).catch(warnLicenseUnchanged(log)))
}

/** Another process is changing the license; its result also applies to this process. */
const warnLicenseUnchanged = (log: Logger) => (err: unknown) => log.warn({ err }, 'the license is left unchanged')

function panelAuthentication({ core, baseUrl }: AuthenticationDependencies, log: Logger): Authentication {
  const { read, vault, services, commands, pool } = core
  const own = services(licenseStore)
  const onError = (err: unknown) => log.warn({ err }, 'last uses could not be stored and are retried')
  const uses = {
    sessions: sessionUseRecorder({ pool, table: 'user_session_use', onError }),
    keys: secretUseRecorder({
      pool,
      vault,
      table: 'api_key_use',
      id: 'api_key_id',
      address: sealOfKeyAddress,
      onError,
    }),
  }
  const bearer = authenticate({ read, vault, baseUrl, uses })
  const agent = agentAuthentication({ read, bearer, servers: services(serversOfAgents) })
  return {
    authenticate: bearer,
    schemes: {
      [SSE]: sseAuthentication({ commands, read, bearer }),
      [AGENT]: agent,
      [INSTALL]: installAuthentication({ commands, bearer }),
      [AGENT_OR_INSTALL]: agentOrInstallAuthentication({ commands, agent }),
      [WEBHOOK]: applicationDeliveries({ commands }),
    },
    close: () =>
      Promise.all([
        services(serverWatch).close(),
        uses.sessions.close(),
        uses.keys.close(),
        own && stopLicense(own).catch(warnLicenseUnchanged(log)),
      ]),
  }
}

export const DOCS: Docs = {
  title: 'Daybook panel',
  version: packageJson.version,
  description:
    'The self-hosted panel: accounts and sessions, API keys with scopes, projects, teams, servers, quotas, notifications, the license, a complete audit trail.',
  credentials: {
    user: 'An account session: `POST /api/auth/login` answers its access token.',
    key: 'An API key: it opens the routes of its scopes; `POST /api/api-keys` shows it once.',
    agent: 'An agent token: with the headers `Daybook-Server` and `Daybook-Run`, it is the agent of one server.',
    install: 'An install token, as in the install command of a server.',
    webhook: 'A signature of the body with the secret of the application’s webhook, as the git provider makes it.',
  },
  roles: { platform: { SUPERADMIN: PLATFORM_PERMISSIONS }, project: BUILT_IN_PROJECT_ROLES },
  kinds: kindsOf(sections),
  errorCodes: errorCodes.panel,
  sections: PANEL_SECTIONS,
  fields: PANEL_FIELDS,
  references: {
    adminRoleId: 'roles',
    apiKeyId: 'api-keys',
    environmentId: 'projects/environments',
    environmentIds: 'projects/environments',
    ownerId: 'users',
    projectId: 'projects',
    projectIds: 'projects',
    roleId: 'projects/roles',
    serverId: 'servers',
    teamId: 'teams',
    userId: 'users',
  },
}
