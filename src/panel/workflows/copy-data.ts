/** The volumes of an application are copied for another one, by the agent of their server. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { found } from '#kernel/lib/rejection'
import { releaseRemove } from '../../tasks/releases.ts'
import { volumeCopy } from '../../tasks/volumes.ts'
import type { Task } from '../agent/decider.ts'
import type { AskedKind } from '../agent/kinds.ts'
import { queueTask, taskIdFor } from '../agent/queue-task.ts'
import { applications } from '../applications/decider.ts'
import { APPLICATION } from './applications.ts'

export interface DataCopying {
  readonly installation: string
  readonly fromId: string
  readonly toId: string
  /** Of the one that is copied. None: nothing happens. */
  readonly volumes: readonly string[]
  readonly pause: boolean
}

/** Until it has ended, the application is not deployed. */
export async function copyData(
  unit: UnitOfWork,
  { installation, fromId, toId, volumes, pause }: DataCopying,
): Promise<void> {
  if (volumes.length === 0) return
  const { serverId, projectId, environmentId } = found(await unit.load(applications, toId))
  const cause = { type: 'application', id: toId }
  const taskId = taskIdFor(cause, volumeCopy)
  await unit.decide(applications, toId, 'CopyData', { fromId, taskId, volumes: volumes.length })
  const payload = {
    installation,
    from: { kind: APPLICATION, id: fromId } as const,
    to: { kind: APPLICATION, id: toId } as const,
    projectId,
    environmentId,
    volumes: volumes.map((from) => ({ from, to: toId + from.slice(fromId.length) })),
    pause,
  }
  await queueTask(unit, volumeCopy, { taskId, serverId, projectId, payload, cause })
}

/** Of a copy that is not whole, and of an application that is gone, nothing stays. */
async function noteEnd(unit: UnitOfWork, { taskId, causeId, ...task }: Task): Promise<void> {
  const isDone = task.state === 'SUCCEEDED'
  const isGone = !(await unit.load(applications, causeId))
  if (!isDone || isGone) await removeCopies(unit, { ...task, taskId, causeId })
  if (isGone) return
  const bytes = isDone ? volumeCopy.result.parse(JSON.parse(task.result!)).bytes : null
  const end = isDone
    ? { state: 'DONE' as const, code: null }
    : { state: 'FAILED' as const, code: task.errorCode ?? task.state }
  await unit.decide(applications, causeId, 'NoteDataCopy', { taskId, bytes, ...end })
}

async function removeCopies(unit: UnitOfWork, task: Task): Promise<void> {
  const { taskId: id, serverId, projectId, causeId } = task
  const { installation } = volumeCopy.payload.parse(JSON.parse(task.payload))
  const cause = { type: 'task', id }
  const payload = {
    installation,
    workload: { kind: APPLICATION, id: causeId } as const,
    proxyRevision: null,
    stopSeconds: 0,
    deleteVolumes: true,
    imageIds: [],
  }
  await queueTask(unit, releaseRemove, { taskId: taskIdFor(cause, releaseRemove), serverId, projectId, payload, cause })
}

export const askedVolumeCopy: AskedKind = {
  kind: volumeCopy,
  onEnd: (task, { run }) => run((unit) => noteEnd(unit, task)),
}
