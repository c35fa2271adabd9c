/** Repositories of a test, served as a provider of git does: by HTTP with a login, or by SSH with a key. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.ts'

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false']

/** A repository with one branch, made of what tests write. */
export function repositoryIn(directory: string) {
  mkdirSync(directory, { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', directory, ...AUTHOR, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  git('init', '--quiet', '--initial-branch=main')
  return {
    git,
    directory,
    write(files: Readonly<Record<string, string>>) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true })
        writeFileSync(join(directory, path), text)
      }
    },
    /** @returns the tree of the entries in a file, as `ls-tree` shows them */
    mktree: (file: string): string =>
      execFileSync('git', ['-C', directory, 'mktree'], { encoding: 'utf8', input: readFileSync(file) }).trim(),
    /** @returns the commit */
    commit(subject: string): string {
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--message', subject)
      return git('rev-parse', 'HEAD')
    },
  }
}

interface HttpOptions {
  /** Default: a free one. */
  readonly port?: number
  readonly tls?: { readonly key: Buffer; readonly cert: Buffer }
  readonly login?: { readonly username: string; readonly password: string }
  /** Answers in place of git. @returns whether it has answered */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>
}

/** @param root of the repositories, each with its name */
export async function serveGit(root: string, { port: asked = 0, login, before, tls }: HttpOptions = {}) {
  const wanted = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
  const seen: string[] = []
  const heard: RequestListener = async (request, response) => {
    seen.push(`${request.method} ${request.url}`)
    if (await before?.(request, response)) return
    if (wanted === undefined || request.headers.authorization === wanted) await answerByCgi(root, request, response)
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
  }
  const server = tls ? createSecureServer(tls, heard) : createServer(heard)
  await once(server.listen(asked, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    seen,
    url: (name: string) => `${tls ? 'https' : 'http'}://127.0.0.1:${port}/${name}`,
    close: () => server.close().closeAllConnections(),
  }
}

/** Source: RFC 3875. */
async function answerByCgi(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url!, 'http://git')
  const encoding = request.headers['content-encoding']
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      REQUEST_METHOD: request.method!,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      GIT_PROTOCOL: (request.headers['git-protocol'] as string | undefined) ?? '',
      REMOTE_ADDR: '127.0.0.1',
      ...(encoding !== undefined && { HTTP_CONTENT_ENCODING: encoding }),
    },
  })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  let head = Buffer.alloc(0)
  for await (const piece of child.stdout as AsyncIterable<Buffer>) {
    if (response.headersSent) {
      response.write(piece)
      continue
    }
    head = Buffer.concat([head, piece])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) continue
    const fields = head
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string])
    const { Status = '200', ...headers } = Object.fromEntries(fields)
    response.writeHead(Number.parseInt(Status), headers)
    response.write(head.subarray(end + 4))
  }
  response.end()
}

const SSHD = '/usr/sbin/sshd'

/** Why no server of SSH can be started here; undefined: one can. */
export const noSshd: string | undefined =
  process.getuid?.() !== 0 ? 'no root' : existsSync(SSHD) ? undefined : 'no OpenSSH server is installed'

/** An OpenSSH server of the test, where root signs in with the key `user`. Paths of repositories are absolute. */
export async function serveSsh(directory: string) {
  mkdirSync(directory, { recursive: true })
  const at = (name: string) => join(directory, name)
  const makeKey = (name: string) =>
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', at(name)])
  for (const name of ['host', 'user']) makeKey(name)
  const port = await freePort()
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${at('host')}`,
    `AuthorizedKeysFile ${at('user.pub')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'PermitRootLogin prohibit-password',
    `PidFile ${at('pid')}`,
    'AcceptEnv GIT_PROTOCOL',
  ]
  writeFileSync(at('config'), settings.join('\n'))
  mkdirSync('/run/sshd', { recursive: true })
  const running = spawn(SSHD, ['-D', '-e', '-f', at('config')], { stdio: 'ignore' })
  const untilMs = performance.now() + 10_000
  while (!(await isOpen(port))) if (performance.now() > untilMs) throw new Error('sshd did not start')
  return { port, at, makeKey, stop: () => running.kill('SIGTERM') }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
