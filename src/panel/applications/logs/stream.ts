/**
 * The log of an application as server-sent events. What was said before is asked for, and what follows comes from a follow
 * that all readers in this process share; the cursor of each reader leaves out what it has.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { formatServerSentEvent, retryField } from '#kernel/http/sse'
import { Rejection } from '#kernel/lib/rejection'
import type { ApplicationRow } from '#projections/panel/applications'
import type { DeploymentRow } from '#projections/panel/deployments'
import { logsFollow, TAIL_MAX } from '../../../tasks/applications.ts'
import { follow } from '../../agent/follow.ts'
import { readLog } from '../../agent/task-log.ts'
import { DEPLOYMENT_ENDS } from '../../deployments/events.ts'
import { keptTasksOf, loggedTasksOf } from '../../deployments/log.ts'
import { ownDeployment } from '../deployments/own-deployment.ts'
import { askTail, containersAsked, secretNamesOf } from './containers.ts'
import type { WhichContainers } from './containers.ts'
import type { LogCursor } from './cursor.ts'
import { taskLineView } from './log-line-view.ts'
import type { LogLineView } from './log-line-view.ts'
import { eventsOf, eventsOneByOne } from './shared-lines.ts'
import { watchRights } from './watch.ts'

const RETRY_MS = 2_000
const BUILD_LOOK_MS = 500
const UNAVAILABLE = 503

type StreamCall = Pick<
  HandlerContext,
  'read' | 'telemetry' | 'service' | 'vault' | 'runUnreported' | 'caller' | 'now' | 'abortSignal'
>

interface LogStream extends WhichContainers {
  readonly application: ApplicationRow
  /** Of the session. */
  readonly sid: string
  readonly tail: number
  readonly cursor: LogCursor
  /** The reader has read a part of it. */
  readonly isResumed: boolean
}

const frame = (event: 'line' | 'gap', cursor: LogCursor, data: LogLineView | object): string =>
  formatServerSentEvent({ id: cursor.toString(), event, data: data as never })

/**
 * Ends when the reader leaves, or may not see it any more.
 * @throws Rejection 503 before its first piece. Later, it goes on when the server answers again
 */
export async function* logStream(call: StreamCall, asked: LogStream): AsyncGenerator<string | Uint8Array> {
  const ended = new AbortController()
  const signal = AbortSignal.any([call.abortSignal, ended.signal])
  const startedMs = performance.now()
  const now = () => new Date(call.now.getTime() + performance.now() - startedMs)
  // The place of the request is free while its answer is streamed.
  const own: OwnCall = { ...callParts(call), abortSignal: signal, waitFor: (wait) => wait() }
  const renewing = { names: '', renew: new AbortController() }
  watchRights(
    { read: call.read, sid: asked.sid, application: asked.application, permission: 'apps:logs', now },
    {
      onEnd: () => ended.abort(),
      async look(row) {
        const names = JSON.stringify(await secretNamesOf(own, row))
        if (renewing.names !== '' && names !== renewing.names) renewing.renew.abort()
      },
    },
    signal,
  )
  try {
    let isFirst = true
    if (asked.deploymentId !== null)
      for await (const piece of taskLines(own, { ...asked, deploymentId: asked.deploymentId })) {
        if (isFirst) yield retryField(RETRY_MS)
        isFirst = false
        yield piece
      }
    for (let isResumed = asked.isResumed; !signal.aborted; isResumed = true)
      try {
        renewing.renew = new AbortController()
        for await (const piece of containerLines(own, { ...asked, isResumed }, renewing)) {
          if (isFirst) yield retryField(RETRY_MS)
          isFirst = false
          yield piece
        }
      } catch (error) {
        if (signal.aborted) return
        if (isFirst || !(error instanceof Rejection) || error.statusCode !== UNAVAILABLE) throw error
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
      }
  } finally {
    ended.abort()
  }
}

type OwnCall = Omit<StreamCall, 'runUnreported' | 'caller'> & Pick<HandlerContext, 'run' | 'waitFor'>

/** What a stream reads again and again is no part of what the request has done. */
const callParts = ({ read, telemetry, service, vault, runUnreported, caller, now }: StreamCall) => ({
  read,
  telemetry,
  service,
  vault,
  now,
  run: <Result>(work: (unit: UnitOfWork) => Promise<Result>) => runUnreported(work, caller.actor),
})

interface Renewing {
  /** Secret variables that the follow takes out, as JSON. */
  names: string
  /** Aborted when there are others. */
  renew: AbortController
}

/** Until the names of secret variables change. The first piece is empty and shows that the server answers. */
async function* containerLines(
  call: OwnCall,
  { application, service, deploymentId, tail, cursor, isResumed }: LogStream,
  renewing: Renewing,
): AsyncGenerator<string | Uint8Array> {
  const which = { service, deploymentId }
  const secretNames = await secretNamesOf(call, application)
  renewing.names = JSON.stringify(secretNames)
  const abortSignal = AbortSignal.any([call.abortSignal, renewing.renew.signal])
  const params = { ...(await containersAsked(call, application, which)), secretNames }
  const followed = await follow({ ...call, abortSignal }, logsFollow, application.serverId, params)
  let isTailRead = false
  for await (const lines of followed) {
    // The agent follows from here on: what was said before can be asked for.
    if (!isTailRead) yield* earlierLines(call, { application, ...which, tail, cursor, isResumed })
    isTailRead = true
    const events = eventsOf(lines, cursor)
    if (events.length > 0) yield events
  }
}

type Earlier = Omit<LogStream, 'sid'>

async function* earlierLines(call: OwnCall, asked: Earlier): AsyncGenerator<string> {
  const { application, service, deploymentId, cursor, isResumed } = asked
  const query = { since: cursor.from, after: [...cursor.places()], tail: isResumed ? TAIL_MAX : asked.tail }
  const { lines, isCut, containers } = await askTail(call, application, { service, deploymentId }, query)
  const isAnyGone = cursor.forgetOthers(containers)
  if (isResumed && (isCut || isAnyGone)) yield frame('gap', cursor, { reason: isCut ? 'TOO_MANY' : 'CONTAINER_GONE' })
  else yield ''
  if (isCut && lines[0]) cursor.startAt(lines[0].at)
  const events = eventsOneByOne(lines, cursor)
  if (events.length > 0) yield events
}

type OfDeployment = LogStream & { readonly deploymentId: string }

/** What its build says until it has ended; of a deployment whose containers are gone, what they have said. */
async function* taskLines(call: OwnCall, asked: OfDeployment): AsyncGenerator<string> {
  const { application, deploymentId, cursor } = asked
  const { read, telemetry, abortSignal } = call
  const lines = (taskIds: readonly string[]) => newLines(telemetry, taskIds, { cursor, deploymentId })
  while (!abortSignal.aborted) {
    const deployment = await ownDeployment(read, application, deploymentId)
    if (!deployment) return
    const kept = await keptTasksOf(call, deployment)
    yield* lines(kept ?? (await loggedTasksOf(call, deploymentId)))
    if (kept || isStarted(deployment)) return
    // A build that says nothing yet is answered, too.
    yield ''
    await sleep(BUILD_LOOK_MS, undefined, { signal: abortSignal }).catch(() => {})
  }
}

const STARTED: readonly string[] = ['SWITCHING', 'STOPPING', ...DEPLOYMENT_ENDS]
/** Its containers speak for it now, or never will. */
const isStarted = ({ status }: Pick<DeploymentRow, 'status'>): boolean => STARTED.includes(status)

async function* newLines(
  telemetry: OwnCall['telemetry'],
  taskIds: readonly string[],
  { cursor, deploymentId }: Pick<OfDeployment, 'cursor' | 'deploymentId'>,
): AsyncGenerator<string> {
  for (const id of taskIds)
    for (;;) {
      const { lines } = await readLog(telemetry, id, cursor.seqOf(id))
      if (lines.length === 0) break
      const pieces = lines.map((line) => {
        cursor.readTask(id, line.seq)
        return frame('line', cursor, taskLineView(line, deploymentId))
      })
      yield pieces.join('')
    }
}
