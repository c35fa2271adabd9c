/** The process of the agent's executable. `npm run agent:build` puts the version and the key into it. */
import './disable-inspector.ts'
import { getAsset } from 'node:sea'
import { publicKeyOf } from '#kernel/credentials/jws'
import type { Ed25519Jwk } from '#kernel/credentials/jws'
import { agentProgram } from './agent-program.ts'

interface BuiltIn {
  readonly version: string
  readonly releaseKey: Ed25519Jwk
}

/** Also in scripts/agent-build/release.ts. */
const [BUILT_IN, NOTICES] = ['release', 'notices']

async function main(): Promise<number> {
  const { version, releaseKey } = JSON.parse(getAsset(BUILT_IN, 'utf8')) as BuiltIn
  return agentProgram(process.argv.slice(2), {
    version,
    releaseKey: publicKeyOf(releaseKey),
    path: process.execPath,
    notices: () => getAsset(NOTICES, 'utf8'),
  })
}

// A module of an executable is a script, which has no top-level await.
main().then(
  (code) => void (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  },
)
