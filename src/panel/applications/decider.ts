import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found } from '#kernel/lib/rejection'
import { changedValues } from '#kernel/resource/fields'
import type { ChangesOf } from '#kernel/resource/fields'
import type { Item } from '#kernel/resource/resource'
import { addressCommands, addressEvolve, NO_ADDRESS } from './addresses/rules.ts'
import type { Addressed } from './addresses/rules.ts'
import { applicationEvents, applicationFields } from './events.ts'
import { rotatedSecrets } from './webhook/rules.ts'
import type { WebhookSecrets } from './webhook/rules.ts'

type Created = DataOf<typeof applicationEvents.ApplicationCreated>

export interface Application extends Item<typeof applicationFields>, Addressed {
  readonly projectId: string
  readonly environmentId: string
  readonly serverId: string
  readonly slug: string
  /** Absent: it has none yet. */
  readonly webhook?: WebhookSecrets
  /** Whether pushes to its branch deploy it. */
  readonly autoDeploy?: boolean
}

interface Rotation {
  readonly secret: string
  /** How long the secret before is accepted, too. */
  readonly graceSeconds: number
}

const aboutOf = ({ id: applicationId, projectId, environmentId }: Application) => ({
  applicationId,
  projectId,
  environmentId,
})

export const applications = decider(applicationEvents, {
  initial: undefined as Application | undefined,
  evolve: {
    ApplicationCreated: (_none, { applicationId: id, ...application }, at): Application => ({
      ...NO_ADDRESS,
      ...application,
      id,
      createdAt: at.toISOString(),
    }),
    ApplicationChanged: (application, { applicationId: _id, formerName: _name, ...changed }) => ({
      ...application!,
      ...changed,
    }),
    ApplicationDeleted: () => undefined,
    ...addressEvolve,
    ApplicationWebhookSecretRotated: (application, { secret, formerUntil }) => ({
      ...application!,
      webhook: rotatedSecrets(application!.webhook, secret, formerUntil),
    }),
    ApplicationWebhookInstalled: (application) => ({ ...application!, autoDeploy: true }),
  },
  commands: {
    Create: (_none, ask: Created) => [applicationEvents.ApplicationCreated(ask)],
    Change: (application, { changes }: { readonly changes: ChangesOf<typeof applicationFields> }) => {
      const known = found(application)
      const values = changedValues(applicationFields, known, changes)
      return values
        ? [applicationEvents.ApplicationChanged({ ...aboutOf(known), ...values, formerName: known.name })]
        : []
    },
    Delete: (application, _ask: object) => {
      const known = found(application)
      const { serverId, slug, name } = known
      return [applicationEvents.ApplicationDeleted({ ...aboutOf(known), serverId, slug, name })]
    },
    ...addressCommands,
    RotateWebhookSecret: (application, { secret, graceSeconds }: Rotation, { at }) => {
      const known = found(application)
      const formerUntil =
        known.webhook && graceSeconds > 0 ? new Date(at.getTime() + graceSeconds * 1_000).toISOString() : null
      return [applicationEvents.ApplicationWebhookSecretRotated({ ...aboutOf(known), secret, formerUntil })]
    },
    NoteWebhook: (application, { gitProviderId }: { readonly gitProviderId: string }) => [
      applicationEvents.ApplicationWebhookInstalled({ ...aboutOf(found(application)), gitProviderId }),
    ],
  },
})
