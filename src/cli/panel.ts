import { openPanel } from '../composition/panel.ts'
import { panelConfig } from '../config/panel.ts'
import { setupToken } from '../panel/access/setup-token.ts'
import { portError } from './free-port.ts'
import { logOf } from './log.ts'
import { panelSettingsOf } from './settings.ts'
import { untilStopped } from './until-stopped.ts'

/**
 * Production: one process that serves and does what follows, so that a host needs no more than it and a Postgres. Several share the
 * work. Nothing is generated, nothing is migrated, nothing has a default that would be a secret.
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
      // For whoever reads this on the host; on standard error, because logs are collected.
      if (token !== undefined)
        console.error(`The panel has no account yet. The first is made with the setup token\n\n  ${token}\n`)
      await untilStopped()
      log.info('panel stopping')
    } finally {
      await worker.close()
    }
  } finally {
    await panel.close()
  }
  log.info('panel stopped')
  // All is closed, but BullMQ goes on looking for a Redis that has gone.
  process.exit(0)
}
