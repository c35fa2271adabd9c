/** A real Postgres of our own, for evaluation and tests: nothing to install, everything under one data directory. */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { createDataDirectory } from './data-directory.ts'
import { postgresPrograms } from './embedded-postgres/binaries.ts'
import { clusterHome, type Home } from './embedded-postgres/home.ts'
import { ensureCluster } from './embedded-postgres/initdb.ts'
import { freePort, rememberPort } from './embedded-postgres/port.ts'
import {
  livingPostmaster,
  runsWith,
  startPostmaster,
  stopPostmaster,
  type Postmaster,
  type Settings,
} from './embedded-postgres/postmaster.ts'
import { takeStartLock } from './embedded-postgres/start-lock.ts'

const USER = 'daybook'
const DATABASE = 'daybook'
const PORT_TRIES = 3

export interface EmbeddedPostgresOptions {
  /** Made with mode 0700 when it is missing. */
  readonly dataDir: string
  /** The superuser's password; the first start sets it, later ones must know it. */
  readonly password: string
  /** False only for clusters that are thrown away: after a power cut such a cluster is lost. */
  readonly durable?: boolean
  /** For clusters and programs that the server's account could not reach where they belong. */
  readonly sharedDir?: string
}

export interface EmbeddedPostgres {
  /** Of the database `daybook`, with the password; the login is a superuser. */
  readonly url: string
  /** Not always under the data directory: print it when it is not. */
  readonly pgdata: string
  /** True when a server that outlived its parent was found running and taken over. */
  readonly adopted: boolean
  /** Fast shutdown: sessions are ended, everything is on disk when the promise resolves. Safe to call again. */
  stop(): Promise<void>
}

/**
 * Starts, or takes over, the server of a data directory, and holds the directory's lock until `stop`.
 * @throws Error with a text for people: directory in use (names the pid), no user to run as, wrong password, Postgres' own words.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir: wanted, password, durable = true, sharedDir = '/var/lib/daybook' } = options
  createDataDirectory(wanted)
  const dataDir = realpathSync(wanted)
  const home = clusterHome(dataDir, sharedDir)
  const lock = takeStartLock(home.directory)
  try {
    const programs = postgresPrograms(home.account, sharedDir)
    await ensureCluster(home, { programs, user: USER, password, durable })
    const { postmaster, adopted } = await runServer(home, programs, dataDir, settingsFor(durable))
    const url = `postgresql://${USER}:${encodeURIComponent(password)}@127.0.0.1:${postmaster.port}/`
    const stop = stopOnce(postmaster, () => lock.release())
    await ensureDatabase(url, home.pgdata).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    return { url: url + DATABASE, pgdata: home.pgdata, adopted, stop }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The log leaves out statements, parameters and details of errors: they hold what our users typed. */
function settingsFor(durable: boolean): Settings {
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

async function runServer(
  home: Home,
  programs: string,
  dataDir: string,
  settings: Settings,
): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const survivor = livingPostmaster(home.pgdata)
  if (survivor && runsWith(survivor, home.pgdata, settings)) return { postmaster: survivor, adopted: true }
  if (survivor) await stopPostmaster(survivor)
  const log = join(dataDir, 'postgres.log')
  for (let tries = 1; ; tries++) {
    const port = await freePort(dataDir)
    try {
      const postmaster = await startPostmaster(home, programs, port, settings, log)
      rememberPort(dataDir, port)
      return { postmaster, adopted: false }
    } catch (error) {
      if (tries === PORT_TRIES || !/could not bind|shared memory block/.test(String(error))) throw error
    }
  }
}

/** A process that simply exits takes its server with it; only a kill -9 leaves one behind. */
function stopOnce(postmaster: Postmaster, release: () => void): () => Promise<void> {
  let stopping: Promise<void> | undefined
  const onExit = () => process.kill(postmaster.pid, 'SIGINT')
  process.once('exit', onExit)
  return () =>
    (stopping ??= stopPostmaster(postmaster).then(() => {
      process.removeListener('exit', onExit)
      release()
    }))
}

async function ensureDatabase(url: string, pgdata: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${url}postgres` })
  try {
    await client.connect()
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
  } catch (error) {
    if ((error as { code?: string }).code !== '28P01') throw error
    throw new Error(
      `The database password does not open ${pgdata}: it was made with other secrets. Restore them, or use a new directory.`,
    )
  } finally {
    await client.end()
  }
}
