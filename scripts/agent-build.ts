/**
 * `npm run agent:build [DIR] [KEY]`: builds the executables of the agent with a signed release file, for PANEL_AGENT_DIR.
 * KEY is the file of the private release key, which is made if it is missing. What it has signed may replace agents, so
 * keep it where no panel can read it.
 */
import { join, resolve } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { AGENT_ARCHITECTURES } from '../src/tasks/agent-release.ts'
import { releaseKeyIn } from './agent-build/release-key.ts'
import { buildRelease } from './agent-build/release.ts'

const DEFAULT = join(import.meta.dirname, '..', '.daybook')

const [directory = join(DEFAULT, 'agent-release'), keyFile = join(DEFAULT, 'agent-release-key.json')] =
  process.argv.slice(2)
const key = await releaseKeyIn(resolve(keyFile))
if (key.isNew) console.log(`Made the release key ${resolve(keyFile)}: keep it where no panel can read it`)
const { executables } = await buildRelease({
  directory: resolve(directory),
  version: packageJson.version,
  key: key.jwk,
  say: (line) => console.log(line),
})
const built = AGENT_ARCHITECTURES.filter((arch) => executables[arch])
console.log(`Agent ${packageJson.version} for ${built.join(' and ')} is in ${resolve(directory)}`)
