import { decider } from '#kernel/events/decider'
import { persistentMap, withEntry, withoutEntry } from '#kernel/lib/persistent-map'
import type { PersistentMap } from '#kernel/lib/persistent-map'
import { reject } from '#kernel/lib/rejection'
import { applicationRosterEvents } from './events.ts'

/** The ids of all applications. */
type Roster = PersistentMap<true>

const NONE: Roster = persistentMap()

interface Enrolment {
  readonly applicationId: string
  /** Of the license. */
  readonly plan: string
  readonly applicationsMax?: number | undefined
}

export const applicationRoster = decider(applicationRosterEvents, {
  initial: NONE,
  snapshot: { version: 1, everyEvents: 500, sealedFor: () => 'installation' },
  evolve: {
    ApplicationEnrolled: (all, { applicationId }) => withEntry(all, applicationId, true as const),
    ApplicationStruck: (all, { applicationId }) => withoutEntry(all, applicationId),
  },
  commands: {
    Enrol: (all, { applicationId, plan, applicationsMax }: Enrolment) => {
      if (applicationsMax !== undefined && all.size >= applicationsMax)
        reject(
          'paymentRequired',
          `The plan ${plan} allows ${applicationsMax} applications: upgrade it or delete an application`,
          'LIMIT_REACHED',
        )
      return [applicationRosterEvents.ApplicationEnrolled({ applicationId })]
    },
    Strike: (_all, { applicationId }: { readonly applicationId: string }) => [
      applicationRosterEvents.ApplicationStruck({ applicationId }),
    ],
  },
})
