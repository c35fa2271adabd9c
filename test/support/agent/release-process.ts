/** What an executable of a test runs: `VERSION KEY HOW PATH …`, the agent from its source, or a broken one. */
import { publicKeyOf } from '#kernel/credentials/jws'
import { agentProgram } from '../../../src/cli/agent-program.ts'

const [version = '', x = '', how = '', path = '', ...args] = process.argv.slice(2)
if (args[0] === how) process.exit(1)
// The panel cannot be reached.
if (how === 'deaf') globalThis.fetch = () => Promise.reject(new Error('No network'))
const releaseKey = publicKeyOf({ kty: 'OKP', crv: 'Ed25519', x })
process.exitCode = await agentProgram(args, { version, releaseKey, path, trialMs: 2_000, notices: () => '' }).catch(
  (error: Error) => {
    console.error(error.message)
    return 1
  },
)
