/** The kinds of tasks that sections ask for, with what the panel alone knows of them. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import type { JobContext } from '#kernel/jobs/job-context'
import { serviceKey } from '#kernel/lib/services'
import { declaration } from '#kernel/resource/declaration'
import type { TaskKind } from '../../tasks/kind.ts'
import type { Task } from './decider.ts'

/** NOW · LATER: the task ends without it · NO: the task is cancelled. */
export type MayCommit = 'NOW' | 'LATER' | 'NO'

export interface AskedKind {
  readonly kind: TaskKind
  /**
   * What events seal and the agent needs, read at each hand-out. JSON of at most 1 MiB; null: nothing.
   * @throws Rejection if the task can never be done: it fails with its code
   */
  secrets?(task: Task, call: Pick<HandlerContext, 'read' | 'vault' | 'run' | 'service'>): Promise<object | null>
  /** Whether the task may begin what a cancel does not take back, and notes that it does. It may be asked again. Absent: NO. */
  mayCommit?(unit: UnitOfWork, task: Task): Promise<MayCommit>
  /** What follows from its end, whatever that is. It may be called again, as a reaction may. */
  onEnd?(task: Task, work: JobContext): Promise<void>
}

/** By their names. */
export type AskedKinds = ReadonlyMap<string, AskedKind>

export const askedKinds = serviceKey<AskedKinds>('kinds of tasks', new Map())

/** The section that asks for tasks of a kind declares it. */
export const askedTask = declaration<AskedKind>()

/** @throws Error at start for two kinds with one name */
export function byKindName<Asked extends { readonly kind: { readonly name: string } }>(
  all: readonly Asked[],
): ReadonlyMap<string, Asked> {
  const byName = new Map(all.map((each) => [each.kind.name, each]))
  if (byName.size < all.length) throw new Error('Two kinds of work have the same name')
  return byName
}
