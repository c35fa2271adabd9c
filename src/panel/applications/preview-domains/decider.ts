import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { entryOf, persistentMap, valuesOf, withEntry, withoutEntry } from '#kernel/lib/persistent-map'
import type { PersistentMap } from '#kernel/lib/persistent-map'
import { reject } from '#kernel/lib/rejection'
import { previewDomainEvents } from './events.ts'
import { areNested } from './rules.ts'

type Taken = DataOf<typeof previewDomainEvents.PreviewDomainTaken>

/** By the id of the application. */
type Domains = PersistentMap<Taken>

const NONE: Domains = persistentMap()

const freed = (former: Taken | undefined) => (former ? [previewDomainEvents.PreviewDomainFreed(former)] : [])

export const previewDomains = decider(previewDomainEvents, {
  initial: NONE,
  snapshot: { version: 1, everyEvents: 500, sealedFor: () => 'installation' },
  evolve: {
    PreviewDomainTaken: (all, taken) => withEntry(all, taken.applicationId, taken),
    PreviewDomainFreed: (all, { applicationId }) => withoutEntry(all, applicationId),
  },
  commands: {
    /**
     * Instead of the one that the application has. All names below a domain are of its project, so that those of another one are
     * neither the same, nor above, nor below.
     * @param ask.mayKnow whether a refusal names the application that has the domain
     * @throws Rejection 409 BASE_DOMAIN_TAKEN
     */
    Take: (all, { mayKnow, ...taken }: Taken & { readonly mayKnow: boolean }) => {
      const former = entryOf(all, taken.applicationId)
      if (former?.domain === taken.domain && former.projectId === taken.projectId) return []
      mustBeFree(all, taken, mayKnow)
      return [...freed(former), previewDomainEvents.PreviewDomainTaken(taken)]
    },
    /** Nothing happens if the application has none. */
    Free: (all, { applicationId }: Pick<Taken, 'applicationId'>) => freed(entryOf(all, applicationId)),
  },
})

function mustBeFree(all: Domains, { applicationId, projectId, domain }: Taken, mayKnow: boolean): void {
  for (const other of valuesOf(all)) {
    const isInWay = other.domain === domain || (other.projectId !== projectId && areNested(domain, other.domain))
    if (other.applicationId === applicationId || !isInWay) continue
    if (mayKnow)
      reject(
        'conflict',
        `Application ${other.applicationId} has its previews under ${other.domain}: turn them off first`,
        'BASE_DOMAIN_TAKEN',
      )
    if (other.domain === domain)
      reject(
        'conflict',
        'Another application has its previews under this domain: choose another one',
        'BASE_DOMAIN_TAKEN',
      )
    reject(
      'conflict',
      'Another project has its previews above or below this domain: choose another one',
      'BASE_DOMAIN_TAKEN',
    )
  }
}
