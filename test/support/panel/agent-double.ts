/** Speaks as an agent does, one request at a time. */
import { randomUUID } from 'node:crypto'
import { publicKeyOf, thumbprint } from '#kernel/credentials/jws'
import type { Ed25519Jwk } from '#kernel/credentials/jws'
import { openEnvelope } from '../../../src/tasks/envelope.ts'
import type { ReadTask } from '../../../src/tasks/envelope.ts'
import { kindsByName } from '../../../src/tasks/kind.ts'
import type { TaskKind } from '../../../src/tasks/kind.ts'
import { planApply } from '../../../src/tasks/plan.ts'
import { POOL_SIZES } from '../../../src/tasks/pools.ts'
import type { PollBody } from '../../../src/tasks/protocol.ts'
import { TEST_KINDS } from '../agent/kinds.ts'
import type { Reply } from '../serve.ts'
import type { TestServer } from './task-panel.ts'

type Call = (
  method: string,
  path: string,
  ask?: { as?: string; body?: unknown; headers?: Record<string, string> },
) => Promise<Reply>

export interface Handed {
  readonly tasks: ReadTask[]
  readonly cancel: string[]
  readonly drop: string[]
}

export function agentDouble(call: Call, server: TestServer, keyOf: () => Promise<Ed25519Jwk>, run = randomUUID()) {
  const headers = { 'daybook-server': server.serverId, 'daybook-run': run }
  const post = (path: string, body: unknown) => call('POST', `/api/agent/${path}`, { as: server.token, headers, body })

  async function opened(text: string): Promise<ReadTask> {
    const jwk = await keyOf()
    const read = openEnvelope(text, {
      serverId: server.serverId,
      keys: new Map([[thumbprint(jwk), publicKeyOf(jwk)]]),
      kinds: kindsByName<TaskKind>([...TEST_KINDS, planApply]),
      now: new Date(0),
      since: new Date(0),
    })
    if (!('task' in read)) throw new Error(read.refusal)
    return read.task
  }

  const pollReply = (body: Partial<PollBody> = {}) => post('poll', { free: POOL_SIZES, holding: [], ...body })
  return {
    run,
    post,
    pollReply,
    /** @throws Error unless the answer is 200 or 204 */
    async poll(body: Partial<PollBody> = {}): Promise<Handed> {
      const reply = await pollReply(body)
      if (reply.status === 204) return { tasks: [], cancel: [], drop: [] }
      if (reply.status !== 200) throw new Error(reply.text)
      const { tasks, cancel, drop } = reply.body
      return { tasks: await Promise.all(tasks.map(opened)), cancel, drop }
    },
    progress: (id: string, texts: readonly string[], from = 1) =>
      post(`tasks/${id}/progress`, {
        attempt: 1,
        lines: texts.map((text, nth) => ({ seq: from + nth, at: '2026-01-01T00:00:00.000Z', of: 'OUT', text })),
      }),
    succeed: (id: string, result: unknown, attempt = 1) =>
      post(`tasks/${id}/result`, { attempt, lastSeq: 0, outcome: 'SUCCEEDED', result }),
    fail: (id: string, code: string, attempt = 1) =>
      post(`tasks/${id}/result`, { attempt, lastSeq: 0, outcome: 'FAILED', error: { code, message: 'It failed' } }),
    cancelled: (id: string, attempt = 1) => post(`tasks/${id}/result`, { attempt, lastSeq: 0, outcome: 'CANCELLED' }),
    read: (id: string, query = '') => call('GET', `/api/agent/tasks/${id}${query}`, { as: server.token, headers }),
  }
}
