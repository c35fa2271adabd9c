import { openPanel } from '../composition/panel.ts'
import { panelConfig } from '../config/panel.ts'
import type { PanelConfig } from '../config/panel.ts'
import { setupToken } from '../panel/access/setup-token.ts'
import { portError } from './free-port.ts'
import { logOf } from './log.ts'
import { panelSettingsOf } from './settings.ts'
import { untilStopped } from './until-stopped.ts'
import { setupLink } from './welcome.ts'

/**
 * Production: one process serves requests and runs background jobs, so that a host needs only this
 * process and a Postgres. Several processes share the work. Nothing is generated or migrated, and no
 * secret has a default.
 */
export async function runPanel(): Promise<void> {
  const config = panelConfig(process.env)
  const log = logOf(config.logLevel)
  const settings = panelSettingsOf(config)
  const panel = await openPanel(settings, log)
  try {
    const { openWorker } = await import('../composition/worker.ts')
    const worker = await openWorker(panel, settings, log)
    try {
      const { port } = await panel.listen(config.port, config.host).catch((error: unknown) => {
        throw portError(error, config.port, config.host, 'PANEL')
      })
      log.info({ port, host: config.host, url: config.url }, 'panel started')
      const token = await setupToken(panel)
      // On standard error for the operator on this host, because logs are collected.
      if (token !== undefined) console.error(firstAccountText(config, token))
      await untilStopped()
      log.info('panel stopping')
    } finally {
      await worker.close()
    }
  } finally {
    await panel.close()
  }
  log.info('panel stopped')
  // Everything is closed, but BullMQ keeps trying to reconnect to an unreachable Redis.
  process.exit(0)
}

const firstAccountText = ({ url, pagesDir }: PanelConfig, token: string): string => {
  const text = `The panel has no account yet. Create the first one with this setup token:\n\n  ${token}\n`
  return pagesDir === undefined ? text : `${text}\nIn a browser:\n\n  ${setupLink(url, token)}\n`
}
