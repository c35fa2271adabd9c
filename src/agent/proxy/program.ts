/** HAProxy as a program of the host: it runs on when the agent ends, and the next agent finds it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, open, readFile, readlink, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { TaskFailure } from '../performer.ts'
import { runProgram } from '../run-program.ts'
import { isService, startService, SYSTEM } from './unit.ts'

const PLACES = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin']
const START_MS = 20_000
const CHECK_MS = 20_000
const ACCOUNT = 'haproxy'

export interface ProxyFiles {
  readonly config: string
  readonly pid: string
  readonly masterSocket: string
  readonly log: string
}

export const filesIn = (directory: string): ProxyFiles => ({
  config: join(directory, 'haproxy.cfg'),
  pid: join(directory, 'haproxy.pid'),
  masterSocket: join(directory, 'master.sock'),
  log: join(directory, 'haproxy.log'),
})

/** @throws TaskFailure NO_PROXY */
async function programPath(places = PLACES): Promise<string> {
  for (const place of places) {
    const path = join(place, 'haproxy')
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  throw new TaskFailure('NO_PROXY', 'The host has no HAProxy: install it (apt-get install haproxy), and deploy again')
}

async function said(
  args: readonly string[],
  ms: number,
  places = PLACES,
): Promise<{ code: number | null; text: string }> {
  let text = ''
  const write = async (_of: 'OUT' | 'ERR', piece: string) => void (text += piece)
  const code = await runProgram(
    { command: await programPath(places), args },
    { signal: AbortSignal.timeout(ms), write },
  )
  return { code, text }
}

/** Of the file that was asked last: it is started again only when another one is there. */
let known: { readonly file: string; readonly version: string } | undefined

/** @param places directories @returns null: it is not installed, or tells no version */
export async function proxyVersion(places = PLACES): Promise<string | null> {
  try {
    const { ino, size, mtimeMs } = await stat(await programPath(places))
    const file = `${ino}/${size}/${mtimeMs}`
    if (known?.file === file) return known.version
    const { text } = await said(['-v'], CHECK_MS, places)
    const version = text.match(/version (\S{1,40})/)?.[1] ?? null
    // One that was killed before it has told its version is asked again.
    if (version !== null) known = { file, version }
    return version
  } catch {
    return null
  }
}

/** @returns what HAProxy refuses; undefined if it takes the file @throws TaskFailure NO_PROXY */
export async function refusalOf(config: string): Promise<string | undefined> {
  const { code, text } = await said(['-c', '-f', config], CHECK_MS)
  return code === 0 ? undefined : text
}

/** The account that its package makes: workers need no rights of root. */
export async function accountOfProxy(): Promise<string | null> {
  if (process.getuid?.() !== 0) return null
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return accounts.split('\n').some((line) => line.startsWith(`${ACCOUNT}:`)) ? ACCOUNT : null
}

/** The master that runs by this configuration. Its number may belong to another program by now. */
export async function runningMaster({ config, pid: pidFile }: ProxyFiles): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await readFile(pidFile, 'utf8'), 10)
    if (!(pid > 1)) return undefined
    const program = basename((await readlink(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, ''))
    const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    return program === 'haproxy' && args.includes(config) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Resolves when it serves. @throws TaskFailure NO_PROXY · PROXY_DOWN */
export async function startMaster(files: ProxyFiles, places = SYSTEM): Promise<void> {
  await ((await isService(files.config, places)) ? startService(places) : startDetached(files))
}

async function startDetached({ config, pid, masterSocket, log }: ProxyFiles): Promise<void> {
  const output = await open(log, 'w', 0o600)
  try {
    const args = ['-W', '-D', '-p', pid, '-S', `${masterSocket},mode,600`, '-f', config]
    const stdio = ['ignore', output.fd, output.fd] as const
    const starting = spawn(await programPath(), args, { cwd: '/', env: {}, detached: true, stdio: [...stdio] })
    // The program goes into the background once its ports are open.
    const [code] = (await once(starting, 'exit', { signal: AbortSignal.timeout(START_MS) })) as [number | null]
    if (code === 0) return
  } finally {
    await output.close()
  }
  throw new TaskFailure('PROXY_DOWN', `The proxy of the host does not start: look at ${log}`)
}
