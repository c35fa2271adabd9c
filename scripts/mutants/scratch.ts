/** What copies of the project need beside themselves: a directory and a Postgres, both gone when the work is done. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/evaluation/embedded-postgres.ts'
import { databaseBase } from '../../test/support/scratch-base.ts'

interface Scratch {
  readonly directory: string
  readonly databaseUrl: string
}

export async function withScratch<Result>(work: (scratch: Scratch) => Promise<Result>): Promise<Result> {
  // As `npm test` names its own: should this process be killed with -9, the next `npm test` sweeps the directories away.
  const directory = join(databaseBase, `daybook-test-${process.pid}-${randomBytes(4).toString('hex')}`)
  mkdirSync(directory)
  try {
    const postgres = await server(directory)
    try {
      return await work({ directory, databaseUrl: postgres.url })
    } finally {
      await postgres.stop()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }
}

/** One Postgres for all runs: each makes databases of its own. Durable, because some tests refuse to run on any other. */
async function server(base: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env['DAYBOOK_TEST_DATABASE_URL']
  if (given) return { url: given, stop: async () => {} }
  const dataDir = join(base, 'server')
  return startEmbeddedPostgres({ dataDir, password: randomBytes(18).toString('base64url'), sharedDir: dataDir })
}
