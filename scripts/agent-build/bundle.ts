/** The agent as one script. */
import { join } from 'node:path'
import { build } from 'vite'
import type { Rolldown } from 'vite'

const SOURCE = join(import.meta.dirname, '..', '..', 'src')
const ENTRY = join(SOURCE, 'cli', 'agent-executable.ts')

/** CommonJS, because the single executables of Node 24 take nothing else. */
export async function agentScript(): Promise<string> {
  const { output } = (await build({
    root: SOURCE,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: ENTRY,
      write: false,
      target: 'node24',
      minify: false,
      rolldownOptions: { output: { format: 'cjs', codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput
  return output[0].code
}
