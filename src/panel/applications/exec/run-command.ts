/** Runs a command in a container of an application. It is recorded before it runs, and what it answers is kept nowhere. */
import type { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { uuidv7 } from '#kernel/lib/uuid'
import { findRow } from '#kernel/projections/lookup'
import { taskTable } from '#projections/panel/agent'
import type { TaskRow } from '#projections/panel/agent'
import { containersExec } from '../../../tasks/applications.ts'
import type { ApplicationAccess, ApplicationView } from '../../access/application-access.ts'
import { seenAgain } from '../../access/application-routes.ts'
import { tasks } from '../../agent/decider.ts'
import { installationOf } from '../../agent/installation.ts'
import type { AskedKind } from '../../agent/kinds.ts'
import { linesOfTask } from '../../agent/live-lines.ts'
import { queueTask, refuseFullQueue } from '../../agent/queue-task.ts'
import { serversOfAgents } from '../../agent/servers-of-agents.ts'
import { isElsewhere, runningDeployment } from '../../deployments/running.ts'
import { applications } from '../decider.ts'
import { workloadAsked } from '../logs/containers.ts'
import { hiddenIn } from '../logs/hidden.ts'
import { placeAt } from '../place.ts'
import type { Place } from '../place.ts'
import { openCommands, takeCommandPlace } from './command-places.ts'

/** An agent that has not taken it by then is silent. */
const SILENT_MS = 10_000
/** Beside the time of the command, for the agent to end it and to tell of it. */
const SLACK_MS = 25_000

interface CommandToRun {
  readonly command: readonly string[]
  /** Null: the application itself. */
  readonly previewId: string | null
  readonly service: string | null
  readonly replica: number | null
  readonly stdin: string | null
  readonly timeoutSeconds: number
}

type Ended = z.output<typeof containersExec.result>

interface CommandOutcome extends Ended {
  readonly stdout: string
  readonly stderr: string
}

type CommandCall = HandlerContext<unknown, unknown, unknown, ApplicationView>

/**
 * @param access what the caller must hold, also when it is recorded
 * @throws Rejection 404 · 409 NOT_RUNNING | MOVED · 429 · 503, also if it cannot be recorded
 */
export async function runCommand(
  call: CommandCall,
  access: ApplicationAccess,
  asked: CommandToRun,
): Promise<CommandOutcome> {
  const { application } = call.ruleResult
  const { serverId } = application
  const { telemetry, service, read, now } = call
  await workloadAsked(call, application, { deploymentId: null, previewId: asked.previewId })
  if (!(await service(serversOfAgents).isReachable(telemetry, serverId, now)))
    reject('unavailable', 'The server has not been heard of: its agent is offline', 'SERVER_OFFLINE')
  await refuseFullQueue(read, serverId)
  const leave = await takeCommandPlace(service(openCommands), read, serverId)
  try {
    const taskId = uuidv7()
    await recordCommand(call, access, taskId, asked)
    await call.waitForReadModels()
    return await outcomeOf(call, taskId, asked.timeoutSeconds * 1_000)
  } finally {
    leave()
  }
}

/** In one append with the task, so that nothing runs that is not recorded. */
async function recordCommand(
  { run, caller, vault, ruleResult }: CommandCall,
  access: ApplicationAccess,
  taskId: string,
  { command, previewId, service, replica, stdin, timeoutSeconds }: CommandToRun,
): Promise<void> {
  const installation = await installationOf(vault)
  const { id } = ruleResult.application
  await run(async (unit) => {
    await seenAgain(unit, caller, id, access)
    const place = found(await placeAt(unit, { applicationId: id, previewId }))
    await mustRunHere(unit, place)
    const about = { taskId, previewId, service, replica, command: JSON.stringify(command), stdin }
    await unit.decide(applications, id, 'RunCommand', about)
    const { serverId, projectId, workload } = place
    const target = { workload, service, replica }
    const payload = { installation, target, timeoutMs: timeoutSeconds * 1_000 }
    const cause = { type: 'application', id }
    await queueTask(unit, containersExec, { taskId, serverId, projectId, payload, cause })
  })
}

/** Containers from before a move have what is shared where they were started. @throws Rejection 409 MOVED */
async function mustRunHere(unit: UnitOfWork, place: Place): Promise<void> {
  const running = await runningDeployment(unit, place.workload)
  if (running && isElsewhere(running, place))
    reject('conflict', 'Its containers are those from before it was moved: restart it first', 'MOVED')
}

async function outcomeOf(call: CommandCall, taskId: string, timeoutMs: number): Promise<CommandOutcome> {
  const { read, run, telemetry, service } = call
  const row = async () => found(await findRow(read, taskTable, { id: taskId }))
  const cancel = () => run((unit) => unit.decide(tasks, taskId, 'Cancel', {}))
  const silent = setTimeout(() => {
    row()
      .then(
        ({ state }) => (state === 'QUEUED' ? cancel() : undefined),
        () => {},
      )
      .catch(() => {})
  }, SILENT_MS)
  const abortSignal = AbortSignal.any([call.abortSignal, AbortSignal.timeout(timeoutMs + SLACK_MS)])
  const said = { OUT: '', ERR: '', STEP: '' }
  try {
    await call.waitFor(async () => {
      for await (const lines of linesOfTask({ read, telemetry, service, abortSignal }, taskId))
        for (const { of, text } of lines) said[of] += JSON.parse(text) as string
    })
  } finally {
    clearTimeout(silent)
  }
  const ended = await row()
  // Its caller has left, or the agent is silent: nothing goes on that nothing waits for.
  if (ended.endedAt === null) await cancel()
  return { ...endOf(ended), stdout: said.OUT, stderr: said.ERR }
}

/** @throws Rejection 409 NOT_RUNNING · 503 */
function endOf({ state, result, errorCode, errorMessage }: TaskRow): Ended {
  if (state === 'SUCCEEDED') return containersExec.result.parse(JSON.parse(result!))
  if (errorCode === 'NOT_RUNNING')
    return reject('conflict', 'No container runs that the command could be run in: start or deploy it', 'NOT_RUNNING')
  if (state === 'FAILED') return reject('unavailable', errorMessage ?? 'The command was not run', errorCode ?? 'FAILED')
  return reject('unavailable', 'The agent of the server did not answer in time', 'SERVER_SILENT')
}

/** Read when the agent takes it: neither the task nor its events hold them in clear. */
export const askedExec: AskedKind = {
  kind: containersExec,
  async secrets({ taskId, causeId: applicationId }, { run }) {
    return run(async (unit) => {
      const application = found(await unit.look(applications, applicationId))
      const own = found(application.commands.find((each) => each.taskId === taskId))
      const { names, values } = await hiddenIn(unit, application)
      return { command: JSON.parse(own.command) as unknown, stdin: own.stdin, names, values }
    })
  },
}
