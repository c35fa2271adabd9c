/** Which installation a command works on: the one whose database the environment names, or the evaluation in the data directory. */
import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import { dataDirectory } from '../config/licensing.ts'
import type { LicensingConfig } from '../config/licensing.ts'
import { withDirectoryErrors } from '../evaluation/data-directory-problem.ts'
import { existingPgdata } from '../evaluation/embedded-postgres/home.ts'
import { runningPostgresUrl, startEmbeddedPostgres } from '../evaluation/embedded-postgres.ts'
import { ensureLogin } from '../kernel/store/database-login.ts'
import type { Core } from '../composition/core.ts'
import { loadSecrets } from '../evaluation/secrets-file.ts'
import type { EvaluationSecrets } from '../evaluation/secrets-file.ts'
import { logOf } from './log.ts'
import { evaluationLogins, isDatabaseNamed, loginsIn } from './logins.ts'
import type { DatabaseLogins } from './logins.ts'
import { untilStopped } from './until-stopped.ts'
import { LICENSING_PROFILE } from './service-profile.ts'
import type { ServiceProfile } from './service-profile.ts'

/** What every service's configuration says. */
export type InstallationConfig = Pick<LicensingConfig, 'eventStoreUrl' | 'secretKey' | 'logLevel' | 'redisUrl'> & {
  readonly databaseUrl: string
}

export interface Installation {
  readonly config: InstallationConfig
  readonly logins: DatabaseLogins
  /** For people: where it is. */
  readonly place: string
  open(log: Logger): Promise<Core>
  close(): Promise<void>
}

/**
 * With its database's variable set, the production configuration; without, the evaluation under DAYBOOK_DATA_DIR, whose Postgres is
 * used when it runs and started for the command when it does not.
 * @throws Error for people when the configuration has gaps or there is no evaluation
 */
export async function installation(
  env: NodeJS.ProcessEnv,
  which: ServiceProfile = LICENSING_PROFILE,
): Promise<Installation> {
  const { variable } = which
  if (isDatabaseNamed(env, which)) {
    const found = which.production(env)
    return { ...found, logins: loginsIn(env, which)!, place: `the database of ${variable}`, close: async () => {} }
  }
  const dataDir = dataDirectory(env)
  return withDirectoryErrors(dataDir, () => evaluationIn(dataDir, env, which))
}

async function evaluationIn(dataDir: string, env: NodeJS.ProcessEnv, which: ServiceProfile): Promise<Installation> {
  const { variable } = which
  const secrets = loadSecrets(dataDir)
  // A start that was refused leaves its secrets there, and no database.
  if (!secrets || !existsSync(existingPgdata(dataDir)))
    throw new Error(
      `${variable} is not set, and there is no evaluation in ${dataDir}. Run "daybook start" first, or set it.`,
    )
  const { ownerUrl, close } = await databaseOf(dataDir, secrets, which)
  try {
    const logins = evaluationLogins(ownerUrl, which, secrets.databasePassword)
    // One that a version made which had the owner log in for everything.
    await ensureLogin(logins.ownerUrl, logins.url)
    return { ...which.evaluation(env, secrets, logins.url), logins, place: `the evaluation in ${dataDir}`, close }
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
  // Postgres has a session of its own and would outlive a Ctrl-C that nobody hears; an exit takes it along.
  void untilStopped().then(() => process.exit(130))
  const postgres = await startEmbeddedPostgres({ dataDir, password })
  return { ownerUrl: await postgres.database(database), close: postgres.stop }
}

/** Opens what stands behind the service for one piece of work, and closes all of it. The log goes to standard error. */
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
