import { z } from 'zod'
import { answer, liveReply, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import type { DeploymentRow } from '#projections/panel/deployments'
import { TAIL_MAX } from '../../../tasks/applications.ts'
import { ServiceName } from '../../../tasks/releases.ts'
import { inApplicationByKey, inApplicationStream } from '../../access/application-access.ts'
import type { ApplicationView } from '../../access/application-access.ts'
import { userCallerOf } from '../../access/user-caller.ts'
import { lastLines } from '../../agent/task-log.ts'
import { keptTasksOf, loggedTasksOf } from '../../deployments/log.ts'
import { ownDeployment } from '../deployments/own-deployment.ts'
import { askTail } from './containers.ts'
import { CURSOR_CHARACTERS_MAX, logCursor, momentOf, parseLogCursor } from './cursor.ts'
import type { LogCursor } from './cursor.ts'
import { lineView, LogLineView, taskLineView } from './log-line-view.ts'
import { openLogStreams, takeStreamPlace } from './stream-places.ts'
import { logStream } from './stream.ts'

const LINES = 200

const query = {
  tail: z.coerce.number().int().min(1).max(TAIL_MAX).default(LINES).describe('The newest lines, at most so many.'),
  since: z.iso.datetime().optional().describe('Only lines from then on, by the clock of the server.'),
  service: ServiceName.optional().describe('Only lines of this service.'),
  deploymentId: uuid.optional().describe('Only lines of this one; without containers, those of its build.'),
}
const Query = z.strictObject(query)
type Query = z.output<typeof Query>

type LogsCall = HandlerContext<unknown, Query, unknown, ApplicationView>

const LogsView = z.object({
  lines: z.array(LogLineView).describe('In their order.'),
  isCut: z.boolean().describe('Whether there are older ones.'),
})

async function logsOf(call: LogsCall): Promise<z.output<typeof LogsView>> {
  const { application } = call.ruleResult
  const { tail, since, service = null, deploymentId = null } = call.query
  const deployment = deploymentId === null ? undefined : await ownDeployment(call.read, application, deploymentId)
  const kept = deployment && (await keptTasksOf(call, deployment))
  if (deployment && kept) return toldBy(call, deployment, kept)
  const which = { service, deploymentId }
  const asked = { tail, since: since === undefined ? null : momentOf(since), after: [] }
  const { lines, isCut, containers } = await askTail(call, application, which, asked)
  if (containers.length > 0 || !deployment) return { lines: lines.map(lineView), isCut }
  return toldBy(call, deployment, await loggedTasksOf(call, deployment.id))
}

/** By tasks of a deployment. */
async function toldBy(
  { telemetry, query: { since, tail } }: LogsCall,
  { id }: Pick<DeploymentRow, 'id'>,
  taskIds: readonly string[],
): Promise<z.output<typeof LogsView>> {
  const { lines, isCut } = await lastLines(telemetry, taskIds, { since: since ?? null, most: tail })
  return { lines: lines.map((line) => taskLineView(line, id)), isCut }
}

/** The header of a reader that resumes, or the query of one that sends no headers. @throws Rejection 400 */
function cursorIn(call: Pick<HandlerContext, 'header'>, lastEventId: string | undefined): LogCursor | undefined {
  const text = call.header('last-event-id') ?? lastEventId
  if (text === undefined) return undefined
  return parseLogCursor(text) ?? reject('invalid', 'The id of the last event is none of this stream', 'INVALID_INPUT')
}

export const applicationLogRoutes = [
  route('GET /api/applications/:id/logs', {
    does: 'Read the newest lines of the containers of an application, or those kept of a deployment whose containers are gone.',
    access: inApplicationByKey('apps:logs'),
    refuses: [409],
    query: Query,
    reply: LogsView,
    handle: logsOf,
  }),

  route('GET /api/applications/:id/logs/stream', {
    does: 'Stream the lines of an application as events `line` and `gap`. Resumes after the id of the last event.',
    access: inApplicationStream('apps:logs'),
    refuses: [409, 429],
    query: z.strictObject({
      ...query,
      sseToken: z.string().max(100).optional(),
      lastEventId: z.string().max(CURSOR_CHARACTERS_MAX).optional().describe('For readers that send no headers.'),
    }),
    reply: liveReply,
    async handle(call) {
      const { tail, since, service = null, deploymentId = null, lastEventId } = call.query
      const known = cursorIn(call, lastEventId)
      const { userId, sid } = userCallerOf(call.caller)
      takeStreamPlace(call.service(openLogStreams), userId, call.abortSignal)
      const cursor = known ?? logCursor(since === undefined ? null : momentOf(since))
      const { application } = call.ruleResult
      const asked = { application, sid, service, deploymentId, tail, cursor, isResumed: known !== undefined }
      return answer(logStream(call, asked))
    },
  }),
]
