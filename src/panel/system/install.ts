/** Installs a version of the panel by the agent of its own host: the panel brings the file of the image, and the agent replaces the container. */
import { createHash } from 'node:crypto'
import { v5 } from 'uuid'
import type { HandlerContext } from '#kernel/http/route'
import type { JobContext } from '#kernel/jobs/job-context'
import { Rejection } from '#kernel/lib/rejection'
import { uuidv7 } from '#kernel/lib/uuid'
import { LicenseRefused, NO_ANSWER } from '../../license-client/refusal.ts'
import type { OfferedFile } from '../../license-client/versions.ts'
import { panelUpdate } from '../../tasks/panel-update.ts'
import { runAsCaller } from '../access/accounts.ts'
import { hasEnded, tasks } from '../agent/decider.ts'
import { queueTask, refuseFullQueue } from '../agent/queue-task.ts'
import { dropStored, openTransfer, storeForTask } from '../agent/transfers.ts'
import { licenseStore } from '../license/store.ts'
import { panelUpdates } from './decider.ts'
import type { Installer } from './installer.ts'
import { CHANNEL } from './update-checks.ts'

/** Of downloads that no answer ended. */
const TRIES_MAX = 4

const transferOf = (taskId: string): string => v5('panel-image', taskId)

/** The task waits for its file. @returns its id @throws Rejection 409 RUNNING · 503 QUEUE_FULL */
export async function askInstall(call: HandlerContext, file: OfferedFile, { serverId, containerId }: Installer) {
  const { version, sha256, size } = file
  const taskId = uuidv7()
  await refuseFullQueue(call.read, serverId)
  const about = { transferId: transferOf(taskId), toTask: taskId, bytesMax: size }
  await openTransfer(call.telemetry, { ...about, mode: 'STORED', fromTask: null, isAwaited: true })
  await runAsCaller(call, async (unit) => {
    await unit.decide(panelUpdates, undefined, 'Ask', { panelUpdateId: version, taskId, sha256, size })
    const cause = { type: 'panelUpdate', id: version }
    const payload = { version, sha256, containerId }
    await queueTask(unit, panelUpdate, { taskId, serverId, projectId: null, payload, cause })
  })
  return taskId
}

type Work = Pick<JobContext, 'run' | 'service' | 'telemetry' | 'signal' | 'failures'>

interface Fetched extends OfferedFile {
  readonly taskId: string
}

/** A file that does not come ends the task. @throws Error for what may pass: the file is fetched again */
export async function fetchFile(work: Work, { taskId, ...file }: Fetched): Promise<void> {
  const task = await work.run((unit) => unit.look(tasks, taskId))
  if (!task || hasEnded(task)) return
  const problem = await problemOfFile(work, taskId, file)
  if (problem) await work.run((unit) => unit.decide(tasks, taskId, 'Abandon', problem))
}

async function problemOfFile(work: Work, taskId: string, file: OfferedFile) {
  const { service, signal, failures } = work
  const own = service(licenseStore)
  if (!own) return notFetched('no licensing service is configured')
  try {
    const about = { transferId: transferOf(taskId), toTask: taskId, bytesMax: file.size }
    await storeForTask(work, about, checked(own.download(CHANNEL, file, signal), file.sha256))
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    const isFinal = (error instanceof LicenseRefused && error.code !== NO_ANSWER) || isRefusal(error)
    if (!isFinal && failures < TRIES_MAX) throw error
    return notFetched(error instanceof Error ? error.message : 'no reason given')
  }
}

/** What is stored is handed out, so it is compared before its end. */
async function* checked(bytes: AsyncIterable<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const piece of bytes) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== sha256) throw new LicenseRefused('it has other bytes than the signed list says')
}

/** The panel has no directory of data, or the file is longer than the signed list says. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Rejection && ['NO_DATA_DIR', 'TOO_LARGE'].includes(error.code)

const notFetched = (reason: string) => ({
  code: 'FILE_NOT_FETCHED',
  message: `The file of the version was not fetched: ${reason}`.slice(0, 500),
})

/** Of a task that has ended. */
export const dropFile = (work: Pick<Work, 'telemetry' | 'service'>, taskId: string): Promise<void> =>
  dropStored(work, transferOf(taskId))
