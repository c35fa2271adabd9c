/** The composition root of the panel: settings → core → gate → routes. The only place that wires it. */
import type { Logger } from 'pino'
import type { DatabaseClock } from '#kernel/clock'
import { given } from '#kernel/given'
import type { Docs } from '#kernel/http/openapi'
import type { EventStore } from '#kernel/store/port'
import { authenticate } from '#panel/identity/authenticate'
import { sections } from '#panel/index'
import packageJson from '../package.json' with { type: 'json' }
import type { MailSettings } from './app.ts'
import { composition, openCore } from './open-core.ts'
import type { Core } from './open-core.ts'
import { openService } from './open-service.ts'
import type { Door, Entrance, Service, ServingSettings } from './open-service.ts'

const panel = composition(sections, async () => [])
export const { streams, deciders, readModels, routes, reactions, timers } = panel

export interface PanelSettings extends ServingSettings {
  /** Of a Redis that keeps the queue; without it this database does. */
  readonly redisUrl?: string | undefined
  /** Without it no mail is sent, and what is of no use without one is refused. */
  readonly mail?: MailSettings | undefined
}

export type Panel = Service

/** @throws a plain Error for people when the database forgets what it acknowledged or the secret key is another installation's */
export const openPanelCore = (
  settings: PanelSettings,
  log: Logger,
  wrapStore?: (store: EventStore) => EventStore,
  wrapClock?: (clock: DatabaseClock) => DatabaseClock,
): Promise<Core> => openCore(panel, settings, () => given(), log, { store: wrapStore, clock: wrapClock })

/** The whole panel, ready to listen. @throws as openPanelCore */
export async function openPanel(
  settings: PanelSettings,
  log: Logger,
  wrapStore?: (store: EventStore) => EventStore,
  wrapClock?: (clock: DatabaseClock) => DatabaseClock,
): Promise<Panel> {
  const core = await openPanelCore(settings, log, wrapStore, wrapClock)
  return openService(core, { docs: DOCS, canMail: settings.mail !== undefined, entrance }, settings, log)
}

function entrance({ core, read, baseUrl }: Door): Entrance {
  return { authenticate: authenticate({ read, vault: core.vault, baseUrl }), close: async () => {} }
}

const DOCS: Docs = {
  title: 'Daybook panel',
  version: packageJson.version,
  description:
    'Runs apps, databases, domains and backups on hosts of your own: sessions, scoped API keys, a complete audit trail.',
}
