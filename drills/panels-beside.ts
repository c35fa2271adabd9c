/** Further panels on the database of a `daybook start`, each with its worker. */
import { join } from 'node:path'
import { PANEL_LOGINS, evaluationLogins } from '../src/cli/logins.ts'
import { panelEvaluationConfig } from '../src/config/panel.ts'
import { runningPostgresUrl } from '../src/evaluation/embedded-postgres.ts'
import { loadSecrets } from '../src/evaluation/secrets-file.ts'
import { freePort } from '../test/support/free-port.ts'
import { daybook } from '../test/support/processes/process.ts'
import { leftover } from './leftovers.ts'

interface Beside {
  readonly dataDir: string
  /** Of the first panel. */
  readonly origin: string
  readonly count: number
  readonly env: NodeJS.ProcessEnv
}

export async function panelsBeside({ dataDir, origin, count, env }: Beside) {
  const secrets = loadSecrets(dataDir)!
  const { port } = new URL(origin)
  const { url, secretKey } = panelEvaluationConfig({ PANEL_PORT: port }, secrets)
  // Of its owner, who may read all of it.
  const databaseUrl = runningPostgresUrl(dataDir, secrets.databasePassword, PANEL_LOGINS.database)!
  const variables = {
    PANEL_DATABASE_URL: evaluationLogins(databaseUrl, PANEL_LOGINS, secrets.databasePassword).url,
    PANEL_SECRET_KEY: secretKey.toString('base64'),
    PANEL_DATA_DIR: join(dataDir, 'panel'),
    PANEL_URL: url,
    PANEL_HOST: '127.0.0.1',
    GIT_ALLOW: '127.0.0.1',
    ...env,
  }
  const begin = async () => {
    const free = await freePort()
    const running = daybook(['panel'], { ...variables, PANEL_PORT: `${free}` })
    const cleaned = leftover(() => running.child.kill('SIGKILL'))
    await running.until('panel started')
    return { origin: `http://127.0.0.1:${free}`, stop: () => running.stop().then(cleaned) }
  }
  const begun = await Promise.all(Array.from({ length: count }, begin))
  return {
    origins: begun.map((each) => each.origin),
    databaseUrl,
    stop: () => Promise.all(begun.map(({ stop }) => stop())),
  }
}
