/** Plans of servers: what a section wants of a host at all times. One declaration makes the reaction that sends them. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { EventType } from '#kernel/events/event'
import type { HandlerContext } from '#kernel/http/route'
import type { JobContext } from '#kernel/jobs/job-context'
import { reaction } from '#kernel/jobs/reaction'
import type { Reaction, ReactionEvent } from '#kernel/jobs/reaction'
import { recurringJob } from '#kernel/jobs/recurring-job'
import { found } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { declaration } from '#kernel/resource/declaration'
import { taskTable } from '#projections/panel/agent'
import type { TaskRow } from '#projections/panel/agent'
import type { PlanKind } from '../../tasks/kind.ts'
import { planApply } from '../../tasks/plan.ts'
import type { PlanContents } from '../../tasks/plan.ts'
import { tasks } from './decider.ts'
import type { Task } from './decider.ts'
import type { AskedKind } from './kinds.ts'
import { queueTask, taskIdFor } from './queue-task.ts'
import type { TaskCause } from './queue-task.ts'
import { serversOfAgents } from './servers-of-agents.ts'

const BEHIND_EVERY_MS = 60_000
/** A beat that was sent before the end of a task may arrive so long after it. */
const BEAT_AGE_MS_MAX = 60_000
/** What the agent cannot do now, it can hardly do a minute later. */
const FAILED_AGAIN_MS = 3_600_000

export interface AskedPlan {
  readonly kind: PlanKind
  /** The events that change it. */
  readonly on: readonly EventType[]
  /** The servers whose plan an event changes. */
  serversOf(event: ReactionEvent, work: Pick<JobContext, 'read' | 'run'>): Promise<readonly string[]>
  /**
   * What the plan of a server says now, and the highest position of the events that say so.
   * @throws Rejection if the server can have none: the task fails with its code
   */
  contents(serverId: string, call: Pick<HandlerContext, 'read' | 'vault' | 'run' | 'service'>): Promise<PlanContents>
  /** As of a task's kind: of the task that has brought it. */
  onEnd?(task: Task, work: JobContext): Promise<void>
}

export const askedPlans = serviceKey<ReadonlyMap<string, AskedPlan>>('plans of servers', new Map())

/** What a task that brings a plan says of it. */
export const planOf = ({ payload }: Pick<Task, 'payload'>) => planApply.payload.parse(JSON.parse(payload))

/** The kind of task that brings all plans. */
export const askedPlanApply: AskedKind = {
  kind: planApply,
  async secrets({ serverId, payload }, call) {
    const { plan } = planOf({ payload })
    return found(call.service(askedPlans).get(plan)).contents(serverId, call)
  },
  onEnd: async (task, work) => work.service(askedPlans).get(planOf(task).plan)?.onEnd?.(task, work),
}

const planReaction = ({ kind, on, serversOf }: AskedPlan): Reaction =>
  reaction(`plan-${kind.name.replaceAll('.', '-')}`, {
    on,
    async run(event: ReactionEvent, work) {
      const cause = { type: 'event', id: event.id }
      for (const serverId of await serversOf(event, work))
        await work.run((unit) => sendPlan(unit, work.read, kind, { serverId, revision: event.position, cause }))
    },
  })

/** The section that wants the state declares it: each of its events sends the plan of the servers that it changes. */
export const askedPlan = declaration<AskedPlan>(planReaction)

interface PlanToSend {
  readonly serverId: string
  readonly revision: number
  /** What the agent has, if that is newer. */
  readonly replaces?: number
  readonly cause: TaskCause
}

/** A newer one takes the place of those that were not started, and none is sent where a newer one waits. */
export async function sendPlan(
  unit: UnitOfWork,
  read: ReadDatabase,
  { name, version }: Pick<PlanKind, 'name' | 'version'>,
  { serverId, revision, replaces, cause }: PlanToSend,
): Promise<void> {
  const payload = { plan: name, version, revision, ...(replaces !== undefined && { replaces }) }
  for (const { taskId, revision: waiting } of await waitingPlans(unit, read, serverId, planApply.lane(payload))) {
    if (waiting >= revision) return
    await unit.decide(tasks, taskId, 'Cancel', {})
  }
  const taskId = taskIdFor({ ...cause, id: `${cause.id}/${serverId}/${name}` }, planApply)
  await queueTask(unit, planApply, { taskId, serverId, projectId: null, payload, cause })
}

/** The newest first. */
async function waitingPlans(unit: UnitOfWork, read: ReadDatabase, serverId: string, lane: string | null) {
  const rows = await taskTable
    .queryIn(read)
    .select('id')
    .where('serverId', '=', serverId)
    .where('lane', '=', lane)
    .where('state', '=', 'QUEUED')
    .execute()
  const known = await Promise.all(rows.map(({ id }) => unit.load(tasks, id)))
  return known
    .flatMap((task) => (task?.state === 'QUEUED' ? { taskId: task.taskId, revision: planOf(task).revision } : []))
    .toSorted((one, other) => other.revision - one.revision)
}

type LastTry = Pick<TaskRow, 'id' | 'serverId' | 'payload' | 'state' | 'result' | 'errorCode' | 'endedAt'>

/**
 * An agent that has lost a plan, or has never had it, gets it again: its beats name an older revision. They name a newer
 * one if the panel was restored from a backup: then the plan of the panel replaces it.
 */
export const sendPlansBehind = recurringJob(
  'plans-behind',
  BEHIND_EVERY_MS,
  async ({ read, run, service, telemetry, now }) => {
    const told = await service(serversOfAgents).plansTold(telemetry, new Date(now.getTime() - BEAT_AGE_MS_MAX))
    if (told.length === 0) return
    const byServer = new Map(told.map((each) => [each.serverId, each]))
    const tries = await lastTries(read, [...byServer.keys()])
    for (const last of tries) {
      const { plan } = planOf(last)
      const [own, { serverId }, revision] = [service(askedPlans).get(plan), last, wantedBy(last)]
      const { at, plans } = byServer.get(serverId)!
      const has = plans[plan] ?? -1
      if (!own || !isSettled(last, at, now) || has === revision) continue
      // The agent may have done a task of the lost time that has the last one as its cause.
      const replacing = { replaces: has, cause: { type: 'plan', id: `${last.id}/${has}` } }
      const about = has > revision ? replacing : { cause: { type: 'task', id: last.id } }
      await run((unit) => sendPlan(unit, read, own.kind, { serverId, revision, ...about }))
    }
    const isTried = new Set(tries.map((each) => keyOf(each.serverId, planOf(each).plan)))
    for (const { serverId, plans } of told)
      for (const [plan, has] of Object.entries(plans)) {
        const own = service(askedPlans).get(plan)
        if (!own || isTried.has(keyOf(serverId, plan))) continue
        const cause = { type: 'plan', id: `${plan}/${has}` }
        await run((unit) => sendPlan(unit, read, own.kind, { serverId, revision: 0, replaces: has, cause }))
      }
  },
)

const keyOf = (serverId: string, plan: string): string => `${serverId}/${plan}`

/** Of each plan of each server. */
const lastTries = (read: ReadDatabase, serverIds: readonly string[]): Promise<LastTry[]> =>
  taskTable
    .queryIn(read)
    .select(['id', 'serverId', 'payload', 'state', 'result', 'errorCode', 'endedAt'])
    .distinctOn(['serverId', 'lane'])
    .where('serverId', 'in', serverIds)
    .where('kind', '=', planApply.name)
    .orderBy('serverId')
    .orderBy('lane')
    .orderBy('queuedAt', 'desc')
    .execute()

/** The body is made at the hand-out, so a success may have brought a newer one than was asked for. */
const wantedBy = ({ payload, result }: LastTry): number =>
  planApply.result.safeParse(JSON.parse(result ?? 'null')).data?.revision ?? planOf({ payload }).revision

/** REFUSED_OLDER: the next beat says what is to be replaced. */
const SENT_AGAIN_SOON: ReadonlySet<string> = new Set(['SERVER_RESET', 'REFUSED_OLDER'])

/** Whether another try may follow: the beat was sent after the end of the last one. */
function isSettled({ state, errorCode, endedAt }: LastTry, beatAt: Date, now: Date): boolean {
  if (endedAt === null || beatAt.getTime() - Date.parse(endedAt) < BEAT_AGE_MS_MAX) return false
  // The agent itself has failed: what it is asked again fails again.
  const isRefused = state === 'FAILED' && !SENT_AGAIN_SOON.has(errorCode ?? '')
  return !isRefused || now.getTime() - Date.parse(endedAt) >= FAILED_AGAIN_MS
}
