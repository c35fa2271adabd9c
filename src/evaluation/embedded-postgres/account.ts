/** Postgres refuses to run as root. If Daybook runs as root, Postgres runs as the system user `postgres`. */
import { spawnSync } from 'node:child_process'

export interface SystemAccount {
  readonly uid: number
  readonly gid: number
}

const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * The account of the server if this process runs as root; otherwise undefined, and the server runs as
 * the same user. A missing system user is created.
 * @throws Error with advice if that fails
 */
export function serverAccount(name = 'postgres'): SystemAccount | undefined {
  if (process.getuid?.() !== 0) return undefined
  const account = lookUp(name) ?? create(name)
  if (account) return account
  throw new Error(
    `Postgres refuses to run as root, the system has no user "${name}", and it could not be created. ` +
      `Create it (groupadd --system ${name} && useradd --system --gid ${name} --no-create-home ${name}) or start Daybook as an ordinary user.`,
  )
}

function lookUp(name: string): SystemAccount | undefined {
  const [uid, gid] = [number('id', '-u', name), number('id', '-g', name)]
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

function create(name: string): SystemAccount | undefined {
  run('groupadd', '--system', name)
  run('useradd', '--system', '--gid', name, '--no-create-home', '--shell', '/usr/sbin/nologin', name)
  return lookUp(name)
}

function number(command: string, ...args: string[]): number | undefined {
  const { status, stdout } = run(command, ...args)
  return status === 0 && /^\d+\s*$/.test(stdout) ? Number(stdout) : undefined
}

/**
 * Tests access by running a command as that account: modes, ACLs and mount options decide together, and
 * only the kernel evaluates all of them.
 */
export function canRunScript(account: SystemAccount | undefined, script: string, path: string): boolean {
  if (!account) return true
  // Without this process's environment: it contains the secret key, and the server's account could read
  // it.
  const options = { ...account, cwd: '/', stdio: 'ignore', env: { PATH: SYSTEM_PATH } } as const
  return spawnSync('/bin/sh', ['-c', script, 'sh', path], options).status === 0
}

function run(command: string, ...args: string[]) {
  return spawnSync(command, args, { encoding: 'utf8', env: { PATH: SYSTEM_PATH } })
}
