import { openLicensing } from '../composition/licensing.ts'
import { productionConfig } from '../config/licensing.ts'
import { ensureFirstStaff } from '../evaluation/first-start.ts'
import { portError } from './free-port.ts'
import { logOf } from './log.ts'
import { describeRootKeyPlace } from './root-key.ts'
import { settingsOf } from './settings.ts'
import { untilStopped } from './until-stopped.ts'

/** Production: nothing is generated or migrated, and no secret has a default. */
export async function licensing(): Promise<void> {
  const config = productionConfig(process.env)
  const log = logOf(config.logLevel)
  const service = await openLicensing(settingsOf(config), log)
  try {
    if (config.admin) await ensureFirstStaff(service, config.admin)
    const { port } = await service.listen(config.port, config.host).catch((error: unknown) => {
      throw portError(error, config.port, config.host)
    })
    const about = { port, host: config.host, url: config.url, rootKey: `kept ${await describeRootKeyPlace(service)}` }
    log.info(about, 'licensing service started')
    await untilStopped()
    log.info('licensing service stopping')
  } finally {
    await service.close()
  }
  log.info('licensing service stopped')
}
