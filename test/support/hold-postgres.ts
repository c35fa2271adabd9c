/**
 * A process that starts the server of a data directory and keeps it running: `hold-postgres.ts <dataDir>
 * [<sharedDir>]`.
 */
import { startEmbeddedPostgres } from '../../src/evaluation/embedded-postgres.ts'

const [dataDir = '', sharedDir] = process.argv.slice(2)
const password = 'a password with ? and @'
try {
  const server = await startEmbeddedPostgres({ dataDir, password, ...(sharedDir ? { sharedDir } : {}) })
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
  console.log(JSON.stringify(server))
  setInterval(() => {}, 60_000)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
