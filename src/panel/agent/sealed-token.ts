import { sealBox, tokenSubject } from '../../tasks/sealed-box.ts'
import type { ServerOfAgent } from './servers-of-agents.ts'

/** A token for the agent alone: neither a proxy nor a log on its way reads it. */
export const sealedToken = ({ publicKey, serverId }: Pick<ServerOfAgent, 'publicKey' | 'serverId'>, token: string) =>
  sealBox(Buffer.from(token), publicKey, tokenSubject(serverId))
