/** State of the panel's own processing. The composition root provides it, because only it knows the parts. */
import type { JobsStatus } from '#kernel/jobs/job-status'
import { requiredService } from '#kernel/lib/services'
import type { ProjectionCheckpoint } from '#kernel/projections/checkpoints'

export interface PlatformState {
  /** Position of the newest event. */
  head(): Promise<number>
  /** Checkpoint of each read model. */
  readModels(): Promise<readonly ProjectionCheckpoint[]>
  work(): Promise<JobsStatus>
}

export const platformState = requiredService<PlatformState>('platform state')
