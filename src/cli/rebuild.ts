import { openCore } from '../app.ts'
import { logger } from '../kernel/log.ts'
import { installation } from './installation.ts'

/** Readers see the old rows until the new ones are complete. */
export async function rebuild([name]: readonly string[]): Promise<void> {
  const { config, close } = await installation(process.env)
  const core = await openCore(config, logger({ level: config.logLevel, destination: process.stderr }))
  try {
    await core.projector.prepare()
    const head = await core.store.head()
    await core.projector.rebuild(name, (model, position) => {
      const done = head === 0 ? 100 : Math.floor((position / head) * 100)
      if (process.stdout.isTTY) process.stdout.write(`\r${model}: ${position} of ${head} events (${done} %)\u001B[K`)
    })
    console.log(`${process.stdout.isTTY ? '\n' : ''}Rebuilt ${name ?? 'every read model'} from ${head} events.`)
  } finally {
    await core.close()
    await close()
  }
}
