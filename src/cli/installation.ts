/** Which installation a command works on: the one of DATABASE_URL, or the evaluation in the data directory. */
import { existsSync } from 'node:fs'
import { openCore } from '../app.ts'
import type { Core } from '../app.ts'
import { dataDirectory, evaluationConfig, productionConfig } from '../config.ts'
import type { Config } from '../config.ts'
import { runningPostgresUrl, startEmbeddedPostgres } from '../embedded-postgres.ts'
import { logger } from '../kernel/log.ts'
import { loadOrCreateSecrets } from '../secrets-file.ts'
import { untilStopped } from './until-stopped.ts'

export interface Installation {
  readonly config: Config & { readonly databaseUrl: string }
  /** For people: where it is. */
  readonly place: string
  close(): Promise<void>
}

/**
 * With DATABASE_URL set, the production configuration; without, the evaluation under DAYBOOK_DATA_DIR, whose Postgres is used
 * when it runs and started for the command when it does not.
 * @throws Error for people when the configuration has gaps or there is no evaluation
 */
export async function installation(env: NodeJS.ProcessEnv): Promise<Installation> {
  if (env['DATABASE_URL']?.trim()) {
    const config = productionConfig(env)
    return { config, place: 'the database of DATABASE_URL', close: async () => {} }
  }
  const dataDir = dataDirectory(env)
  if (!existsSync(dataDir))
    throw new Error(
      `DATABASE_URL is not set, and there is no evaluation in ${dataDir}. Run "daybook start" first, or set it.`,
    )
  const secrets = loadOrCreateSecrets(dataDir)
  const config = evaluationConfig(env, secrets)
  const running = runningPostgresUrl(dataDir, secrets.databasePassword)
  if (running)
    return { config: { ...config, databaseUrl: running }, place: `the evaluation in ${dataDir}`, close: async () => {} }
  // Postgres has a session of its own and would outlive a Ctrl-C that nobody hears; an exit takes it along.
  void untilStopped().then(() => process.exit(130))
  const postgres = await startEmbeddedPostgres({ dataDir, password: secrets.databasePassword })
  return {
    config: { ...config, databaseUrl: postgres.url },
    place: `the evaluation in ${dataDir}`,
    close: postgres.stop,
  }
}

/** Opens what stands behind the service for one piece of work, and closes all of it. The log goes to standard error. */
export async function withCore<Result>(work: (core: Core, place: string) => Promise<Result>): Promise<Result> {
  const { config, place, close } = await installation(process.env)
  try {
    const core = await openCore(config, logger({ level: config.logLevel, destination: process.stderr }))
    try {
      return await work(core, place)
    } finally {
      await core.close()
    }
  } finally {
    await close()
  }
}
