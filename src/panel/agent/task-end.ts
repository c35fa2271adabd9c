/** What an agent tells of the end of an attempt, as its task takes it. */
import type { z } from 'zod'
import { StreamQueue } from '#kernel/commands/stream-queue'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import type { TaskKind } from '../../tasks/kind.ts'
import { planApply } from '../../tasks/plan.ts'
import { RESULT_BYTES_MAX } from '../../tasks/protocol.ts'
import type { ResultAnswer, ResultBody } from '../../tasks/protocol.ts'
import { hasEnded, tasks } from './decider.ts'
import type { End, Task } from './decider.ts'
import { askedKinds } from './kinds.ts'
import { readResultFile, textOfFile } from './long-results.ts'
import { askedPlans } from './plans.ts'

type Call = Pick<HandlerContext, 'telemetry' | 'service' | 'run'>

/** Long results are read one after another, so that one agent can neither fill the memory nor hold the event loop. */
const longReads = serviceKey<StreamQueue>('turns of long results', new StreamQueue())
const TURN = 'a long result'

const NO_RETRY = { attempts: 1, retryOn: [] }
const BAD_RESULT = {
  outcome: 'FAILED',
  code: 'BAD_RESULT',
  message: 'The agent told a result of another form',
} as const

type Noted = z.output<typeof ResultAnswer>

/**
 * @param named tasks of which the agent need not be told that they are over
 * @throws Rejection 503 CONTENTION while many long results are read
 */
export async function noteEnd(call: Call, id: string, body: ResultBody, named: Set<string>): Promise<Noted> {
  const look = async () => found(await call.run((unit) => unit.look(tasks, id)))
  const isLong = body.outcome === 'SUCCEEDED' && body.file !== undefined && !hasEnded(await look())
  const endTurn = isLong ? await call.service(longReads).acquire(TURN) : () => {}
  try {
    const task = await look()
    const kind = call.service(askedKinds).get(task.kind)?.kind
    const end = hasEnded(task) ? lateEndOf(task, body) : await endOf(call, { id, ...task }, body, kind)
    const write = () =>
      call.run(async (unit) => {
        await unit.decide(tasks, id, 'End', { ...end, retry: kind ?? NO_RETRY })
        const { state, lateEnds } = found(await unit.load(tasks, id))
        const late = lateEnds.some(({ attempt, outcome }) => attempt === end.attempt && outcome === end.outcome)
        return { state, late }
      })
    return await (task.attempt === body.attempt ? naming(named, id, write) : write())
  } finally {
    endTurn()
  }
}

/** The answer says that it is over: a poll that waits is not answered for that. */
async function naming(named: Set<string>, id: string, write: () => Promise<Noted>): Promise<Noted> {
  let noted: Noted | undefined
  named.add(id)
  try {
    noted = await write()
    return noted
  } finally {
    if (!noted || !hasEnded(noted)) named.delete(id)
  }
}

/** Nothing leaves an end, so that the outcome alone counts, and no result is read again. */
function lateEndOf({ errorCode }: Task, { attempt, ...body }: ResultBody): End {
  if (body.outcome === 'FAILED') return { outcome: 'FAILED', attempt, ...body.error }
  if (body.outcome === 'CANCELLED') return { outcome: 'CANCELLED', attempt }
  return errorCode === BAD_RESULT.code
    ? { ...BAD_RESULT, attempt }
    : { outcome: 'SUCCEEDED', attempt, result: JSON.stringify(null) }
}

/** A result that its kind does not allow is kept out, and one that belongs in a file as well. */
async function endOf(
  call: Call,
  { id, payload }: Pick<Task, 'payload'> & { readonly id: string },
  body: ResultBody,
  kind: TaskKind | undefined,
): Promise<End> {
  const { attempt } = body
  if (body.outcome === 'CANCELLED') return { outcome: 'CANCELLED', attempt }
  if (body.outcome === 'FAILED') return { outcome: 'FAILED', attempt, ...body.error }
  const { file } = body
  if (kind?.isResultFiled && !file) return { ...BAD_RESULT, attempt }
  const parsed = kind?.result.safeParse(file ? await readResultFile(call, id, file) : body.result)
  if (!parsed?.success || !isAppliedPlan(call, { kind, payload, result: parsed.data }))
    return { ...BAD_RESULT, attempt }
  const text = JSON.stringify(parsed.data)
  const isFiled = kind?.isResultFiled === true
  const result = file && (isFiled || Buffer.byteLength(text) > RESULT_BYTES_MAX) ? textOfFile(file) : text
  return Buffer.byteLength(result) > RESULT_BYTES_MAX
    ? { ...BAD_RESULT, attempt }
    : { outcome: 'SUCCEEDED', attempt, result }
}

/** Of a task that brings a plan, the plan says what its result holds. */
function isAppliedPlan(
  { service }: Pick<HandlerContext, 'service'>,
  {
    kind,
    payload,
    result,
  }: { readonly kind: TaskKind | undefined; readonly payload: string; readonly result: unknown },
): boolean {
  if (kind?.name !== planApply.name) return true
  const plan = service(askedPlans).get(planApply.payload.parse(JSON.parse(payload)).plan)
  return plan?.kind.result.safeParse((result as z.output<typeof planApply.result>).applied).success !== false
}
