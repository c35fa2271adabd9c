/**
 * How git signs in by SSH. Its program is the file of its settings: the first line names ssh as the interpreter, and ssh
 * reads that line as a comment. So git starts ssh with these settings and without a shell.
 */
import { access, constants, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FetchSecrets } from '../../tasks/builds.ts'
import { TaskFailure } from '../performer.ts'
import { writeSecretFile } from '../secret-file.ts'
import type { GitAddress } from './git-address.ts'
import { PATH } from './git-program.ts'

/** The name of the server in its file of known hosts: the key belongs to the repository's address, and to no name. */
const ALIAS = 'repository'
const HOST_KEY = /^[a-z0-9@.-]{1,60} [A-Za-z0-9+/]{1,1900}={0,2}$/
const OWNER_ONLY = 0o700

type KeyLogin = Extract<FetchSecrets['login'], { kind: 'KEY' }>

export interface SshLogin {
  readonly env: Readonly<Record<string, string>>
  /** A line of known_hosts without its name. Null: the server has shown none yet. */
  hostKey(): Promise<string | null>
  /** Nothing of the key stays on the disk. */
  remove(): Promise<void>
}

/**
 * @param directory made, and removed again
 * @param address that was checked
 * @throws TaskFailure NO_PROGRAM · HOST_KEY_CHANGED
 */
export async function sshLogin(
  directory: string,
  { port }: GitAddress,
  address: string,
  { privateKey, hostKey }: KeyLogin,
): Promise<SshLogin> {
  const at = (name: string) => join(directory, name)
  if (hostKey !== null && !HOST_KEY.test(hostKey))
    throw new TaskFailure('HOST_KEY_CHANGED', 'The pinned host key is no line of known_hosts without its name')
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY })
  await writeSecretFile(at('key'), privateKey.endsWith('\n') ? privateKey : `${privateKey}\n`)
  await writeFile(at('known'), hostKey === null ? '' : `${ALIAS} ${hostKey}\n`)
  const settings = settingsOf({ address, port, isPinned: hostKey !== null, key: at('key'), known: at('known') })
  await writeFile(at('ssh'), `#!${await programPath('ssh')} -F\n${settings}\n`, { mode: OWNER_ONLY })
  return {
    env: { GIT_SSH: at('ssh'), GIT_SSH_VARIANT: 'ssh' },
    async hostKey() {
      const [, seen] = /^\S+ (\S+ \S+)$/m.exec(await readFile(at('known'), 'utf8')) ?? []
      return seen ?? null
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

interface Settings {
  readonly address: string
  readonly port: number
  readonly isPinned: boolean
  readonly key: string
  readonly known: string
}

const settingsOf = ({ address, port, isPinned, key, known }: Settings): string =>
  [
    'Host *',
    `HostName ${address}`,
    `Port ${port}`,
    `HostKeyAlias ${ALIAS}`,
    `StrictHostKeyChecking ${isPinned ? 'yes' : 'accept-new'}`,
    `UserKnownHostsFile "${known}"`,
    'GlobalKnownHostsFile /dev/null',
    'HashKnownHosts no',
    'UpdateHostKeys no',
    'CheckHostIP no',
    `IdentityFile "${key}"`,
    'IdentitiesOnly yes',
    'IdentityAgent none',
    'PreferredAuthentications publickey',
    'BatchMode yes',
    'ClearAllForwardings yes',
    'ForwardAgent no',
    'PermitLocalCommand no',
    'ControlMaster no',
    'ControlPath none',
    'ProxyCommand none',
    'CanonicalizeHostname no',
    'ConnectTimeout 20',
    'ServerAliveInterval 15',
    'ServerAliveCountMax 4',
    'LogLevel ERROR',
  ].join('\n')

/** Interpreters of files have absolute paths. */
async function programPath(name: string): Promise<string> {
  for (const directory of PATH.split(':')) {
    const path = join(directory, name)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  throw new TaskFailure('NO_PROGRAM', `${name} is not installed on the host`)
}
