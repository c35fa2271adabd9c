/** An embedded Postgres for evaluation and tests: no installation, and all files in one data directory. */
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createDataDirectory } from './data-directory.ts'
import { checkBeforeStart } from './embedded-postgres/before-start.ts'
import { postgresPrograms } from './embedded-postgres/binaries.ts'
import { clusterHome, existingPgdata } from './embedded-postgres/home.ts'
import { ensureCluster } from './embedded-postgres/initdb.ts'
import { freePort, rememberPort } from './embedded-postgres/port.ts'
import { livingPostmaster, type Postmaster } from './embedded-postgres/postmaster-file.ts'
import {
  askToStop,
  isLaunchedAs,
  startPostmaster,
  stopPostmaster,
  type ServerLaunch,
} from './embedded-postgres/postmaster.ts'
import { ensureDatabase } from './embedded-postgres/server-database.ts'
import { takeStartLock } from './embedded-postgres/start-lock.ts'

const USER = 'daybook'
const DATABASE = 'daybook'
const START_TRIES = 10
const START_PAUSE_MS = 500

export interface EmbeddedPostgresOptions {
  /** Created with mode 0700 if it is missing. */
  readonly dataDir: string
  /** The superuser's password: the first start sets it, later starts must pass the same. */
  readonly password: string
  /** False only for temporary clusters: after a power failure such a cluster is lost. */
  readonly durable?: boolean
  /** For clusters and programs that the server's account cannot reach in their usual place. */
  readonly sharedDir?: string
  /** Called with the next step, for progress output. */
  readonly onProgress?: ((what: string) => void) | undefined
}

export interface EmbeddedPostgres {
  /** The URL of the database `daybook` with the password; the login is a superuser. */
  readonly url: string
  /** Returns the URL of another database of the same server, which is created if it is missing. */
  readonly database: (name: string) => Promise<string>
  /** Not always below the data directory: print it if it is not. */
  readonly pgdata: string
  /** True if a server that outlived its parent process was found and taken over. */
  readonly isAdopted: boolean
  /**
   * Fast shutdown: sessions are ended, and all data is on disk when the promise resolves. May be called
   * again.
   */
  readonly stop: () => Promise<void>
}

/**
 * Starts, or takes over, the server of a data directory, and holds the directory's lock until `stop`.
 * @throws Error for the user: directory in use (with the pid), no user to run as, full disk, database
 * of another major version, wrong password, the output of Postgres; errors of the file system are
 * passed on
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { password, durable = true, sharedDir = '/var/lib/daybook', onProgress = () => {} } = options
  createDataDirectory(options.dataDir)
  const dataDir = realpathSync(options.dataDir)
  const home = clusterHome(dataDir, sharedDir)
  const lock = await takeStartLock(home.directory)
  let stop = async () => lock.release()
  try {
    const programs = postgresPrograms(home.account, sharedDir)
    checkBeforeStart(home, programs)
    if (!existsSync(home.pgdata)) onProgress('Creating a Postgres database (only at the first start)')
    await ensureCluster(home, { programs, user: USER, password, durable })
    onProgress('Starting Postgres')
    const launch = { home, programs, settings: settingsFor(durable), log: join(dataDir, 'postgres.log') }
    const { postmaster, adopted } = await runServer(launch, dataDir)
    stop = stopOnce(postmaster, stop)
    const serverUrl = urlOf(postmaster, password)
    const database = async (name: string) => {
      await ensureDatabase(serverUrl, name, home.pgdata)
      return serverUrl + name
    }
    return { url: await database(DATABASE), database, pgdata: home.pgdata, isAdopted: adopted, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * The URL of a database of a running `daybook start`, for a second process beside it; undefined if none
 * is running.
 */
export function runningPostgresUrl(dataDir: string, password: string, database = DATABASE): string | undefined {
  const postmaster = existsSync(dataDir) ? livingPostmaster(existingPgdata(dataDir)) : undefined
  return postmaster && urlOf(postmaster, password) + database
}

function urlOf({ port }: Postmaster, password: string): string {
  return `postgresql://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/`
}

/** The log omits statements, parameters and error details, because they contain user data. */
function settingsFor(durable: boolean): ServerLaunch['settings'] {
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  }
}

async function runServer(launch: ServerLaunch, dataDir: string): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const survivor = livingPostmaster(launch.home.pgdata)
  if (survivor && isLaunchedAs(survivor, launch)) return { postmaster: survivor, adopted: true }
  if (survivor) await stopPostmaster(survivor)
  const postmaster = await startServer(launch, dataDir)
  rememberPort(dataDir, postmaster.port)
  return { postmaster, adopted: false }
}

/**
 * Another process may take the free port before Postgres does, and back ends that survived a crash need
 * a moment to end.
 */
async function startServer(launch: ServerLaunch, dataDir: string): Promise<Postmaster> {
  for (let tries = 1; ; tries++) {
    try {
      return await startPostmaster(launch, await freePort(dataDir))
    } catch (error) {
      if (tries === START_TRIES || !/could not bind|shared memory block/.test(String(error))) throw error
      await pause(START_PAUSE_MS)
    }
  }
}

/** Stops the server when this process exits; only a SIGKILL leaves it running. */
function stopOnce(postmaster: Postmaster, release: () => Promise<void>): () => Promise<void> {
  const onExit = () => askToStop(postmaster.pid)
  process.once('exit', onExit)
  const stop = async () => {
    await stopPostmaster(postmaster)
    process.removeListener('exit', onExit)
    await release()
  }
  let stopping: Promise<void> | undefined
  return () => (stopping ??= stop())
}
