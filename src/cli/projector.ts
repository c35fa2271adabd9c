import { openCore } from '../composition/licensing.ts'
import { productionConfig } from '../config/licensing.ts'
import { logOf } from './log.ts'
import { settingsOf } from './settings.ts'
import { untilStopped } from './until-stopped.ts'

/** Runs only the projection loop, which every service process also runs. */
export async function runProjector(): Promise<void> {
  const config = productionConfig(process.env)
  const log = logOf(config.logLevel)
  const core = await openCore(settingsOf(config), log)
  try {
    await core.projector.prepare()
    core.projector.start()
    core.erasures.start()
    log.info('projector started')
    await untilStopped()
    await core.projector.stop()
  } finally {
    await core.close()
  }
  log.info('projector stopped')
}
