/**
 * The states of a task: QUEUED, RUNNING, CANCELLING, and four ends that nothing leaves. The agent of a server is one
 * process, so nothing here depends on who works: a task that runs and is not held is handed out again.
 */
import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { taskEvents } from './events.ts'
import type { TaskOutcome } from './events.ts'

const RETRY_MS = 2_000
const RETRY_MS_MAX = 60_000

export type OpenState = 'QUEUED' | 'RUNNING' | 'CANCELLING'
export type EndState = TaskOutcome | 'EXPIRED'

type Queued = DataOf<typeof taskEvents.TaskQueued>

/** What the agent has told of an attempt. */
interface ToldEnd {
  readonly attempt: number
  readonly outcome: TaskOutcome
}

export interface Task extends Queued {
  readonly state: OpenState | EndState
  /** The newest one; 0 before the first. */
  readonly attempt: number
  /** Of an attempt after the first. */
  readonly notBefore: string | null
  readonly result: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** Ends that were told, so that an answer that was lost can be given again. */
  readonly told: readonly ToldEnd[]
  /** Those that came after the end. */
  readonly lateEnds: readonly ToldEnd[]
}

/** How failures of its kind are tried again. */
export interface RetryRule {
  readonly attempts: number
  readonly retryOn: readonly string[]
  readonly retryMsMax?: number | undefined
}

export type End =
  | { readonly outcome: 'SUCCEEDED'; readonly attempt: number; readonly result: string }
  | { readonly outcome: 'FAILED'; readonly attempt: number; readonly code: string; readonly message: string }
  | { readonly outcome: 'CANCELLED'; readonly attempt: number }

/** Each attempt of a kind may end once more; beyond, an agent only repeats itself. */
const LATE_ENDS_MAX = 20

const ENDS: readonly Task['state'][] = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED']
export const hasEnded = ({ state }: Pick<Task, 'state'>): boolean => ENDS.includes(state)

const aboutOf = ({ taskId, serverId, projectId }: Task) => ({ taskId, serverId, projectId })

/** Whether the agent has told this end before, and the task has taken notice of it. */
const isTold = ({ told }: Task, { attempt, outcome }: ToldEnd): boolean =>
  told.some((each) => each.attempt === attempt && each.outcome === outcome)

/** 2 s, 4 s and so on: no random part, because attempts of different tasks do not meet. */
const retryAt = (at: Date, attempt: number, mostMs = RETRY_MS_MAX): string =>
  new Date(at.getTime() + Math.min(RETRY_MS * 2 ** (attempt - 1), mostMs)).toISOString()

const withTold = (task: Task, told: ToldEnd): Task => ({ ...task, told: [...task.told, told] })

export const tasks = decider(taskEvents, {
  initial: undefined as Task | undefined,
  evolve: {
    TaskQueued: (_none, queued): Task => ({
      ...queued,
      state: 'QUEUED',
      attempt: 0,
      notBefore: null,
      result: null,
      errorCode: null,
      errorMessage: null,
      told: [],
      lateEnds: [],
    }),
    TaskStarted: (task, { attempt }): Task => ({ ...task!, state: 'RUNNING', attempt, notBefore: null }),
    TaskRetried: (task, { attempt, notBefore }) =>
      withTold({ ...task!, state: 'QUEUED', notBefore }, { attempt, outcome: 'FAILED' }),
    TaskCancelRequested: (task): Task => ({ ...task!, state: 'CANCELLING' }),
    TaskSucceeded: (task, { attempt, result }) =>
      withTold({ ...task!, state: 'SUCCEEDED', result }, { attempt, outcome: 'SUCCEEDED' }),
    TaskFailed: (task, { attempt, code, message }) =>
      withTold({ ...task!, state: 'FAILED', errorCode: code, errorMessage: message }, { attempt, outcome: 'FAILED' }),
    TaskCancelled: (task, { attempt }) => withTold({ ...task!, state: 'CANCELLED' }, { attempt, outcome: 'CANCELLED' }),
    TaskExpired: (task): Task => ({ ...task!, state: 'EXPIRED' }),
    TaskEndedLate: (task, { attempt, outcome }) => {
      const late = { attempt, outcome }
      return withTold({ ...task!, lateEnds: [...task!.lateEnds, late] }, late)
    },
  },
  commands: {
    /** A second request with the same id decides nothing: reactions and requests may be repeated. */
    Queue: (task, ask: Queued) => (task ? [] : [taskEvents.TaskQueued(ask)]),

    /**
     * For a task that the agent does not hold. What runs is handed out again, in the same attempt, and needs no event.
     * @param ask.isKnown whether the agent knows the kind in this version
     */
    HandOut: (task, { run, isKnown }: { run: string; isKnown: boolean }, { at }) => {
      if (!task || hasEnded(task)) return []
      const about = aboutOf(task)
      if (at.getTime() > Date.parse(task.expiresAt)) return [taskEvents.TaskExpired(about)]
      if (task.state !== 'QUEUED') return []
      if (task.notBefore !== null && at.getTime() < Date.parse(task.notBefore)) return []
      if (!isKnown)
        return [taskEvents.TaskFailed({ ...about, attempt: task.attempt, code: 'AGENT_TOO_OLD', message: TOO_OLD })]
      return [taskEvents.TaskStarted({ ...about, attempt: task.attempt + 1, run })]
    },

    /** What has not started ends at once; what runs ends when its agent tells so. */
    Cancel: (task, _ask: object) => {
      if (!task || hasEnded(task) || task.state === 'CANCELLING') return []
      const about = aboutOf(task)
      return task.state === 'QUEUED'
        ? [taskEvents.TaskCancelled({ ...about, attempt: task.attempt })]
        : [taskEvents.TaskCancelRequested(about)]
    },

    /** What the agent tells. The same end may be told again; one after the end is late. */
    End: (task, { retry, ...end }: End & { readonly retry: RetryRule }, { at }) => {
      if (!task || isTold(task, end)) return []
      const about = { ...aboutOf(task), attempt: end.attempt }
      if (hasEnded(task))
        return task.lateEnds.length < LATE_ENDS_MAX
          ? [taskEvents.TaskEndedLate({ ...about, outcome: end.outcome })]
          : []
      if (end.outcome === 'SUCCEEDED') return [taskEvents.TaskSucceeded({ ...about, result: end.result })]
      if (end.outcome === 'CANCELLED') return [taskEvents.TaskCancelled(about)]
      const { code, message } = end
      const isTriedAgain = task.state !== 'CANCELLING' && end.attempt < retry.attempts && retry.retryOn.includes(code)
      return isTriedAgain
        ? [taskEvents.TaskRetried({ ...about, code, notBefore: retryAt(at, end.attempt, retry.retryMsMax) })]
        : [taskEvents.TaskFailed({ ...about, code, message })]
    },

    /** The time of a task that no agent has taken is over. */
    Expire: (task, _ask: object, { at }) =>
      task?.state === 'QUEUED' && at.getTime() >= Date.parse(task.expiresAt)
        ? [taskEvents.TaskExpired(aboutOf(task))]
        : [],

    /** The server was reset or removed, or the plan has a newer revision: nothing will tell an end. */
    Abandon: (task, { code, message }: { code: string; message: string }) =>
      !task || hasEnded(task)
        ? []
        : [taskEvents.TaskFailed({ ...aboutOf(task), attempt: task.attempt, code, message })],
  },
})

const TOO_OLD = 'The agent of the server does not know this kind of task: update the agent'
