import { z } from 'zod'
import { OFFLINE_REQUEST_CHARACTERS_MAX } from '../../../license-client/offline.ts'
import { OFFLINE_DAYS_MAX } from './offline-lease.ts'

export const OfflineLeaseRequest = z.strictObject({
  /** The text that the panel shows. */
  request: z.string().trim().min(1).max(OFFLINE_REQUEST_CHARACTERS_MAX),
  days: z.int().min(1).max(OFFLINE_DAYS_MAX),
})
