/** How the panel's own machinery is getting on; the composition root, which alone knows its parts, gives it. */
import type { Checkpoint } from '#kernel/projections/checkpoints'
import { need } from '#kernel/lib/services'
import type { WorkStatus } from '#kernel/jobs/job-status'

export interface PlatformState {
  /** The position of the newest event. */
  head(): Promise<number>
  /** How far each read model is. */
  readModels(): Promise<readonly Checkpoint[]>
  work(): Promise<WorkStatus>
}

const notGiven = (): never => {
  throw new Error('Nobody said how the platform is getting on')
}

export const platformState = need<PlatformState>('the state of the platform', {
  head: notGiven,
  readModels: notGiven,
  work: notGiven,
})
