/** The moment from which on a cancel of a task comes too late: the agent asks for it, and the section decides. */
import type { HandlerContext } from '#kernel/http/route'
import type { ProgressAnswer } from '../../tasks/protocol.ts'
import { tasks } from './decider.ts'
import { askedKinds } from './kinds.ts'

type Call = Pick<HandlerContext, 'run' | 'service'>

/** A task that does not run, or runs in another attempt, is answered as one that is cancelled. */
export async function commitOf(
  { run, service }: Call,
  id: string,
  attempt: number,
): Promise<Pick<ProgressAnswer, 'cancel' | 'mayCommit'>> {
  const may = await run(async (unit) => {
    const task = await unit.load(tasks, id)
    if (task?.state !== 'RUNNING' || task.attempt !== attempt) return 'NO'
    return (await service(askedKinds).get(task.kind)?.mayCommit?.(unit, task)) ?? 'NO'
  })
  return { cancel: may === 'NO', mayCommit: may === 'NOW' }
}
