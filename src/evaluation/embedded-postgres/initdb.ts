/**
 * Creates a cluster. It gets its final name only when it is complete, so that an interrupted run can be
 * repeated.
 */
import { spawn } from 'node:child_process'
import {
  chownSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { SystemAccount } from './account.ts'
import type { ClusterHome } from './home.ts'

const UNFINISHED = 'postgres.unfinished-'
/** The programs of a start that was killed may still make files for a moment. */
const STILL_WRITTEN = { maxRetries: 10, retryDelay: 100 }

export interface InitdbOptions {
  readonly programs: string
  readonly user: string
  readonly password: string
  readonly durable: boolean
}

/** Does nothing if the cluster exists. Only the holder of the start lock may call it. */
export async function ensureCluster(home: ClusterHome, init: InitdbOptions): Promise<void> {
  clearUnfinished(home.directory)
  if (existsSync(home.pgdata)) return
  const scratch = join(home.directory, `${UNFINISHED}${process.pid}`)
  try {
    await initdb(scratch, home.account, init)
    renameSync(join(scratch, 'pgdata'), home.pgdata)
    syncDirectory(home.directory)
  } finally {
    // Again: the programs of a start that was killed have made files while the first time removed them.
    clearUnfinished(home.directory)
  }
}

function clearUnfinished(directory: string): void {
  for (const name of readdirSync(directory).filter((each) => each.startsWith(UNFINISHED)))
    rmSync(join(directory, name), { recursive: true, force: true, ...STILL_WRITTEN })
}

/**
 * The builtin provider sorts and folds case in the same way on every system, independent of installed
 * locales.
 */
async function initdb(scratch: string, account: SystemAccount | undefined, init: InitdbOptions): Promise<void> {
  const passwordFile = join(scratch, 'password')
  mkdirSync(scratch, { mode: 0o700 })
  writeFileSync(passwordFile, `${init.password}\n`, { mode: 0o600 })
  if (account) for (const path of [scratch, passwordFile]) chownSync(path, account.uid, account.gid)
  await run(join(init.programs, 'bin', 'initdb'), account, [
    `--pgdata=${join(scratch, 'pgdata')}`,
    `--username=${init.user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(init.durable ? [] : ['--no-sync']),
  ])
}

function run(program: string, account: SystemAccount | undefined, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...account,
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.on('error', reject)
    child.on('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`initdb failed (${signal ?? `exit code ${code}`}): ${said.trim()}`)),
    )
  })
}

/**
 * A clean environment: the one of this process contains secrets, and PG* variables would redirect the
 * server.
 */
export function serverEnvironment(): Record<string, string> {
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
