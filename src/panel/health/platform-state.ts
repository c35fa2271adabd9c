/** How the panel's own machinery is getting on; the composition root, which alone knows its parts, gives it. */
import type { ProjectionCheckpoint } from '#kernel/projections/checkpoints'
import { serviceKey } from '#kernel/lib/services'
import type { JobsStatus } from '#kernel/jobs/job-status'

export interface PlatformState {
  /** The position of the newest event. */
  head(): Promise<number>
  /** How far each read model is. */
  readModels(): Promise<readonly ProjectionCheckpoint[]>
  work(): Promise<JobsStatus>
}

const throwNotProvided = (): never => {
  throw new Error('Nobody said how the platform is getting on')
}

export const platformState = serviceKey<PlatformState>('the state of the platform', {
  head: throwNotProvided,
  readModels: throwNotProvided,
  work: throwNotProvided,
})
