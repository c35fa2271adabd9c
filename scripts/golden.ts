/**
 * `npm run golden` writes the golden log of this version from a real run, and refuses to for a version that is released.
 * `npm run golden -- --outcome` leaves the logs as they are and writes down anew what each of them comes to in today's code:
 * the difference is what users of former versions will see, so look at it.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { migrate } from '#kernel/store/migrate'
import { servicePool } from '#kernel/store/connection'
import { openLicensing } from '../src/app.ts'
import type { LicensingSettings } from '../src/app.ts'
import { startEmbeddedPostgres } from '../src/embedded-postgres.ts'
import { createTestDatabase, databaseUrl } from '../test/admin.ts'
import {
  declaredTypes,
  GOLDEN_KEK,
  goldenLog,
  goldenVersions,
  refuseReleased,
  replayed,
  shapesOf,
  writeExpectedOutcome,
  writeGoldenLog,
} from '../test/golden-log.ts'
import type { GoldenEvent, GoldenLog } from '../test/golden-log.ts'
import { scratchBase } from '../test/scratch-base.ts'
import packageJson from '../package.json' with { type: 'json' }
import { tell } from './golden/tale.ts'

const SETTINGS: Omit<LicensingSettings, 'databaseUrl'> = {
  secretKey: GOLDEN_KEK,
  baseUrl: 'http://licensing.test',
  trustedProxies: { ranges: [], hops: 1 },
  authFailuresPerMinute: 1_000,
  metricsAllow: [],
}

const EVENTS = `SELECT pos AS position, stream, revision, id, type, schema_version AS "schemaVersion", data, metadata
  FROM store.event ORDER BY pos`
const KEYS = `SELECT subject, encode(wrapped, 'base64') AS wrapped FROM vault.data_key WHERE wrapped IS NOT NULL ORDER BY subject`

async function freshDatabase(serverUrl: string): Promise<string> {
  const name = `golden_${randomBytes(6).toString('hex')}`
  await createTestDatabase(serverUrl, name)
  const url = databaseUrl(serverUrl, name)
  await migrate(url)
  return url
}

async function told(url: string): Promise<Pick<GoldenLog, 'events' | 'keys'>> {
  const licensing = await openLicensing({ ...SETTINGS, databaseUrl: url }, pino({ level: 'silent' }))
  const service = servicePool(url, { role: 'daybook_service' })
  try {
    const { port } = await licensing.listen(0, '127.0.0.1')
    await tell({ licensing, service, url: `http://127.0.0.1:${port}`, baseUrl: SETTINGS.baseUrl })
    const { rows: events } = await service.query<GoldenEvent>(EVENTS)
    const { rows: keys } = await service.query<{ subject: string; wrapped: string }>(KEYS)
    return { events, keys: Object.fromEntries(keys.map(({ subject, wrapped }) => [subject, wrapped])) }
  } finally {
    await service.end()
    await licensing.close()
  }
}

async function main(argument: string | undefined): Promise<void> {
  const { version } = packageJson
  const writesLog = argument !== '--outcome'
  if (writesLog) refuseReleased(version, readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8'))
  const base = join(scratchBase, `daybook-golden-${randomBytes(4).toString('hex')}`)
  const server = await startEmbeddedPostgres({
    dataDir: base,
    password: randomBytes(18).toString('base64url'),
    sharedDir: base,
  })
  try {
    if (writesLog)
      writeGoldenLog({ version, shapes: shapesOf(declaredTypes()), ...(await told(await freshDatabase(server.url))) })
    for (const each of goldenVersions())
      writeExpectedOutcome(each, await replayed(goldenLog(each), await freshDatabase(server.url)))
  } finally {
    await server.stop()
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }
}

await main(process.argv[2])
