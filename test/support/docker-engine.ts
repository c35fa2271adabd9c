/** A container engine of the test file, without a network. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { claimSubnet } from './claim-subnet.ts'

const START_MS = 30_000

/** Why no engine can be started here; undefined: one can. */
export const noEngine: string | undefined =
  process.getuid?.() !== 0
    ? 'no root'
    : spawnSync('dockerd', ['--version']).status === 0
      ? undefined
      : 'no container engine is installed'

if (noEngine !== undefined) {
  if (process.env['CI']) throw new Error(`CI needs a container engine: ${noEngine}`)
  console.log(`SKIPPED: ${noEngine}`)
}

export interface TestEngine {
  readonly socketPath: string
  /** @throws Error unless the answer is 2xx */
  api(method: string, path: string, body?: object | Buffer): Promise<any>
  /** Ends it by SIGKILL. Its containers end when it starts again, unless they outlive it. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** One of the test's own, so that the engine neither uses nor removes another. */
function addBridge() {
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const { name, subnet } = claimSubnet((nth) => {
    const bridge = `daybook-213-${nth}`
    ip('link', 'add', bridge, 'type', 'bridge')
    return bridge
  })
  ip('address', 'add', `10.213.${subnet}.1/24`, 'dev', name)
  ip('link', 'set', name, 'up')
  return { name, remove: () => void ip('link', 'delete', name) }
}

/** What an engine that was killed has left. */
function unmountBelow(directory: string): void {
  const places = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? [])
  for (const place of places.filter((each) => each.startsWith(`${directory}/`)).toReversed())
    spawnSync('umount', ['--lazy', place])
}

function startContainerd([program, ...more]: readonly string[], directory: string) {
  const at = (name: string) => join(directory, `containerd-${name}`)
  const paths = ['--address', at('socket'), '--root', at('root'), '--state', at('state')]
  const running = spawn(program!, [...more, 'containerd', ...paths], { stdio: 'ignore' })
  const ended = once(running, 'exit')
  return {
    address: at('socket'),
    async end() {
      running.kill('SIGTERM')
      await ended
    },
  }
}

/** The id of an engine is a file of its host. */
const OTHER_HOST = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /etc/docker && exec "$@"', 'sh']

interface EngineOptions {
  /** Whether ports of its containers are reached at 127.0.0.1. */
  readonly publishes?: boolean
  /** Whether it keeps its networks apart, in a network namespace of its own. */
  readonly filters?: boolean
  /** Whether it is as that of another host: with an id of its own, and its files where services of a host see them. */
  readonly isOfOtherHost?: boolean
  /** Whether its containers go on when it ends. */
  readonly isOutlived?: boolean
  /** What runs a program in the network namespace of a host of its own, where the engine has its usual bridge. */
  readonly within?: readonly string[]
  /** Whether its layers are kept as on hosts, where that is possible. With vfs, a layer is done at the next whole second. */
  readonly overlays?: boolean
}

/** Not on a file system that is an overlay itself, such as that of a container. */
function canOverlay(directory: string): boolean {
  const [lower, upper, work, merged] = ['lower', 'upper', 'work', 'merged'].map((name) => join(directory, 'try', name))
  for (const each of [lower!, upper!, work!, merged!]) mkdirSync(each, { recursive: true })
  const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`
  const { status } = spawnSync('mount', ['-t', 'overlay', 'overlay', '-o', options, merged!])
  if (status === 0) spawnSync('umount', [merged!])
  return status === 0
}

export async function startEngine({
  publishes = false,
  filters = false,
  isOutlived = false,
  isOfOtherHost = false,
  within,
  overlays = false,
}: EngineOptions = {}): Promise<TestEngine> {
  const directory = await mkdtemp(join(isOfOtherHost ? '/var/lib' : tmpdir(), 'engine-'))
  const at = (name: string) => join(directory, name)
  const socketPath = at('docker.sock')
  const bridge = publishes ? addBridge() : undefined
  const paths = ['--data-root', at('data'), '--exec-root', at('exec'), '-H', `unix://${socketPath}`, '-p', at('pid')]
  // On a host, containerd outlives the engine.
  const containerd = within && startContainerd(within, directory)
  const own = containerd ? [`--containerd=${containerd.address}`] : [`--bridge=${bridge?.name ?? 'none'}`]
  const settings = [
    ...own,
    `--storage-driver=${overlays && canOverlay(directory) ? 'overlay2' : 'vfs'}`,
    `--iptables=${filters}`,
    `--ip-masq=${filters}`,
    `--live-restore=${isOutlived}`,
  ]
  // Without a bridge, an engine removes the one of the host: it gets a network namespace of its own.
  const place = within ?? (publishes ? [] : ['unshare', '--net'])
  const [program, ...more] = [...place, ...(isOfOtherHost ? OTHER_HOST : []), 'dockerd']
  let engine: ChildProcess
  let ended: Promise<unknown>

  async function api(method: string, path: string, body?: object | Buffer): Promise<any> {
    const isBytes = Buffer.isBuffer(body)
    const headers = { 'Content-Type': isBytes ? 'application/x-tar' : 'application/json' }
    const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      request({ socketPath, method, path: `/v1.41${path}`, headers, agent: false })
        .on('response', resolve)
        .on('error', reject)
        .end(body && (isBytes ? body : JSON.stringify(body)))
    })
    if (response.statusCode! >= 300)
      throw new Error(`${method} ${path}: ${response.statusCode} ${await text(response)}`)
    return response.headers['content-type']?.startsWith('application/json') ? json(response) : text(response)
  }

  async function start(): Promise<void> {
    engine = spawn(program, [...more, ...paths, ...settings], { stdio: 'ignore' })
    ended = once(engine, 'exit')
    const untilMs = performance.now() + START_MS
    while (!(await api('GET', '/_ping').catch(() => undefined))) {
      if (performance.now() > untilMs || engine.exitCode !== null) throw new Error('The container engine did not start')
      await pause(50)
    }
  }

  /** It dies with the engine, and one that is not quite dead yet is taken for one that serves. */
  async function untilContainerdEnds(): Promise<void> {
    const pidFile = at('exec/containerd/containerd.pid')
    const pid = await readFile(pidFile, 'utf8').catch(() => undefined)
    if (pid === undefined) return
    const isRunning = async () => /\nState:\s[^ZX]/.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))
    while (await isRunning()) await pause(10)
    await rm(pidFile, { force: true })
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    engine.kill(signal)
    await ended
  }

  await start()
  return {
    socketPath,
    api,
    start,
    async kill() {
      await end('SIGKILL')
      await untilContainerdEnds()
    },
    async stop() {
      if (bridge ?? within) {
        for (const { Id } of await api('GET', '/containers/json?all=true'))
          await api('DELETE', `/containers/${Id}?force=true`)
        await api('POST', '/networks/prune')
      }
      await end('SIGTERM')
      await containerd?.end()
      bridge?.remove()
      unmountBelow(directory)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** An archive with `sleep` of this host and what it is linked to. */
export function sleepTar(): Buffer {
  const linked = spawnSync('ldd', ['/bin/sleep'], { encoding: 'utf8' }).stdout
  const libraries = [...linked.matchAll(/(\/\S+) \(/g)].map(([, path]) => path!)
  return spawnSync('tar', ['-chP', '--transform', 's,^/,,', '/bin/sleep', ...libraries], { maxBuffer: 64 * 1_024 ** 2 })
    .stdout
}

/** An archive without a file: what is made of it cannot run, and needs no image hub. */
export const EMPTY_TAR = Buffer.alloc(1_024)
