/** One database of a panel, and the processes that a test starts on it. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { testDatabase } from '#test/support/database'
import { freePort } from '#test/support/free-port'
import { readModels } from '../../../src/composition/panel.ts'
import { daybook } from './process.ts'
import type { RunningProcess } from './process.ts'

export interface PanelProcess {
  readonly running: RunningProcess
  readonly url: string
}

/** Close it in afterAll: that ends every process, by its pid, and drops the database. */
export async function openPanelSite() {
  const database = await testDatabase(readModels)
  const superuser = new pg.Pool({ connectionString: database.url, max: 2 })
  superuser.on('error', () => {})
  const env = {
    PANEL_DATABASE_URL: database.loginUrl,
    PANEL_SECRET_KEY: randomBytes(32).toString('base64'),
    PANEL_URL: 'http://panel.test',
    PANEL_HOST: '127.0.0.1',
    // All requests of a storm come from one address.
    AUTH_FAILURES_PER_MINUTE: '1000000',
  }
  const processes: RunningProcess[] = []

  function run(args: readonly string[], more: NodeJS.ProcessEnv = {}): RunningProcess {
    const running = daybook(['panel', ...args], { ...env, ...more })
    processes.push(running)
    return running
  }

  return {
    superuser,
    run,

    async serving(port?: number): Promise<PanelProcess> {
      const own = port ?? (await freePort())
      const running = run([], { PANEL_PORT: String(own) })
      await running.until('panel started')
      return { running, url: `http://127.0.0.1:${own}` }
    },

    async close(): Promise<void> {
      await Promise.all(processes.map((running) => running.stop('SIGKILL')))
      await superuser.end()
      await database.drop()
    },
  }
}
