/** A panel process of its own on the database of a test file, for agents to call. It can be killed, and started again. */
import { freePort } from '../free-port.ts'
import { daybook } from '../processes/process.ts'
import type { TestPanel } from './service.ts'

export async function panelOfAgent({ settings }: Pick<TestPanel, 'settings'>) {
  const { databaseUrl, eventStoreUrl, secretKey, gitAllow = [], dataDir } = settings
  const port = await freePort()
  const env = {
    PANEL_DATABASE_URL: databaseUrl,
    PANEL_SECRET_KEY: secretKey.toString('base64'),
    PANEL_URL: 'http://panel.test',
    PANEL_HOST: '127.0.0.1',
    PANEL_PORT: String(port),
    GIT_ALLOW: gitAllow.join(','),
    ...(eventStoreUrl !== undefined && { EVENT_STORE_URL: eventStoreUrl }),
    ...(dataDir !== undefined && { PANEL_DATA_DIR: dataDir }),
  }
  async function begin() {
    const running = daybook(['panel'], env)
    await running.until('panel started')
    return running
  }
  let running = await begin()
  return {
    url: `http://127.0.0.1:${port}`,
    kill: () => running.stop('SIGKILL'),
    start: async () => void (running = await begin()),
  }
}
