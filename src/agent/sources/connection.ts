/** How git reaches a server of repositories: only at the address that was checked, and with the login of the task. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import type { OutboundPolicy } from '#kernel/outbound/checked-connect'
import type { FetchSecrets } from '../../tasks/builds.ts'
import { TaskFailure } from '../performer.ts'
import { checkedHost } from './checked-host.ts'
import { startForwardProxy } from './forward-proxy.ts'
import type { GitAddress } from './git-address.ts'
import type { GitOptions } from './git-program.ts'
import { sshLogin } from './ssh-login.ts'

export interface GitConnection {
  readonly address: GitAddress
  readonly options: Pick<GitOptions, 'config' | 'env'>
  isUnreached(): boolean
  /** That an SSH server has shown. */
  hostKey(): Promise<string | null>
  close(): Promise<void>
}

interface Asked {
  readonly address: GitAddress
  readonly secrets: FetchSecrets
  /** For the certificates. */
  readonly directory: string
  /** For files of the login, which are removed again. */
  readonly login: string
  readonly by: Reach
}

export interface Reach {
  /** Looks up names. */
  readonly resolve?: OutboundPolicy['resolve']
  /** Certificates of the operator's own authorities, in PEM. */
  readonly roots: readonly string[]
}

/** @throws TaskFailure ADDRESS_REFUSED · UNREACHABLE · LOGIN_REFUSED · NO_PROGRAM */
export async function gitConnection({ address, secrets, directory, login, by }: Asked): Promise<GitConnection> {
  const ip = await checkedHost(address, { allow: secrets.allow, ...(by.resolve && { resolve: by.resolve }) })
  return address.protocol === 'ssh'
    ? bySsh(address, ip, secrets.login, login)
    : byHttp(address, ip, secrets.login, await rootsFile(directory, by.roots))
}

/** Without roots of its own, git uses those of the host. */
async function rootsFile(directory: string, roots: readonly string[]): Promise<string | undefined> {
  if (roots.length === 0) return undefined
  const path = join(directory, 'roots.pem')
  await writeFile(path, [...getCACertificates('system'), ...roots].join('\n'))
  return path
}

async function byHttp(
  address: GitAddress,
  ip: string,
  login: FetchSecrets['login'],
  roots: string | undefined,
): Promise<GitConnection> {
  const proxy = await startForwardProxy(address, ip)
  const config: (readonly [name: string, value: string])[] = [['http.proxy', proxy.url]]
  if (roots !== undefined) config.push(['http.sslCAInfo', roots])
  if (login.kind === 'PASSWORD') {
    const both = Buffer.from(`${login.username}:${login.password}`).toString('base64')
    config.push([`http.${address.origin}.extraHeader`, `Authorization: Basic ${both}`])
  }
  return {
    address,
    options: { config, env: { GIT_ALLOW_PROTOCOL: address.protocol } },
    isUnreached: proxy.isUnreached,
    hostKey: async () => null,
    close: async () => proxy.close(),
  }
}

async function bySsh(
  address: GitAddress,
  ip: string,
  login: FetchSecrets['login'],
  directory: string,
): Promise<GitConnection> {
  if (login.kind !== 'KEY')
    throw new TaskFailure('LOGIN_REFUSED', 'Repositories are fetched by ssh:// with a key: choose a key as login')
  const ssh = await sshLogin(directory, address, ip, login)
  return {
    address,
    options: { env: { GIT_ALLOW_PROTOCOL: 'ssh', ...ssh.env } },
    isUnreached: () => false,
    hostKey: ssh.hostKey,
    close: ssh.remove,
  }
}
