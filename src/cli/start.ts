import { basename, join } from 'node:path'
import { pino } from 'pino'
import { openLicensing } from '../app.ts'
import { dataDirectory, evaluationConfig } from '../config.ts'
import type { EvaluationConfig } from '../config.ts'
import { startEmbeddedPostgres } from '../embedded-postgres.ts'
import { logger } from '../kernel/log.ts'
import { migrate } from '../kernel/store/migrate.ts'
import type { OpenWorker } from '../open-worker.ts'
import { loadOrCreateSecrets } from '../secrets-file.ts'
import { FIRST_PLAN, ensureFirstPlan, ensureFirstStaff, firstToken } from './first-start.ts'
import { refuseTakenPort } from './free-port.ts'
import { panelEvaluationConfig } from '../panel-config.ts'
import { mailboxIn, settingsOf } from './settings.ts'
import type { RunningPanel } from './start-panel.ts'
import { untilStopped } from './until-stopped.ts'

const LOG = 'licensing.log'
const FILES = 'files'

/** In the Postgres of an evaluation. */
const PANEL_DATABASE = 'daybook_panel'

/** The evaluation: one process, its Postgres and its secrets under one data directory. */
export async function start(): Promise<void> {
  // From here on: Postgres has a session of its own and would outlive a Ctrl-C that nobody hears.
  const stopped = untilStopped()
  const dataDir = dataDirectory(process.env)
  const secrets = loadOrCreateSecrets(dataDir)
  const config = evaluationConfig(process.env, secrets)
  const panelConfig = panelEvaluationConfig(process.env, secrets)
  const own = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir, password: secrets.databasePassword })
  const databaseUrl = config.databaseUrl ?? own!.url
  try {
    const panelDatabaseUrl = panelConfig.databaseUrl ?? (await own?.database(PANEL_DATABASE))
    await refuseTakenPort(config.port, config.host)
    if (panelDatabaseUrl !== undefined) await refuseTakenPort(panelConfig.port, panelConfig.host, 'PANEL')
    await migrate(databaseUrl)
    if (panelDatabaseUrl !== undefined) await migrate(panelDatabaseUrl)
    const destination = pino.destination({ dest: join(dataDir, LOG), mkdir: true, sync: false, mode: 0o600 })
    const filesDir = config.filesDir ?? join(dataDir, FILES)
    const settings = settingsOf({ ...config, databaseUrl, filesDir }, mailboxIn(dataDir))
    const log = logger({ level: config.logLevel, destination })
    const service = await openLicensing(settings, log)
    let worker: OpenWorker | undefined
    let panel: RunningPanel | undefined
    try {
      const { openWorker } = await import('../open-worker.ts')
      worker = await openWorker(service, settings, log)
      const isNew = await ensureFirstStaff(service, config.admin)
      await ensureFirstPlan(service)
      const token = await firstToken(service)
      const { port } = await service.listen(config.port, config.host)
      if (panelDatabaseUrl !== undefined) {
        // A process of the licensing service alone loads nothing of the panel.
        const { startPanel } = await import('./start-panel.ts')
        panel = await startPanel({
          config: { ...panelConfig, databaseUrl: panelDatabaseUrl },
          dataDir,
          licensing: service,
          licensingUrl: config.url,
          licensingPort: port,
        })
      }
      const where = { dataDir, pgdata: own?.pgdata, adopted: own?.adopted === true, port }
      console.log(welcome(config, where, isNew ? config.admin : undefined, token, panel?.lines))
      await stopped
      console.log('Stopping …')
    } finally {
      await panel?.close()
      await worker?.close()
      await service.close()
    }
  } finally {
    await own?.stop()
  }
}

interface Where {
  readonly dataDir: string
  readonly pgdata: string | undefined
  readonly adopted: boolean
  readonly port: number
}

function welcome(
  { url }: EvaluationConfig,
  { dataDir, pgdata, adopted, port }: Where,
  admin: EvaluationConfig['admin'] | undefined,
  token: string | undefined,
  panel: readonly string[] = ['The panel is not started: beside DATABASE_URL, set PANEL_DATABASE_URL.'],
): string {
  const here = `http://127.0.0.1:${port}`
  const lines = [
    '',
    'Daybook licensing is running.',
    '',
    `  API               ${here}/api   (public address: ${url})`,
    `  Documentation     ${here}/api/docs`,
    `  Data and secrets  ${dataDir}   (log: ${LOG}, mails: ${basename(mailboxIn(dataDir))})`,
    '  Root key          in this database; in production keep it where no server is (daybook root-key)',
  ]
  if (pgdata && !pgdata.startsWith(dataDir))
    lines.push(`  Postgres data     ${pgdata}   (its user cannot enter the data directory)`)
  if (adopted) lines.push('  Postgres          was still running and has been taken over')
  lines.push('', ...credentials(admin, dataDir), '', ...panel, '', ...provisioning(here, token), '', 'Ctrl-C stops it.')
  return lines.join('\n')
}

const credentials = (admin: EvaluationConfig['admin'] | undefined, dataDir: string): string[] =>
  admin
    ? ['Sign in, shown this once:', '', `  e-mail            ${admin.email}`, `  password          ${admin.password}`]
    : [
        `Sign in as before (the first password is in ${dataDir}/secrets.json; "daybook staff reset-password EMAIL" sets a new one).`,
      ]

function provisioning(here: string, token: string | undefined): string[] {
  const secret = token ?? '$DAYBOOK_TOKEN'
  const hint = token
    ? 'Issue a license: paste this. Pasted twice it answers the same license (created: false).'
    : 'Issue a license, with a machine token of yours in DAYBOOK_TOKEN (POST /api/admin/machine-tokens mints one):'
  return [
    hint,
    '',
    `  curl -s ${here}/api/admin/provisioning \\`,
    `    -H "Authorization: Bearer ${secret}" \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"ada@example.com","planSlug":"${FIRST_PLAN}","reference":"order-1"}'`,
  ]
}
