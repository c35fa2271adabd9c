/** A Postgres for faults: a cluster with the drill's settings, which the drill stops and starts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { postgresPrograms } from '../src/evaluation/embedded-postgres/binaries.ts'
import { clusterHome } from '../src/evaluation/embedded-postgres/home.ts'
import type { ClusterHome } from '../src/evaluation/embedded-postgres/home.ts'
import { ensureCluster } from '../src/evaluation/embedded-postgres/initdb.ts'
import type { Postmaster } from '../src/evaluation/embedded-postgres/postmaster-file.ts'
import { startPostmaster, stopPostmaster } from '../src/evaluation/embedded-postgres/postmaster.ts'
import { ensureDatabase } from '../src/evaluation/embedded-postgres/server-database.ts'
import { migrate } from '../src/kernel/store/migrate.ts'
import { createTestDatabase, databaseUrl } from '../test/support/admin.ts'
import { freePort } from '../test/support/free-port.ts'
import { leftover } from './leftovers.ts'

const USER = 'daybook'
const PASSWORD = 'drill'
const DATABASE = 'daybook'
const START_TRIES = 20
const START_PAUSE_MS = 250

type Settings = Readonly<Record<string, string>>

export interface Victim {
  readonly url: string
  readonly port: number
  readonly pgdata: string
  /** Starts it again, as after a crash: on the same port, by default with the same settings. */
  start(more?: Settings): Promise<void>
  /** Kills it and all its backends at once. */
  kill(): Promise<void>
  /** Sends the signal to the postmaster alone, or to the backends too. */
  signal(signal: NodeJS.Signals, whom?: 'postmaster' | 'all'): void
  isRunning(): boolean
  stop(): Promise<void>
}

/** `prepare` runs between the creation of the cluster and its first start. */
export async function cluster(
  directory: string,
  settings: Settings = {},
  prepare: (home: ClusterHome) => void = () => {},
): Promise<Victim> {
  const home = clusterHome(directory, directory)
  const programs = postgresPrograms(home.account, directory)
  await ensureCluster(home, { programs, user: USER, password: PASSWORD, durable: true })
  prepare(home)
  return server(home, programs, { ...SETTINGS, ...settings }, join(directory, 'postgres.log'))
}

/** The server on an existing cluster, such as the copy that a power cut left. */
export async function survivor(directory: string): Promise<Victim> {
  const home = clusterHome(directory, directory)
  return server(home, postgresPrograms(home.account, directory), SETTINGS, join(directory, 'survivor.log'))
}

/** Creates one more migrated database on the same server. @returns its URL */
export async function anotherDatabase({ url }: Victim, name: string): Promise<string> {
  await createTestDatabase(url, name)
  const own = databaseUrl(url, name)
  await migrate(own)
  return own
}

export async function migrated(victim: Victim): Promise<Victim> {
  await migrate(victim.url)
  return victim
}

const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_min_error_statement: 'panic',
}

async function server(home: ClusterHome, programs: string, settings: Settings, log: string): Promise<Victim> {
  const port = await freePort()
  const serverUrl = `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/`
  let postmaster: Postmaster = { pid: 0, port }

  const start = async (more: Settings = {}): Promise<void> => {
    const launch = { home, programs, settings: { ...settings, ...more }, log }
    for (let tries = 1; ; tries += 1)
      try {
        postmaster = await startPostmaster(launch, port)
        return
      } catch (error) {
        // Backends that outlived their postmaster need a moment to notice.
        if (tries === START_TRIES || !/shared memory|could not bind|lock file/.test(String(error))) throw error
        await pause(START_PAUSE_MS)
      }
  }

  const isRunning = () => stateOf(postmaster.pid) !== undefined
  const cleaned = leftover(() => isRunning() && killAll(postmaster.pid))
  await start()
  await ensureDatabase(serverUrl, DATABASE, home.pgdata)
  return {
    url: serverUrl + DATABASE,
    port,
    pgdata: home.pgdata,
    start,
    isRunning,
    async kill() {
      const all = killAll(postmaster.pid)
      while (all.some((pid) => stateOf(pid) !== undefined)) await pause(5)
    },
    signal(signal, whom = 'postmaster') {
      for (const pid of whom === 'all' ? [postmaster.pid, ...childrenOf(postmaster.pid)] : [postmaster.pid])
        send(pid, signal)
    },
    async stop() {
      cleaned()
      if (!isRunning()) return
      send(postmaster.pid, 'SIGQUIT')
      await stopPostmaster(postmaster)
    },
  }
}

function killAll(pid: number): number[] {
  const all = [pid, ...childrenOf(pid)]
  for (const each of all) send(each, 'SIGKILL')
  return all
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** State and parent of a process; undefined if it has ended or is a zombie. */
function stateOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const [state = '', parent = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return state === 'Z' || pid === 0 ? undefined : { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0 && stateOf(each)?.parent === pid)
