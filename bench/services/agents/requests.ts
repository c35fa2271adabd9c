/** What agents send. */
import { RUN_HEADER, SERVER_HEADER } from '../../../src/tasks/protocol.ts'
import { requestBytes } from '../load.ts'
import type { EnrolledServer } from './enrol.ts'

export const BEAT = {
  cpuPercent: 3.5,
  memoryBytes: 8_000_000_000,
  memoryUsedBytes: 2_000_000_000,
  diskBytes: 100_000_000_000,
  diskUsedBytes: 20_000_000_000,
  load: 0.1,
  containers: 3,
  engine: 'UP',
  plans: {},
}

export const agentHeaders = ({ serverId, token, run }: EnrolledServer): Record<string, string> => ({
  [SERVER_HEADER]: serverId,
  [RUN_HEADER]: run,
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

export const agentRequest = (agent: EnrolledServer, path: string, body: object): Buffer =>
  requestBytes('POST', `/api/agent/${path}`, agentHeaders(agent), JSON.stringify(body))

/** @param waitMs 0: it is answered at once */
export const pollOf = (waitMs: number, more: object = {}): object => ({
  waitMs,
  free: { build: 8, io: 4, quick: 8, exec: 10 },
  holding: [],
  ...more,
})
