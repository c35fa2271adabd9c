/** The task by which a plan reaches the agent of a server. What the plan says is sealed, as secrets of a task are. */
import { z } from 'zod'
import { taskKind } from './kind.ts'

const HOUR_MS = 3_600_000
const RUN_MS = 300_000

/** The highest position of the events that a plan is made of. */
export const revision = z.int().min(0)

export const planApply = taskKind('plan.apply', 1, {
  payload: z.strictObject({
    plan: z.string().max(100),
    version: z.int().min(1),
    revision,
    /** The newer revision that the agent has from before the panel was restored from a backup. */
    replaces: revision.optional(),
  }),
  /** The body may be newer than the payload: it is made at each hand-out. */
  result: z.strictObject({ revision, applied: z.json() }),
  lane: ({ plan }) => `plan/${plan}`,
  pool: 'quick',
  needs: [],
  deadlineMs: HOUR_MS,
  runMs: () => RUN_MS,
  attempts: 3,
  retryOn: ['ENGINE_DOWN', 'INTERRUPTED'],
  onRestart: 'repeat',
  shows: ['plan', 'revision'],
})

/** The secrets of that task. */
export const PlanContents = z.strictObject({ revision, body: z.json() })
export type PlanContents = z.output<typeof PlanContents>
