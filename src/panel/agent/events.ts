/** Tasks: work that the panel asks of a server's agent. */
import { z } from 'zod'
import { eventsAbout, internal, stream } from '#kernel/events/event'

/** JSON of at most 64 KiB. Text, because its shape is the kind's. What is sealed never stands in it. */
const json = internal(z.string())
const attempt = z.int().min(1)

export const TASK_OUTCOMES = ['SUCCEEDED', 'FAILED', 'CANCELLED'] as const
export type TaskOutcome = (typeof TASK_OUTCOMES)[number]

/** The project is named in each event, because its members see its tasks. */
const about = { taskId: z.uuid(), serverId: z.uuid(), projectId: z.uuid().nullable() }

/** What has asked for it: an event, an account's request, a plan. */
const cause = { causeType: z.string(), causeId: z.string() }

const declareEvents = eventsAbout(about)
const events = declareEvents({
  TaskQueued: {
    fields: {
      kind: z.string(),
      kindVersion: z.int(),
      /** Tasks of the server with the same lane run one after the other. */
      lane: z.string().nullable(),
      payload: json,
      ...cause,
      expiresAt: z.iso.datetime(),
    },
    sentence: ({ taskId, serverId, kind }) => `asked server ${serverId} for ${kind}, task ${taskId}`,
  },
  TaskStarted: {
    /** `run` is the process of the agent that has taken it. */
    fields: { attempt, run: z.uuid() },
    sentence: ({ taskId, attempt }) => `handed out task ${taskId}, attempt ${attempt}`,
  },
  TaskRetried: {
    fields: { attempt, code: z.string(), notBefore: z.iso.datetime() },
    sentence: ({ taskId, attempt, code }) =>
      `attempt ${attempt} of task ${taskId} failed with ${code}; another follows`,
  },
  TaskCancelRequested: { fields: {}, sentence: ({ taskId }) => `asked to cancel task ${taskId}` },
  TaskSucceeded: {
    fields: { attempt, result: json },
    sentence: ({ taskId }) => `task ${taskId} succeeded`,
  },
  TaskFailed: {
    /** Attempt 0: it failed before its first one. */
    fields: { attempt: z.int(), code: z.string(), message: internal(z.string()) },
    sentence: ({ taskId, code }) => `task ${taskId} failed with ${code}`,
  },
  TaskCancelled: { fields: { attempt: z.int() }, sentence: ({ taskId }) => `cancelled task ${taskId}` },
  TaskExpired: { fields: {}, sentence: ({ taskId }) => `task ${taskId} expired` },
  /** The agent has told an end after the end. The section that has asked puts right what follows from it. */
  TaskEndedLate: {
    fields: { attempt, outcome: z.enum(TASK_OUTCOMES) },
    sentence: ({ taskId, outcome }) => `task ${taskId} had ended when its agent told ${outcome}`,
  },
})

/** One stream for each task: its states are one machine, and no rule spans two tasks. */
export const taskEvents = stream('task', events)
