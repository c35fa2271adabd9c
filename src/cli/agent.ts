/** `daybook agent`: makes this host a server of a panel, and runs what the panel asks of it. */
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import packageJson from '../../package.json' with { type: 'json' }
import { runAgentProgram } from '../agent/main.ts'
import { dockerHost, proxyHttpPort } from '../config/agent.ts'
import { untilStopped } from './until-stopped.ts'

/** @returns the exit code @throws Error for the user */
export async function agent([directory, panelUrl]: readonly string[]): Promise<number> {
  if (directory === undefined) throw new Error('Name the directory of the agent: daybook agent DIR [PANEL_URL]')
  const stop = new AbortController()
  void untilStopped().then(() => stop.abort())
  const code = await runAgentProgram({
    version: packageJson.version,
    directory: resolve(directory),
    panelUrl: panelUrl?.replace(/\/+$/, ''),
    // No list of arguments and no environment has the token.
    installToken: async () => (await text(process.stdin)).trim(),
    dockerHost: dockerHost(process.env),
    proxyHttpPort: proxyHttpPort(process.env),
    signal: stop.signal,
    say: (message) => console.error(message),
  })
  return code
}
