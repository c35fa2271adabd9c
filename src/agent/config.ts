/** What the installation of an agent has written, readable by root alone. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { thumbprint } from '#kernel/credentials/jws'
import { AgentPublicKey } from '../tasks/sealed-box.ts'

/** Its name in the directory of an agent. */
export const AGENT_CONFIG = 'agent.json'

const AgentConfig = z.strictObject({
  panelUrl: z.url({ protocol: /^https?$/ }),
  serverId: z.uuid(),
  token: z.string(),
  boxKeys: z.strictObject({ publicKey: AgentPublicKey, privateKey: AgentPublicKey }),
  taskKeys: z.array(z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })).min(1),
  directory: z.string(),
})
export type AgentConfig = z.output<typeof AgentConfig>

/** @throws Error that says what is wrong with the file */
export async function readAgentConfig(path: string): Promise<AgentConfig> {
  const parsed = AgentConfig.safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (!parsed.success) throw new Error(`${path} is no configuration of an agent: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/**
 * Where the agent of this server keeps its journal, spool and plans. What another server, or another panel with its own
 * keys, has asked of this host is never acted on, and is found again if the host goes back to it.
 */
export const stateDirectory = ({
  directory,
  serverId,
  taskKeys,
}: Pick<AgentConfig, 'directory' | 'serverId' | 'taskKeys'>): string =>
  join(directory, 'servers', `${serverId}-${thumbprint(taskKeys[0]!)}`)
