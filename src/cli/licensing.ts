import { openLicensing } from '../app.ts'
import { productionConfig } from '../config.ts'
import { logger } from '../kernel/log.ts'
import { ensureFirstStaff } from './first-start.ts'
import { settingsOf } from './settings.ts'
import { untilStopped } from './until-stopped.ts'

/** Production: nothing is generated, nothing is migrated, nothing has a default that would be a secret. */
export async function licensing(): Promise<void> {
  const config = productionConfig(process.env)
  const log = logger({ level: config.logLevel })
  const service = await openLicensing(settingsOf(config), log)
  if (config.admin) await ensureFirstStaff(service, config.admin)
  const { port } = await service.listen(config.port, config.host)
  log.info({ port, host: config.host, url: config.url }, 'licensing service started')
  await untilStopped()
  log.info('licensing service stopping')
  await service.close()
}
