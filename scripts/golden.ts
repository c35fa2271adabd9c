/**
 * `npm run golden [licensing|panel]` writes the golden logs of this version from real runs, with a fixed clock
 * and fixed ids: two runs write the same bytes. It refuses a version that is released. `npm run golden -- --outcome [licensing|panel]` keeps the logs and writes their
 * outcome in today's code again. The difference is what users of earlier versions will see, so review it.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { servicePool } from '#kernel/store/connection'
import { migrate } from '#kernel/store/migrate'
import packageJson from '../package.json' with { type: 'json' }
import type { CoreWrappers } from '../src/composition/core.ts'
import { openLicensing } from '../src/composition/licensing.ts'
import { openPanel } from '../src/composition/panel.ts'
import type { Service, ServiceSettings } from '../src/composition/service.ts'
import { workerDependencies } from '../src/composition/worker.ts'
import { startEmbeddedPostgres } from '../src/evaluation/embedded-postgres.ts'
import { createTestDatabase, databaseUrl } from '../test/support/admin.ts'
import {
  declaredTypes,
  GOLDEN_KEK,
  GOLDEN_SERVICES,
  goldenLog,
  goldenVersions,
  refuseReleased,
  replayGoldenLog,
  shapesOf,
  writeExpectedOutcome,
  writeGoldenLog,
} from '../test/support/golden-log.ts'
import type { GoldenService, GoldenEvent, GoldenLog } from '../test/support/golden-log.ts'
import { scratchBase } from '../test/support/scratch-base.ts'
import { outbox, settle } from '../test/support/settle-jobs.ts'
import { fixWorld } from './golden/fixed-world.ts'
import { tellOfPanel } from './golden/panel-tale.ts'
import { plainEvents, putInstallationKeys, sealedAnew } from './golden/sealed-values.ts'
import { tell } from './golden/tale.ts'
import type { Chapters } from './golden/telling.ts'

const SETTINGS: Omit<ServiceSettings, 'databaseUrl'> = {
  secretKey: GOLDEN_KEK,
  baseUrl: 'http://licensing.test',
  trustedProxies: { ranges: [], hops: 1 },
  authFailuresPerMinute: 1_000,
  metricsAllow: [],
}

const EVENTS = `SELECT pos AS position, stream, revision, id, type, schema_version AS "schemaVersion", data, metadata
  FROM store.event ORDER BY pos`
const KEYS = 'SELECT subject FROM vault.data_key WHERE wrapped IS NOT NULL ORDER BY subject'

/** How a service is opened, and the tale that runs on it. */
interface Told {
  /** The start of its first chapter. That of the panel is later, because ids never go back in a process. */
  readonly start: string
  open(databaseUrl: string, wraps: CoreWrappers): Promise<Service>
  tell(service: Service, at: { url: string; databaseUrl: string } & Chapters): Promise<void>
}

const silent = pino({ level: 'silent' })

const TOLD: Readonly<Record<GoldenService['name'], Told>> = {
  licensing: {
    start: '2026-01-05T09:00:00Z',
    open: (url, wraps) => openLicensing({ ...SETTINGS, databaseUrl: url }, silent, wraps),
    tell: (licensing, { url, chapter, world }) =>
      tell({ licensing, service: licensing.pool, url, baseUrl: SETTINGS.baseUrl, chapter, world }),
  },
  panel: {
    start: '2026-02-02T09:00:00Z',
    open: (url, wraps) => openPanel(panelSettings(url), silent, wraps),
    async tell(panel, { url, databaseUrl, chapter, world }) {
      const sent = outbox()
      const settings = panelSettings(databaseUrl)
      const parts = workerDependencies(panel, settings, () => sent)
      await tellOfPanel({
        panel,
        url,
        baseUrl: settings.baseUrl,
        chapter,
        world,
        settle: () => settle(parts, () => panel.projector.catchUp()),
        mailed: (email) => /#token=(\S+)/.exec(sent.mails.findLast(({ to }) => to === email)?.text ?? '')?.[1] ?? '',
      })
    },
  },
}

/** No process can create this folder; the teller keeps the mails instead. */
const panelSettings = (url: string) => ({
  ...SETTINGS,
  databaseUrl: url,
  baseUrl: 'http://panel.test',
  mail: { from: { name: 'Daybook', address: 'daybook@panel.test' }, folder: '/dev/null/mails' },
})

async function freshDatabase(serverUrl: string): Promise<string> {
  const name = `golden_${randomBytes(6).toString('hex')}`
  await createTestDatabase(serverUrl, name)
  const url = databaseUrl(serverUrl, name)
  await migrate(url)
  return url
}

async function told(
  { name, streams }: GoldenService,
  databaseUrl: string,
): Promise<Pick<GoldenLog, 'events' | 'sections' | 'keys'>> {
  const { start, open, tell: telling } = TOLD[name]
  const world = fixWorld(new Date(start))
  const service = servicePool(databaseUrl, { role: 'daybook_service' })
  try {
    await putInstallationKeys(service)
    const plain = plainEvents(streams, service)
    const wraps: CoreWrappers = {
      store: (store) => plain.wrap(store),
      clock: (clock) => ({ ...clock, now: world.now }),
    }
    const starts: { readonly name: string; readonly after: number }[] = []
    const opened = await open(databaseUrl, wraps)
    try {
      const { port } = await opened.listen(0, '127.0.0.1')
      const chapter = async <Result>(of: string, run: () => Promise<Result>): Promise<Result> => {
        starts.push({ name: of, after: starts.length === 0 ? 0 : await opened.store.head() })
        world.startChapter(`${name}/${of}`)
        return run()
      }
      await telling(opened, { url: `http://127.0.0.1:${port}`, databaseUrl, chapter, world })
      await keysDestroyed(opened)
    } finally {
      await opened.close()
    }
    const { rows: events } = await service.query<GoldenEvent>(EVENTS)
    const { rows: keys } = await service.query<{ subject: string }>(KEYS)
    const subjects = keys.map(({ subject }) => subject)
    return {
      ...(await sealedAnew(events, plain, { streams, subjects, world })),
      sections: starts.map(({ name: of, after }, index) => ({
        name: of,
        events: (starts[index + 1]?.after ?? events.length) - after,
      })),
    }
  } finally {
    await service.end()
  }
}

/** The keys of erased subjects are destroyed in the background. */
async function keysDestroyed({ composition, read, projector }: Service): Promise<void> {
  await projector.catchUp()
  while ((await composition.undestroyedKeys(read)).length > 0) await pause(20)
}

async function main(): Promise<void> {
  const { version } = packageJson
  const { values, positionals } = parseArgs({ options: { outcome: { type: 'boolean' } }, allowPositionals: true })
  const goldens = GOLDEN_SERVICES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  if (!values.outcome) refuseReleased(version, readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8'))
  const base = join(scratchBase, `daybook-golden-${randomBytes(4).toString('hex')}`)
  const server = await startEmbeddedPostgres({
    dataDir: base,
    password: randomBytes(18).toString('base64url'),
    sharedDir: base,
  })
  try {
    for (const golden of goldens) {
      const shapes = shapesOf(declaredTypes(golden))
      if (!values.outcome)
        writeGoldenLog(golden, { version, shapes, ...(await told(golden, await freshDatabase(server.url))) })
      for (const each of goldenVersions(golden))
        writeExpectedOutcome(
          golden,
          each,
          await replayGoldenLog(golden, goldenLog(golden, each), await freshDatabase(server.url)),
        )
    }
  } finally {
    await server.stop()
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }
}

await main()
