import { z } from 'zod'
import { answer, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { findRow } from '#kernel/projections/lookup'
import { taskTable } from '#projections/panel/agent'
import {
  ANSWER_BYTES_MAX,
  Beat,
  HeartbeatAnswer,
  PIECE_BYTES_MAX,
  PollAnswer,
  PollBody,
  ProgressAnswer,
  ProgressBody,
  RegisterAnswer,
  RegisterBody,
  ResultAnswer,
  ResultBody,
} from '../../tasks/protocol.ts'
import { registerServer, rejectTakenEngine } from '../workflows/servers.ts'
import { agentOf, byAgent, presentAgent } from './agent-caller.ts'
import { takeAnswer, takeReads } from './asks.ts'
import type { HandedReads } from './asks.ts'
import { commitOf } from './commits.ts'
import { hasEnded } from './decider.ts'
import { isKnownFollow, putFollowed } from './follow.ts'
import { handOut } from './hand-out.ts'
import { taskHub } from './hub.ts'
import { byInstall, installerOf } from './install-caller.ts'
import { publicTaskKeyOf, taskJwkIn } from './keys/task-keys.ts'
import { askedKinds } from './kinds.ts'
import { putLinesOfTask } from './live-lines.ts'
import { findOwnTask, ownTask } from './own-task.ts'
import { sealedToken } from './sealed-token.ts'
import { serversOfAgents } from './servers-of-agents.ts'
import type { ContactCall, NotedContact } from './servers-of-agents.ts'
import { noteEnd } from './task-end.ts'
import { addLines, readLog } from './task-log.ts'
import { seenTask, sightOf } from './task-sight.ts'
import { taskView, TaskView } from './task-view.ts'

const VIEW_WAIT_MS_MAX = 25_000
/** Of a result, beside what it answers. */
const BESIDE_ANSWER_BYTES = 65_536
const NO_CONTENT = 204

/** Waiting takes time, which the start of the request does not know of. */
function clockOf({ now }: Pick<HandlerContext, 'now'>): () => Date {
  const startedMs = performance.now()
  return () => new Date(now.getTime() + performance.now() - startedMs)
}

/** @throws Rejection 409 RUN_SUPERSEDED | AGENT_CONFLICTED */
function admit(
  call: ContactCall & Pick<HandlerContext, 'caller' | 'service'>,
  beat: Beat | undefined,
): Promise<NotedContact> {
  const { server, ...contact } = agentOf(call.caller)
  return call.service(serversOfAgents).noteContact(call, server, { ...contact, beat })
}

const NO_READS: HandedReads = { asks: [], follows: [] }
export const taskRoutes = [
  route('POST /api/agent/register', {
    does: 'Become the agent of the server of the install token. The same agent may repeat the call.',
    access: byInstall,
    isLimited: true,
    refuses: [409],
    status: 201,
    body: RegisterBody,
    reply: RegisterAnswer,
    async handle({ caller, body: { engineId, publicKey, ...facts }, run, vault, service, now }) {
      const { token: installToken } = installerOf(caller)
      const { jwk, ...registered } = await run(async (unit) => ({
        ...(await registerServer(unit, vault, { installToken, publicKey, engineId, facts })),
        jwk: await taskJwkIn(unit),
      })).catch(rejectTakenEngine)
      const { serverId, token } = registered
      return {
        serverId,
        token: sealedToken({ serverId, publicKey }, token),
        taskKeys: [publicTaskKeyOf(jwk)],
        now: now.toISOString(),
        nextMs: service(serversOfAgents).nextBeatMs(),
      }
    },
  }),

  route('POST /api/agent/poll', {
    does: 'Tell what the agent holds, and wait for tasks, for tasks to stop, and for tasks that are over.',
    access: byAgent,
    isQuiet: true,
    refuses: [409],
    body: PollBody,
    status: [200, NO_CONTENT],
    reply: PollAnswer,
    async handle(call) {
      const { body, service, abortSignal } = call
      let agent = agentOf(call.caller)
      const { serverId } = agent.server
      const [hub, servers, clock] = [service(taskHub), service(serversOfAgents), clockOf(call)]
      const noted = await admit(call, body.beat)
      const untilMs = clock().getTime() + body.waitMs
      const seat = await hub.ofServer(serverId)
      try {
        for (;;) {
          seat.reset()
          const now = clock()
          const told = hub.told(serverId, agent.run)
          const reads = hub.isAsked(serverId) ? await takeReads(call, agent, now) : NO_READS
          const { nextMs, ...handed } = await handOut(call, { agent, body, told, seat, now })
          const isAny = Object.values({ ...reads, ...handed }).some(({ length }) => length > 0)
          const leftMs = untilMs - now.getTime()
          if (isAny) return { ...handed, ...reads, ...noted, now: clock().toISOString(), nextMs: servers.nextBeatMs() }
          const isOver = leftMs <= 0 || !(await call.waitFor(() => seat.wait(Math.min(leftMs, nextMs), abortSignal)))
          if (!seat.isTaken && !abortSignal.aborted && !(isOver && nextMs >= leftMs)) {
            agent = await presentAgent(call, agent)
            continue
          }
          if (!body.beat) return answer(undefined as never, NO_CONTENT)
          // Who tells a beat hears when the next one is due.
          return { ...handed, ...reads, ...noted, now: clock().toISOString(), nextMs: servers.nextBeatMs() }
        }
      } finally {
        seat.leave()
      }
    },
  }),

  route('POST /api/agent/heartbeat', {
    does: 'Tell how the host of the agent is. A poll may tell the same.',
    access: byAgent,
    isQuiet: true,
    refuses: [409],
    body: Beat,
    reply: HeartbeatAnswer,
    async handle(call) {
      const [servers, { server }] = [call.service(serversOfAgents), agentOf(call.caller)]
      const noted = await admit(call, call.body)
      const token = await servers.nextTokenOf(server, call.now)
      return {
        now: call.now.toISOString(),
        nextMs: servers.nextBeatMs(),
        ...noted,
        ...(token !== undefined && { token: sealedToken(server, token) }),
      }
    },
  }),

  route('GET /api/agent/tasks/:id', {
    does: 'Read a task with the lines of its log after a number. With waitMs, wait for its end or for more lines.',
    access: seenTask,
    params: z.object({ id: uuid }),
    query: z.strictObject({
      after: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
      waitMs: z.coerce.number().int().min(0).max(VIEW_WAIT_MS_MAX).default(0),
    }),
    reply: TaskView,
    async handle(call) {
      const { query, read, telemetry, service, abortSignal, ruleResult } = call
      const sight = await sightOf(ruleResult, call, service(serversOfAgents))
      const untilMs = performance.now() + query.waitMs
      const seat = await service(taskHub).ofTask(call.params.id)
      try {
        for (;;) {
          seat.reset()
          const row = found(await findRow(read, taskTable, { id: call.params.id }))
          const log = await readLog(telemetry, row.id, query.after)
          const leftMs = untilMs - performance.now()
          const isNews = (sight.log && log.lines.length > 0) || hasEnded(row)
          if (isNews || leftMs <= 0 || abortSignal.aborted) {
            const kind = service(askedKinds).get(row.kind)?.kind
            return taskView(row, kind, log, sight, query.after)
          }
          await call.waitFor(() => seat.wait(Math.min(leftMs, LOOK_AGAIN_MS), abortSignal))
        }
      } finally {
        seat.leave()
      }
    },
  }),

  route('POST /api/agent/tasks/:id/progress', {
    does: 'Tell what a task says. Lines that the panel has are ignored.',
    access: byAgent,
    isQuiet: true,
    params: z.object({ id: uuid }),
    bodyMax: PIECE_BYTES_MAX,
    body: ProgressBody,
    reply: ProgressAnswer,
    async handle(call) {
      const { body, telemetry, service } = call
      const { id } = call.params
      const task = isKnownFollow(call, id) ? undefined : await findOwnTask(call, id)
      if (!task) {
        const { serverId } = agentOf(call.caller).server
        return { ...(await putFollowed(call, { serverId, followId: id }, body.lines)), cancel: false }
      }
      const cancel = task.state === 'CANCELLING'
      if (service(askedKinds).get(task.kind)?.kind.isLive)
        return { ...(await putLinesOfTask(telemetry, id, body.lines)), cancel }
      const adding = addLines(telemetry, id, body.lines, body.percent ?? null)
      const [next, committed] = await Promise.all([adding, body.commits && commitOf(call, id, body.attempt)])
      service(taskHub).wakeTask(id)
      return { next, cancel, pause: false, ...committed }
    },
  }),

  route('POST /api/agent/tasks/:id/result', {
    does: 'Tell the end of an attempt. The same may be told again; one after the end of the task is late.',
    access: byAgent,
    params: z.object({ id: uuid }),
    bodyMax: ANSWER_BYTES_MAX + BESIDE_ANSWER_BYTES,
    body: ResultBody,
    reply: ResultAnswer,
    async handle(call) {
      const { run, server } = agentOf(call.caller)
      const { serverId } = server
      if (await takeAnswer(call.telemetry, serverId, call.params.id, call.body)) {
        call.service(taskHub).wakeTask(call.params.id)
        return { state: call.body.outcome, late: false }
      }
      const { id } = await ownTask(call, call.params.id)
      return noteEnd(call, id, call.body, call.service(taskHub).told(serverId, run).named)
    },
  }),
]

/** Hints of other processes may be lost. */
const LOOK_AGAIN_MS = 1_000
