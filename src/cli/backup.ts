import type { Core } from '../composition/licensing.ts'
import { writeBackup } from '../kernel/history/backup.ts'
import { makeCheckpoint } from '../kernel/history/verify-history.ts'
import { migrationsOf } from '../kernel/store/migrate.ts'
import { isStoreElsewhere } from '../kernel/store/single-history.ts'
import { withCore } from './installation.ts'
import type { ServiceProfile } from './service-profile.ts'

/** Works beside a running service or without one. */
export async function backup([directory]: readonly string[], which: ServiceProfile): Promise<number> {
  if (!directory) {
    console.error(`Usage: ${which.commandPrefix} backup DIR`)
    return 2
  }
  return withCore((core) => writeBackupOf(core, directory, which), which)
}

async function writeBackupOf(
  { pool, vault }: Core,
  directory: string,
  { secretVariable }: ServiceProfile,
): Promise<number> {
  if (await isStoreElsewhere(pool))
    throw new Error(
      'The events are in the event store of EVENT_STORE_URL: back it up with its own tools, and this database with the tools of Postgres.',
    )
  const started = performance.now()
  // Also verifies all events since the newest checkpoint: a backup of a manipulated log would be
  // useless.
  await makeCheckpoint(pool, vault)
  const { applied } = await migrationsOf(pool.options.connectionString!)
  const manifest = await writeBackup(pool, directory, { vault, migrations: applied })
  const bytes = manifest.parts.reduce((sum, part) => sum + part.bytes, 0)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(
    `Backed up ${manifest.head} events, ${(bytes / 1e6).toFixed(1)} MB in ${seconds} s, chain ${manifest.hash}.`,
  )
  console.log(`To restore it you need ${secretVariable}, which the backup does not contain: store that key elsewhere.`)
  return 0
}
