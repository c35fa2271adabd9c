/**
 * The installation that a command works on: the database in the environment, or the evaluation in the
 * data directory.
 */
import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Core } from '../composition/core.ts'
import { dataDirectory } from '../config/licensing.ts'
import type { LicensingConfig } from '../config/licensing.ts'
import { withDirectoryErrors } from '../evaluation/data-directory-problem.ts'
import { runningPostgresUrl, startEmbeddedPostgres } from '../evaluation/embedded-postgres.ts'
import { existingPgdata } from '../evaluation/embedded-postgres/home.ts'
import { loadSecrets } from '../evaluation/secrets-file.ts'
import type { EvaluationSecrets } from '../evaluation/secrets-file.ts'
import { ensureLogin } from '../kernel/store/database-login.ts'
import { logOf } from './log.ts'
import { evaluationLogins, isDatabaseNamed, loginsIn } from './logins.ts'
import type { DatabaseLogins } from './logins.ts'
import { LICENSING_PROFILE } from './service-profile.ts'
import type { ServiceProfile } from './service-profile.ts'
import { untilStopped } from './until-stopped.ts'

/** The configuration that both services share. */
export type InstallationConfig = Pick<
  LicensingConfig,
  'eventStoreUrl' | 'secretKey' | 'logLevel' | 'redisUrl' | 'pagesDir'
> & {
  readonly databaseUrl: string
}

export interface Installation {
  readonly config: InstallationConfig
  readonly logins: DatabaseLogins
  /** A description of the place, for the user. */
  readonly place: string
  readonly isEvaluation: boolean
  open(log: Logger): Promise<Core>
  close(): Promise<void>
}

/**
 * If the variable of the database is set, the production configuration. Otherwise the evaluation in
 * DAYBOOK_DATA_DIR, whose Postgres is started for the command unless it is running.
 * @throws Error for the user if the configuration is incomplete or there is no evaluation
 */
export async function installation(
  env: NodeJS.ProcessEnv,
  which: ServiceProfile = LICENSING_PROFILE,
): Promise<Installation> {
  const { variable } = which
  if (isDatabaseNamed(env, which)) {
    const found = which.production(env)
    return {
      ...found,
      logins: loginsIn(env, which)!,
      place: `the database of ${variable}`,
      isEvaluation: false,
      close: async () => {},
    }
  }
  const dataDir = dataDirectory(env)
  return withDirectoryErrors(dataDir, () => evaluationIn(dataDir, env, which))
}

async function evaluationIn(dataDir: string, env: NodeJS.ProcessEnv, which: ServiceProfile): Promise<Installation> {
  const { variable } = which
  const secrets = loadSecrets(dataDir)
  // A rejected start leaves secrets without a database.
  if (!secrets || !existsSync(existingPgdata(dataDir)))
    throw new Error(
      `${variable} is not set, and there is no evaluation in ${dataDir}. Run "daybook start" first, or set ${variable}.`,
    )
  const { ownerUrl, close } = await databaseOf(dataDir, secrets, which)
  try {
    const logins = evaluationLogins(ownerUrl, which, secrets.databasePassword)
    // Older versions used the owner's login for everything, so the login may be missing.
    await ensureLogin(logins.ownerUrl, logins.url)
    return {
      ...which.evaluation(env, secrets, logins.url),
      logins,
      place: `the evaluation in ${dataDir}`,
      isEvaluation: true,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function databaseOf(
  dataDir: string,
  { databasePassword: password }: EvaluationSecrets,
  { database }: ServiceProfile,
) {
  const running = runningPostgresUrl(dataDir, password, database)
  if (running) return { ownerUrl: running, close: async () => {} }
  // Postgres runs in its own session and would outlive an unhandled Ctrl-C; its exit handler stops it.
  void untilStopped().then(() => process.exit(130))
  const postgres = await startEmbeddedPostgres({ dataDir, password })
  return { ownerUrl: await postgres.database(database), close: postgres.stop }
}

/** Opens the core for one piece of work, and closes everything. Logs go to standard error. */
export async function withCore<Result>(
  work: (core: Core, place: string) => Promise<Result>,
  which: ServiceProfile = LICENSING_PROFILE,
): Promise<Result> {
  const { config, place, open, close } = await installation(process.env, which)
  try {
    const core = await open(logOf(config.logLevel, process.stderr))
    try {
      return await work(core, place)
    } finally {
      await core.close()
    }
  } finally {
    await close()
  }
}
