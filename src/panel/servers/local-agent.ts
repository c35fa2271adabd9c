/** The process that may start an agent on the panel's own host: a port, which the program provides. */
import { serviceKey } from '#kernel/lib/services'

export interface LocalAgentStarter {
  /** An agent that runs goes on. @returns what is missing on the host; undefined: it runs */
  start(): Promise<{ readonly message: string; readonly remedy: string } | undefined>
}

/** Without one, an administrator of the host starts the agent. */
export const localAgentStarter = serviceKey<LocalAgentStarter | undefined>('starter of the local agent', undefined)
