/** The agent as one script. */
import { join } from 'node:path'
import { build } from 'vite'
import type { Rolldown } from 'vite'
import { noticesOf } from '../../src/web/build/notices.ts'

const SOURCE = join(import.meta.dirname, '..', '..', 'src')
const ENTRY = join(SOURCE, 'cli', 'agent-executable.ts')

export interface AgentScript {
  readonly code: string
  /** The licenses of the packages whose code it contains. */
  readonly notices: string
}

/** CommonJS, because the single executables of Node 24 take nothing else. */
export async function agentScript(): Promise<AgentScript> {
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
  const [{ code, moduleIds }] = output
  return { code, notices: await noticesOf(moduleIds) }
}
