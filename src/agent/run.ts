/** Runs an agent as a process: until it is told to stop, or another process takes its place. */
import { startAgent } from './agent.ts'
import type { AgentDependencies } from './agent.ts'
import { readAgentConfig } from './config.ts'

/** Restarting would not help: another process is the agent of this server (sysexits, EX_TEMPFAIL). */
const SUPERSEDED = 75

/** @returns the exit code */
export async function runAgent(
  configPath: string,
  parts: Pick<AgentDependencies, 'performers' | 'askers' | 'followers' | 'planners' | 'beat' | 'isReady' | 'backOff'>,
): Promise<number> {
  const config = await readAgentConfig(configPath)
  const log = (message: string, error?: unknown): void => {
    const why = error === undefined ? '' : `: ${error instanceof Error ? error.message : 'no reason given'}`
    process.stderr.write(`${message}${why}\n`)
  }
  const agent = await startAgent({ ...config, ...parts, log })
  process.stdout.write(`The agent of server ${config.serverId} has started\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void agent.stop())
  return (await agent.ended) === 'SUPERSEDED' ? SUPERSEDED : 0
}
