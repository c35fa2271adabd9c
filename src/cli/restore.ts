import { restoreBackup } from '../kernel/history/restore.ts'
import { ensureLogin } from '../kernel/store/database-login.ts'
import { logOf } from './log.ts'
import { loginsIn } from './logins.ts'
import type { ServiceProfile } from './service-profile.ts'

/**
 * Restores into the empty database of DATABASE_URL or PANEL_DATABASE_URL, with the login that will own
 * it: that of …_OWNER_URL, if it is set.
 */
export async function restore([directory]: readonly string[], which: ServiceProfile): Promise<number> {
  if (!directory) {
    console.error(`Usage: ${which.commandPrefix} restore DIR`)
    return 2
  }
  const { config, open } = which.production(process.env)
  if (config.eventStoreUrl !== undefined)
    throw new Error('A backup can only be restored into Postgres: unset EVENT_STORE_URL.')
  const started = performance.now()
  const logins = loginsIn(process.env, which)!
  const { head, hash, takenAt } = await restoreBackup({ url: logins.ownerUrl, directory, kek: config.secretKey })
  await ensureLogin(logins.ownerUrl, logins.url)
  console.log(
    `Restored ${head} events as of ${takenAt}, chain ${hash}: matches the signature. Building the read models…`,
  )
  const core = await open(logOf(config.logLevel, process.stderr))
  try {
    await core.projector.prepare()
    await core.projector.catchUp()
    const standing = (await core.projector.status()).find(({ lag }) => lag > 0)
    if (standing) throw new Error(`${standing.name} is stalled at ${standing.position}: see "daybook doctor".`)
  } finally {
    await core.close()
  }
  console.log(`Ready in ${((performance.now() - started) / 1000).toFixed(1)} s: start the service.`)
  return 0
}
