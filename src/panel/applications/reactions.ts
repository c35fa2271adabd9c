import { reaction } from '#kernel/jobs/reaction'
import { applicationEvents, sealedForApplication } from './events.ts'

/** Destroys the key of a deleted application. */
export const eraseApplicationKeys = reaction('application-keys', {
  on: [applicationEvents.ApplicationDeleted],
  run: ({ data }, { vault }) => vault.erase([sealedForApplication(data)]),
})
