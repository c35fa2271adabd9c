/** The panel's environment as one typed object. The panel has its own database, key, port and address. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { LicenseSettings, PanelSettings } from '../composition/panel.ts'
import { panelEvaluationVariables, panelProductionVariables } from './environment.ts'
import { bothOrNeither, LOCAL_SENDER, withoutEmpty, sharedSettings } from './licensing.ts'
import type { LicensingConfig } from './licensing.ts'
import { readVariables } from './variable.ts'

const PORT = 3000

export interface PanelConfig extends Pick<
  LicensingConfig,
  | 'host'
  | 'port'
  | 'url'
  | 'databaseUrl'
  | 'eventStoreUrl'
  | 'secretKey'
  | 'trustedProxies'
  | 'logLevel'
  | 'authFailuresPerMinute'
  | 'metricsAllow'
  | 'redisUrl'
  | 'mail'
  | 'pagesDir'
> {
  /** Undefined: the panel stays on the free tier. */
  readonly license: LicenseSettings | undefined
  /**
   * Rules for `ipAllowed`: addresses that a mail server configured by administrators may have although
   * they are not public.
   */
  readonly mailAllow: readonly string[]
  /** The same for git providers, which accounts connect. */
  readonly gitAllow: readonly string[]
  /** Undefined: not known. */
  readonly releaseSha256: string | undefined
  /** Whether an evaluation runs an agent beside the panel. */
  readonly localAgent: boolean
  /** Undefined: the panel keeps no files. */
  readonly dataDir: string | undefined
  /** Undefined: the folder that `npm run agent:build` writes to. */
  readonly agentDir: string | undefined
  /** Undefined: servers pull all images that they need. */
  readonly imagesDir: string | undefined
  /** The variables that are not set. */
  readonly unsetVariables: NonNullable<PanelSettings['unsetVariables']>
}

const productionSchema = z
  .object(panelProductionVariables)
  .refine(...bothOrNeither('SMTP_URL', 'MAIL_FROM'))
  .refine(...bothOrNeither('LICENSE_SERVER_URL', 'LICENSE_ROOT_KEY'))
  .refine((read) => read.DAYBOOK_LICENSE_KEY === undefined || read.LICENSE_SERVER_URL !== undefined, {
    path: ['DAYBOOK_LICENSE_KEY'],
    error: 'needs LICENSE_SERVER_URL, where it is activated',
    when: ({ issues }) => issues.length === 0,
  })

/** An evaluation deploys from repositories of its own machine, such as that of `npm run example`. */
const THIS_MACHINE = ['127.0.0.1']

/**
 * For `daybook panel`: PANEL_DATABASE_URL, PANEL_SECRET_KEY and PANEL_URL must be set. Shared variables
 * such as SMTP_URL keep their names, because each service has its own environment.
 * @throws Error that lists every problem at once and repeats no value
 */
export function panelConfig(env: NodeJS.ProcessEnv): PanelConfig & { readonly databaseUrl: string } {
  const read = readVariables(productionSchema, env)
  return {
    ...sharedSettings(read),
    host: read.PANEL_HOST ?? '0.0.0.0',
    port: read.PANEL_PORT ?? PORT,
    url: read.PANEL_URL,
    databaseUrl: read.PANEL_DATABASE_URL,
    secretKey: read.PANEL_SECRET_KEY,
    mail: read.SMTP_URL && read.MAIL_FROM && { smtp: read.SMTP_URL, from: read.MAIL_FROM },
    mailAllow: read.MAIL_ALLOW ?? [],
    gitAllow: read.GIT_ALLOW ?? [],
    releaseSha256: read.RELEASE_SHA256,
    localAgent: read.DAYBOOK_LOCAL_AGENT ?? true,
    dataDir: read.PANEL_DATA_DIR,
    agentDir: read.PANEL_AGENT_DIR,
    imagesDir: read.PANEL_IMAGES_DIR,
    unsetVariables: [],
    license: licenseOf(read),
  }
}

/**
 * For the panel of `daybook start`, beside the licensing service. REDIS_URL and EVENT_STORE_URL apply
 * to that service, so the panel ignores them.
 * @param generated the evaluation's secret key, from which the panel's key is derived
 * @throws as panelConfig
 */
export function panelEvaluationConfig(env: NodeJS.ProcessEnv, generated: { readonly secretKey: string }): PanelConfig {
  const { SMTP_URL: smtp, MAIL_FROM: from = LOCAL_SENDER, ...read } = readVariables(evaluationSchema, withoutEmpty(env))
  const port = read.PANEL_PORT ?? PORT
  return {
    ...sharedSettings({ ...read, EVENT_STORE_URL: undefined, REDIS_URL: undefined, SMTP_URL: smtp, MAIL_FROM: from }),
    host: read.PANEL_HOST ?? '127.0.0.1',
    port,
    url: read.PANEL_URL ?? `http://localhost:${port}`,
    databaseUrl: read.PANEL_DATABASE_URL,
    secretKey: read.PANEL_SECRET_KEY ?? createHmac('sha256', generated.secretKey).update('panel').digest(),
    mail: { smtp, from },
    mailAllow: read.MAIL_ALLOW ?? [],
    gitAllow: read.GIT_ALLOW ?? THIS_MACHINE,
    releaseSha256: read.RELEASE_SHA256,
    localAgent: read.DAYBOOK_LOCAL_AGENT ?? true,
    dataDir: read.PANEL_DATA_DIR,
    agentDir: read.PANEL_AGENT_DIR,
    imagesDir: read.PANEL_IMAGES_DIR,
    unsetVariables: ADMINISTRATOR_VARIABLES.filter((name) => !withoutEmpty(env)[name]),
    license: licenseOf(read),
  }
}

const ADMINISTRATOR_VARIABLES = ['PANEL_URL', 'MAIL_FROM'] as const
const evaluationSchema = z.object(panelEvaluationVariables)

interface LicenseVariables {
  readonly LICENSE_SERVER_URL?: string | undefined
  readonly LICENSE_ROOT_KEY?: LicenseSettings['root'] | undefined
  readonly DAYBOOK_LICENSE_KEY?: string | undefined
}

function licenseOf(read: LicenseVariables): LicenseSettings | undefined {
  const { LICENSE_SERVER_URL: serviceUrl, LICENSE_ROOT_KEY: root, DAYBOOK_LICENSE_KEY: firstKey } = read
  return serviceUrl !== undefined && root ? { serviceUrl, root, firstKey } : undefined
}
