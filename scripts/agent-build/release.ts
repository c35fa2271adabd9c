/** Makes single executables of Node and the script of the agent (Node's documentation, "Single executable applications"). */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { inject } from 'postject'
import { privateKeyOf } from '#kernel/credentials/jws'
import type { Ed25519PrivateJwk } from '#kernel/credentials/jws'
import { makeDirectory } from '#kernel/lib/directories'
import { AGENT_ARCHITECTURES, AgentRelease, RELEASE_FILE, signExecutable } from '../../src/tasks/agent-release.ts'
import type { AgentArchitecture } from '../../src/tasks/agent-release.ts'
import { agentScript } from './bundle.ts'
import { nodeLicense, nodeProgramFor, refuseOtherNode } from './node-program.ts'

const run = promisify(execFile)
const compress = promisify(gzip)
const READABLE_DIRECTORY = 0o755
const EXECUTABLE = 0o755
const BLOB = 'NODE_SEA_BLOB'
/** Of Node itself: it marks an executable that holds a blob. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
/** The assets that src/cli/agent-executable.ts reads. */
const [BUILT_IN, NOTICES] = ['release', 'notices']

export interface ReleaseBuild {
  /** The release of before is replaced at the end, in one step. */
  readonly directory: string
  readonly version: string
  readonly key: Ed25519PrivateJwk
  /** Default: all. */
  readonly architectures?: readonly AgentArchitecture[]
  say(line: string): void
}

export async function buildRelease(parts: ReleaseBuild): Promise<AgentRelease> {
  const { directory, version, key, architectures = AGENT_ARCHITECTURES, say } = parts
  refuseOtherNode()
  await makeDirectory(directory, READABLE_DIRECTORY)
  const scratch = await mkdtemp(join(tmpdir(), 'daybook-agent-'))
  try {
    const blob = await blobOf({ version, key }, scratch)
    const executables: AgentRelease['executables'] = {}
    for (const arch of architectures) {
      say(`Building the agent for ${arch} …`)
      const bytes = await compress(await executableFor(arch, blob, scratch), { level: constants.Z_DEFAULT_COMPRESSION })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const file = `daybook-agent-${version}-${arch}-${sha256.slice(0, 16)}.gz`.toLowerCase()
      await writeFile(join(directory, file), bytes)
      const signature = signExecutable({ version, arch, sha256 }, privateKeyOf(key))
      executables[arch] = { file, bytes: bytes.length, sha256, signature }
    }
    const release = AgentRelease.parse({ version, executables })
    await publish(directory, release)
    return release
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** What Node runs: made by this Node, and the same for each architecture. */
async function blobOf({ version, key }: Pick<ReleaseBuild, 'version' | 'key'>, scratch: string): Promise<Buffer> {
  const path = (name: string) => join(scratch, name)
  const { kty, crv, x } = key
  const { code, notices } = await agentScript()
  await writeFile(path('agent.cjs'), code)
  await writeFile(path('notices'), `${notices}\n== Node.js\n\n${await nodeLicense()}`)
  await writeFile(path('built-in.json'), JSON.stringify({ version, releaseKey: { kty, crv, x } }))
  const config = {
    main: path('agent.cjs'),
    output: path('blob'),
    disableExperimentalSEAWarning: true,
    // A code cache is for one architecture.
    useCodeCache: false,
    execArgv: ['--max-old-space-size=128', '--disable-sigusr1'],
    // NODE_OPTIONS could load other code into the agent.
    execArgvExtension: 'none',
    assets: { [BUILT_IN]: path('built-in.json'), [NOTICES]: path('notices') },
  }
  await writeFile(path('sea.json'), JSON.stringify(config))
  await run(process.execPath, ['--experimental-sea-config', path('sea.json')])
  return readFile(config.output)
}

async function executableFor(arch: AgentArchitecture, blob: Buffer, scratch: string): Promise<Buffer> {
  const path = join(scratch, arch)
  await copyFile(await nodeProgramFor(arch, scratch), path)
  await chmod(path, EXECUTABLE)
  await inject(path, BLOB, blob, { sentinelFuse: FUSE })
  return readFile(path)
}

/** A panel reads the release file at each download. */
async function publish(directory: string, release: AgentRelease): Promise<void> {
  const path = join(directory, RELEASE_FILE)
  await writeFile(`${path}.new`, `${JSON.stringify(release, undefined, 2)}\n`)
  await rename(`${path}.new`, path)
  const current = Object.values(release.executables).map(({ file }) => file)
  const isOld = (name: string) => name.endsWith('.gz') && !current.includes(name)
  for (const name of (await readdir(directory)).filter(isOld)) await rm(join(directory, name))
}
