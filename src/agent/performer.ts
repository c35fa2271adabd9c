/** Performers do the work of a kind on the host. Each kind has one. */
import type { AskKind, FollowKind, TaskKind } from '../tasks/kind.ts'
import type { LogLine } from '../tasks/protocol.ts'
import type { Sent } from './transfers.ts'

/** An attempt that a performer works on. */
export interface Work<Payload> {
  readonly taskId: string
  readonly attempt: number
  readonly payload: Payload
  /** What the events of the panel seal; null for a task without secrets. */
  readonly secrets: unknown
  /** Aborted when the task is cancelled, and when its time is over. */
  readonly signal: AbortSignal
  /** Whether an earlier process of the agent has begun this attempt. */
  readonly isResumed: boolean
  /** The time by the panel's answers. */
  panelNow(): Date
  /** What earlier processes and attempts have made, by its name. */
  readonly made: ReadonlyMap<string, string>
  /** The number of lines that were said so far, by earlier processes too. */
  readonly linesSaid: number
  /** Keeps on the disk what the task has made. Resolves before the next step may begin. */
  note(name: string, ref: string): Promise<void>
  /** One line of its log. */
  say(text: string, of?: LogLine['of']): Promise<void>
  /** A piece of output, which may end within a line. */
  write(of: 'OUT' | 'ERR', piece: string): Promise<void>
  /**
   * Asks the panel whether what a cancel does not take back may begin. @returns false: not by this task
   * @throws when the task is cancelled, or its time is over
   */
  mayCommit(): Promise<boolean>
  /** The bytes that its transfer brings. @throws TaskFailure TRANSFER_LOST, also in the middle */
  download(): AsyncIterable<Uint8Array>
  /** Sends bytes by its transfer. @throws TaskFailure TRANSFER_LOST */
  upload(bytes: AsyncIterable<Uint8Array>): Promise<Sent>
}

export interface Performer extends PerformerOptions {
  readonly kind: TaskKind
  perform(work: Work<unknown>): Promise<unknown>
}

interface PerformerOptions {
  /** The texts within its secrets that what it says must not show. Undefined: all. */
  readonly redacts?: ((secrets: unknown) => readonly string[]) | undefined
  /** Ends what an earlier process has left of a task that is not resumed. */
  clear?(left: Pick<Work<unknown>, 'taskId' | 'made'>): Promise<void>
}

/** @throws TaskFailure from `perform` for a failure that callers may see; any other error is INTERNAL */
export const performer = <Payload, Result>(
  kind: TaskKind<Payload, Result>,
  perform: (work: Work<Payload>) => Promise<Result>,
  options: PerformerOptions = {},
): Performer => ({ kind, perform: (work) => perform(work as Work<Payload>), ...options })

/** Answers a read of the host. It changes nothing. */
export interface Asker {
  readonly kind: AskKind
  answer(params: unknown, asked: Asked): Promise<unknown>
}

export interface Asked {
  /** Null for an ask without secrets. */
  readonly secrets: unknown
  /** Aborted when the caller waits no longer. */
  readonly signal: AbortSignal
}

/** @throws TaskFailure from `answer` for a failure that callers may see */
export const asker = <Params, Answer>(
  kind: AskKind<Params, Answer>,
  answer: (params: Params, asked: Asked) => Promise<Answer>,
): Asker => ({ kind, answer: (params, asked) => answer(params as Params, asked) })

/** Says what happens on the host, from now on, for those who look at it. It changes nothing. */
export interface Follower extends FollowerOptions {
  readonly kind: FollowKind
  follow(params: unknown, followed: Followed): Promise<void>
}

export interface Followed extends Asked {
  /** Resolves when more can be taken: a reader may be slow. @param texts one, or all that there are now */
  say(texts: string | readonly string[], of?: LogLine['of']): Promise<void>
}

type FollowerOptions = Pick<PerformerOptions, 'redacts'>

/** @throws TaskFailure from `follow` for a failure that callers may see */
export const follower = <Params>(
  kind: FollowKind<Params>,
  follow: (params: Params, followed: Followed) => Promise<void>,
  options: FollowerOptions = {},
): Follower => ({ kind, follow: (params, followed) => follow(params as Params, followed), ...options })

/** Its message is shown to people, so it has no secrets. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
