import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { eventsTold } from './ledger.ts'
import { cluster, migrated } from './postgres.ts'
import { writers } from './writers.ts'

/** Immediate shutdown (SIGQUIT): no checkpoint, recovery from the log alone. */
export const immediateShutdown: Drill = {
  name: 'immediate-shutdown',
  does: 'Postgres ends at once (SIGQUIT) under load and recovers',
  breaks: 'synchronous_commit = off',
  async run({ directory, isBroken }) {
    const postgres = await migrated(
      await cluster(directory, isBroken ? { synchronous_commit: 'off', wal_writer_delay: '10s' } : {}),
    )
    const load = writers(postgres.url)
    try {
      await pause(3_000)
      postgres.signal('SIGQUIT')
      while (postgres.isRunning()) await pause(5)
      await load.stop()
      await postgres.start()
      return { ...(await eventsTold(postgres.url, load.acknowledged)), note: 'positions contiguous after recovery' }
    } finally {
      await load.stop()
      await postgres.stop()
    }
  },
}
