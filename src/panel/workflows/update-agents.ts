/** Updates of agents: what is decided there, and the tasks that follow from it. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { CommandInputOf } from '#kernel/events/decider'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import { reject } from '#kernel/lib/rejection'
import { agentUpdate } from '../../tasks/agent-update.ts'
import { tasks } from '../agent/decider.ts'
import { queueTask } from '../agent/queue-task.ts'
import { agentUpdates, SENT_AT_ONCE_MAX } from '../agent/updates/decider.ts'
import type { RunningUpdate } from '../agent/updates/decider.ts'

/** The cause of the tasks. */
export const AGENT_UPDATE = 'agentUpdate'

type NewUpdate = Pick<CommandInputOf<typeof agentUpdates, 'Ask'>, 'version' | 'executables' | 'servers'>

/** Catch `rejectRunningUpdate` around the unit of work. @param update with at least one server */
export async function askAgentUpdate(unit: UnitOfWork, update: NewUpdate) {
  const [agentUpdateId, taskId] = [unit.newId(), unit.newId()]
  const first = { serverId: update.servers[0]!.serverId, taskId }
  await unit.decide(agentUpdates, agentUpdateId, 'Ask', { agentUpdateId, first, ...update })
  await sendTo(unit, { agentUpdateId, ...update }, [first], update.servers)
  return { updateId: agentUpdateId, first }
}

/** @param code null: the agent has told the new version */
export async function noteUpdateEnd(unit: UnitOfWork, updateId: string, taskId: string, code: string | null) {
  const before = await unit.load(agentUpdates, updateId)
  if (!before?.open.some((each) => each.taskId === taskId)) return
  const newTaskIds = Array.from({ length: SENT_AT_ONCE_MAX }, () => unit.newId())
  await unit.decide(agentUpdates, updateId, 'NoteEnd', { taskId, code, newTaskIds })
  const after = await unit.load(agentUpdates, updateId)
  if (code !== null) return cancelAll(unit, before)
  const next = after?.open.filter((each) => newTaskIds.includes(each.taskId)) ?? []
  await sendTo(unit, before, next, before.waiting)
}

/** Of an update whose agents do not answer any more. */
export async function haltSilentUpdate(unit: UnitOfWork, updateId: string): Promise<void> {
  const before = await unit.load(agentUpdates, updateId)
  if (!before) return
  await unit.decide(agentUpdates, updateId, 'HaltSilent', {})
  await cancelAll(unit, before)
}

type Sending = Pick<RunningUpdate, 'agentUpdateId' | 'version' | 'executables'>

async function sendTo(
  unit: UnitOfWork,
  { agentUpdateId, version, executables }: Sending,
  to: RunningUpdate['open'],
  servers: RunningUpdate['waiting'],
): Promise<void> {
  const architectures = new Map(servers.map(({ serverId, arch }) => [serverId, arch]))
  for (const { serverId, taskId } of to) {
    const payload = { version, ...executables[architectures.get(serverId)!]! }
    const cause = { type: AGENT_UPDATE, id: agentUpdateId }
    await queueTask(unit, agentUpdate, { taskId, serverId, projectId: null, payload, cause })
  }
}

async function cancelAll(unit: UnitOfWork, { open }: RunningUpdate): Promise<void> {
  for (const { taskId } of open) await unit.decide(tasks, taskId, 'Cancel', {})
}

/** Handler for `catch`. @throws Rejection 409 RUNNING */
export function rejectRunningUpdate(error: unknown): never {
  if (!(error instanceof UniqueConstraintViolation) || error.constraint.scope !== AGENT_UPDATE) throw error
  return reject('conflict', 'Another update of agents is running: wait for its end', 'RUNNING')
}
