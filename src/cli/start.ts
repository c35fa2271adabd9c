import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { openLicensing } from '../composition/licensing.ts'
import type { Licensing } from '../composition/licensing.ts'
import type { OpenWorker } from '../composition/worker.ts'
import { dataDirectory, evaluationConfig } from '../config/licensing.ts'
import type { EvaluationConfig } from '../config/licensing.ts'
import { panelEvaluationConfig } from '../config/panel.ts'
import { withDirectoryErrors } from '../evaluation/data-directory-problem.ts'
import { startEmbeddedPostgres } from '../evaluation/embedded-postgres.ts'
import type { EmbeddedPostgres } from '../evaluation/embedded-postgres.ts'
import { FIRST_PLAN, ensureFirstPlan, ensureFirstStaff, firstStaff, firstToken } from '../evaluation/first-start.ts'
import { loadOrCreateSecrets, secretsPath } from '../evaluation/secrets-file.ts'
import type { EvaluationSecrets } from '../evaluation/secrets-file.ts'
import { BACK_OFFICE } from '../web/surfaces.ts'
import { localOrigin } from './address.ts'
import { beginPages } from './evaluation-pages.ts'
import { findPasswordPlace } from './find-password-place.ts'
import { portError, refuseSamePort, refuseTakenPort } from './free-port.ts'
import { logFile } from './log-file.ts'
import { logOf } from './log.ts'
import { LICENSING_LOGINS, PANEL_LOGINS, evaluationLogins, isDatabaseNamed, loginsIn, migrateAs } from './logins.ts'
import type { LoginNames, DatabaseLogins } from './logins.ts'
import type { Progress } from './progress-line.ts'
import { mailFolderIn, settingsOf } from './settings.ts'
import type { RunningPanel } from './start-panel.ts'
import { untilStopped } from './until-stopped.ts'
import { factLines, pagesFacts, provisioningLines, textSection, signInLines } from './welcome.ts'
import type { Fact, SignInHint } from './welcome.ts'

const LOG = 'licensing.log'
const FILES = 'files'

const AS_GIVEN = 'as set in DAYBOOK_ADMIN_PASSWORD'
const NO_PANEL = ['', 'The panel is not started: besides DATABASE_URL, set PANEL_DATABASE_URL.']

/**
 * The evaluation: one process, with Postgres and secrets in one data directory.
 * @throws Error for the user
 */
export async function start(progress: Progress): Promise<void> {
  // Signals are handled from here on: Postgres runs in its own session and would outlive an unhandled
  // Ctrl-C.
  const stopped = untilStopped()
  const dataDir = dataDirectory(process.env)
  await withDirectoryErrors(dataDir, () => evaluation(dataDir, stopped, progress))
}

async function evaluation(dataDir: string, stopped: Promise<void>, progress: Progress): Promise<void> {
  const tell = progress.step
  const secrets = loadOrCreateSecrets(dataDir)
  const config = evaluationConfig(process.env, secrets)
  const panelConfig = panelEvaluationConfig(process.env, secrets)
  const isEmbedded = !isDatabaseNamed(process.env, LICENSING_LOGINS)
  if (isEmbedded || isDatabaseNamed(process.env, PANEL_LOGINS)) refuseSamePort(config, panelConfig)
  const pages = beginPages(dataDir, config.pagesDir, tell)
  const own = isEmbedded
    ? await startEmbeddedPostgres({ dataDir, password: secrets.databasePassword, onProgress: tell })
    : undefined
  try {
    const logins = loginsIn(process.env, LICENSING_LOGINS) ?? (await loginsOf(own!, LICENSING_LOGINS, secrets))
    const panelLogins = loginsIn(process.env, PANEL_LOGINS) ?? (own && (await loginsOf(own, PANEL_LOGINS, secrets)))
    await refuseTakenPort(config.port, config.host)
    if (panelLogins) await refuseTakenPort(panelConfig.port, panelConfig.host, 'PANEL')
    tell('Migrating the databases')
    await Promise.all([migrateAs(logins), ...(panelLogins ? [migrateAs(panelLogins)] : [])])
    tell('Opening the licensing service')
    const log = logOf(config.logLevel, logFile(join(dataDir, LOG)))
    const filesDir = config.filesDir ?? join(dataDir, FILES)
    const settings = {
      ...settingsOf({ ...config, databaseUrl: logins.url, filesDir }, mailFolderIn(dataDir)),
      pagesDir: pages.dir,
      onProgress: tell,
    }
    const service = await openLicensing(settings, log)
    let worker: OpenWorker | undefined
    let panel: RunningPanel | undefined
    try {
      tell('Starting the licensing service')
      const { openWorker } = await import('../composition/worker.ts')
      worker = await openWorker(service, settings, log)
      const isNew = await ensureFirstStaff(service, config.admin)
      await ensureFirstPlan(service)
      const token = await firstToken(service)
      const signIn = await staffSignIn(service, { config, secrets, isNew, dataDir })
      const { port } = await service.listen(config.port, config.host).catch((error: unknown) => {
        throw portError(error, config.port, config.host)
      })
      const origin = localOrigin(config.host, port)
      if (panelLogins) {
        tell('Opening the panel')
        // A process without a panel does not load the panel's code.
        const { startPanel } = await import('./start-panel.ts')
        panel = await startPanel({
          config: { ...panelConfig, databaseUrl: panelLogins.url, pagesDir: await pages.dir() },
          dataDir,
          licensing: service,
          licensingUrl: config.url,
          licensingOrigin: origin,
          email: config.admin.email,
          onProgress: tell,
        })
      }
      const where = { origin, dataDir, pgdata: own?.pgdata, adopted: own?.isAdopted === true }
      progress.end()
      const withPages = { signIn, token, panel: panel?.lines ?? NO_PANEL, pagesProblem: pages.problem() }
      console.log(welcome(config, where, withPages))
      await stopped
      console.log('Stopping …')
    } finally {
      await panel?.close()
      await worker?.close()
      await service.close()
    }
  } finally {
    pages.stop()
    await own?.stop()
  }
}

interface StaffSignInInput {
  readonly config: EvaluationConfig
  readonly secrets: EvaluationSecrets
  /** Whether the first staff account was created just now. */
  readonly isNew: boolean
  readonly dataDir: string
}

/** How staff sign in. A password that was generated just now is shown; later starts say where it is. */
async function staffSignIn(
  service: Licensing,
  { config, secrets, isNew, dataDir }: StaffSignInInput,
): Promise<SignInHint> {
  const { email, password, isGenerated } = config.admin
  const inFile = `in ${secretsPath(dataDir)}, as adminPassword`
  if (isNew && isGenerated) return { email, password, passwordPlace: `shown only this once; it is stored ${inFile}` }
  if (isNew) return { email, passwordPlace: AS_GIVEN }
  const all = [
    { place: AS_GIVEN, password: isGenerated ? undefined : password },
    { place: inFile, password: secrets.adminPassword },
  ]
  const first = await firstStaff(service)
  if (!first) return { email, passwordPlace: 'no staff account may sign in' }
  const otherwise = `as changed since ("daybook staff reset-password ${first.email}" sets a new one)`
  return { email: first.email, passwordPlace: await findPasswordPlace(first.passwordHash, all, otherwise) }
}

const loginsOf = async (
  { database }: EmbeddedPostgres,
  names: LoginNames,
  { databasePassword }: EvaluationSecrets,
): Promise<DatabaseLogins> => evaluationLogins(await database(names.database), names, databasePassword)

interface StartLocation {
  readonly origin: string
  readonly dataDir: string
  readonly pgdata: string | undefined
  readonly adopted: boolean
}

interface WelcomeDetails {
  readonly signIn: SignInHint
  readonly token: string | undefined
  readonly panel: readonly string[]
  /** Why there are no pages. */
  readonly pagesProblem: string | undefined
}

function welcome(
  { url, shopUrl, mail }: EvaluationConfig,
  where: StartLocation,
  { signIn, token, panel, pagesProblem }: WelcomeDetails,
): string {
  const { origin, dataDir, pgdata, adopted } = where
  const isElsewhere = pgdata !== undefined && !pgdata.startsWith(realpathSync(dataDir))
  const facts: Fact[] = [
    ['Address', `${origin}/   (public address: ${url})`],
    ...pagesFacts([`${url}${BACK_OFFICE.base}`, shopUrl], pagesProblem),
    ['Documentation', `${origin}/api/docs`],
    ['Data and secrets', `${dataDir}   (log: ${LOG})`],
    ...(mail?.smtp ? [] : [['Mails', `${mailFolderIn(dataDir)}   (kept as files, from the first mail on)`] as const]),
    ['Root key', 'in this database; in production keep it offline (daybook root-key)'],
    ...(isElsewhere
      ? [['Postgres data', `${pgdata}   (the Postgres user cannot enter the data directory)`] as const]
      : []),
    ...(adopted ? [['Postgres', 'was still running and has been taken over'] as const] : []),
  ]
  return [
    ...textSection('Daybook licensing is running.', factLines(facts)),
    ...textSection('Sign in as staff:', signInLines(signIn)),
    ...panel,
    ...provisioningLines(origin, FIRST_PLAN, token),
    '',
    'Press Ctrl-C to stop.',
  ].join('\n')
}
