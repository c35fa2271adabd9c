/** Images that servers need: from a file of the panel if there is one, else from their registry. */
import { v5 } from 'uuid'
import type { JobContext } from '#kernel/jobs/job-context'
import { found, Rejection } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { taskTable } from '#projections/panel/agent'
import { IMAGE_BYTES_MAX, imagesEnsure } from '../../tasks/engine.ts'
import type { EnsuredImage } from '../../tasks/engine.ts'
import { planApply } from '../../tasks/plan.ts'
import { tasks } from '../agent/decider.ts'
import { imageFiles } from '../agent/image-files.ts'
import type { ImageFile } from '../agent/image-files.ts'
import type { AskedKind } from '../agent/kinds.ts'
import { askedPlans, planOf, sendPlan } from '../agent/plans.ts'
import { queueTask, taskIdFor } from '../agent/queue-task.ts'
import type { TaskCause } from '../agent/queue-task.ts'
import { dropStored, storeForTask } from '../agent/transfers.ts'

export interface NeededImage {
  readonly serverId: string
  readonly name: string
  /** Of its manifest in its registry. */
  readonly digest: string
  readonly cause: TaskCause
}

type Work = Pick<JobContext, 'read' | 'run' | 'telemetry' | 'service'>

interface Problem {
  readonly code: string
  readonly message: string
}

/** The files of transfers are made by no other name of the task. */
const transferOf = (taskId: string): string => v5('image', taskId)

export const laneOfImage = (name: string): string | null => imagesEnsure.lane({ name, digest: '', from: 'PULL' })

/** One task at a time for a server and an image. A file that cannot be used fails the task before the agent hears of it. */
export async function ensureImage(work: Work, { serverId, name, digest, cause }: NeededImage): Promise<void> {
  const taskId = taskIdFor(cause, imagesEnsure)
  const known = await work.run((unit) => unit.look(tasks, taskId))
  if (known || (await isAsked(work.read, serverId, name))) return
  const { payload, problem } = await sourceOf(work, taskId, { name, digest })
  await work.run(async (unit) => {
    await queueTask(unit, imagesEnsure, { taskId, serverId, projectId: null, payload, cause })
    if (problem) await unit.decide(tasks, taskId, 'Abandon', problem)
  })
}

/** The cause of a task that follows from another one. */
export const TASK = 'task'

/** A plan that lacked the image is sent again once the server has it. */
export const askedImage: AskedKind = {
  kind: imagesEnsure,
  async onEnd({ taskId, serverId, state, causeId }, work) {
    await dropStored(work, transferOf(taskId))
    const plan = await work.run((unit) => unit.look(tasks, causeId))
    if (state !== 'SUCCEEDED' || plan?.kind !== planApply.name) return
    const { plan: name, revision } = planOf(plan)
    const about = { serverId, revision, cause: { type: TASK, id: taskId } }
    const { kind } = found(work.service(askedPlans).get(name))
    await work.run((unit) => sendPlan(unit, work.read, kind, about))
  },
}

async function isAsked(read: ReadDatabase, serverId: string, name: string): Promise<boolean> {
  const open = await taskTable
    .queryIn(read)
    .select('id')
    .where('serverId', '=', serverId)
    .where('lane', '=', laneOfImage(name))
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return open !== undefined
}

interface Source {
  readonly payload: EnsuredImage
  readonly problem?: Problem | undefined
}

async function sourceOf(
  work: Work,
  taskId: string,
  { name, digest }: Pick<NeededImage, 'name' | 'digest'>,
): Promise<Source> {
  const file = await work.service(imageFiles).find(name)
  const pull = { name, digest, from: 'PULL' } as const
  if (!file) return { payload: pull }
  if ('unusable' in file) return { payload: pull, problem: unusable(file.unusable) }
  const payload = { name, digest: file.id, from: 'TRANSFER', sha256: file.sha256 } as const
  return { payload, problem: await storeFile(work, taskId, file) }
}

const unusable = (file: string): Problem => ({
  code: 'IMAGE_FILE_DAMAGED',
  message: `The panel cannot use the file ${file} of PANEL_IMAGES_DIR: make it again`,
})

/** @returns why the task cannot have the file */
async function storeFile(work: Work, taskId: string, file: ImageFile): Promise<Problem | undefined> {
  const transferId = transferOf(taskId)
  if (file.bytes > IMAGE_BYTES_MAX) return unusable(file.file)
  try {
    const sha256 = await storeForTask(work, { transferId, toTask: taskId, bytesMax: file.bytes }, file.read())
    if (sha256 === file.sha256) return undefined
  } catch (error) {
    // What is left may pass, such as a full disk: the reaction is run again.
    if (!(error instanceof Rejection) || !['NO_DATA_DIR', 'TOO_LARGE'].includes(error.code)) throw error
    if (error.code === 'NO_DATA_DIR') return { code: error.code, message: error.message }
  }
  await dropStored(work, transferId)
  return unusable(file.file)
}
