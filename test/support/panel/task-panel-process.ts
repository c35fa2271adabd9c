/** A panel with agents as a process: `SETTINGS`, as JSON. It prints `listening` when it is. */
import { logger } from '#kernel/logging/log'
import type { ServerOfAgent } from '#panel/agent/servers-of-agents'
import { handServers, openTaskPanel } from './task-panel.ts'

export interface TaskPanelSettings {
  readonly databaseUrl: string
  readonly eventStoreUrl: string | undefined
  /** Hex. */
  readonly secretKey: string
  readonly port: number
  readonly host: string
  readonly server: ServerOfAgent
}

const { secretKey, port, host, server, ...given }: TaskPanelSettings = JSON.parse(process.argv[2]!)
const servers = handServers()
servers.known.set(server.serverId, server)
const settings = {
  ...given,
  secretKey: Buffer.from(secretKey, 'hex'),
  baseUrl: 'http://panel.test',
  trustedProxies: { ranges: [], hops: 1 },
  authFailuresPerMinute: 1_000,
  metricsAllow: [],
}
const panel = await openTaskPanel(servers)(settings, logger({ level: 'error', destination: process.stderr }))
await panel.listen(port, host)
console.log('listening')
