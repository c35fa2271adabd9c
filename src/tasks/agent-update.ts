/** Puts another release of the agent in its own place. */
import { z } from 'zod'
import { signedFields } from './agent-release.ts'
import { taskKind } from './kind.ts'

const HOUR_MS = 3_600_000
const RUN_MS = 600_000

/** The process that ends the task is one of the new release, or of the former one after it was taken back. */
export const agentUpdate = taskKind('agent.update', 1, {
  payload: z.strictObject(signedFields),
  result: z.strictObject({ version: signedFields.version }),
  lane: () => 'agent',
  pool: 'quick',
  needs: [],
  deadlineMs: HOUR_MS,
  runMs: () => RUN_MS,
  attempts: 1,
  retryOn: [],
  onRestart: 'adopt',
  shows: ['version'],
})
