import { openCore, reactions } from '../composition/licensing.ts'
import { productionConfig } from '../config/licensing.ts'
import { registerReactions } from '../kernel/jobs/reaction-subscriber.ts'
import { logOf } from './log.ts'
import { settingsOf } from './settings.ts'
import { untilStopped } from './until-stopped.ts'

/** Runs background jobs in a process of its own; several share the work. */
export async function runWorker(): Promise<void> {
  const config = productionConfig(process.env)
  const log = logOf(config.logLevel)
  const settings = settingsOf(config)
  const core = await openCore(settings, log)
  try {
    await core.projector.prepare()
    await registerReactions({ store: core.store, pool: core.pool }, reactions)
    core.projector.start()
    core.erasures.start()
    // Loaded only here and by "start" and "panel": no other command has a queue or sends mails.
    const { openWorker } = await import('../composition/worker.ts')
    const worker = await openWorker(core, settings, log)
    log.info('worker started')
    await untilStopped()
    log.info('worker stopping')
    await worker.close()
    await core.projector.stop()
  } finally {
    await core.close()
  }
  log.info('worker stopped')
  // Everything is closed, but BullMQ keeps trying to reconnect to an unreachable Redis.
  process.exit(0)
}
