import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { changedValues } from '#kernel/resource/fields'
import type { ChangesOf } from '#kernel/resource/fields'
import type { Item } from '#kernel/resource/resource'
import { aboutOf } from './about/events.ts'
import { addressCommands, addressEvolve, NO_ADDRESS } from './addresses/rules.ts'
import type { Addressed } from './addresses/rules.ts'
import { fromKept, toKept } from './command-rules.ts'
import { dataCommands, dataEvolve } from './data/rules.ts'
import type { WithData } from './data/rules.ts'
import { applicationEvents, applicationFields, sealedForApplication } from './events.ts'
import type { APPLICATION_FILES, ApplicationValues, KeptValues } from './events.ts'
import { NO_PREVIEWS } from './previews/events.ts'
import type { PreviewSettings } from './previews/events.ts'
import { previewsConfigured, previewSettingCommands, previewSettingEvolve } from './previews/rules.ts'
import { rotatedSecrets } from './webhook/rules.ts'
import type { WebhookSecrets } from './webhook/rules.ts'

type Created = Omit<DataOf<typeof applicationEvents.ApplicationCreated>, keyof KeptValues> & ApplicationValues

export interface Application extends Item<typeof applicationFields>, Addressed, WithData {
  readonly projectId: string
  readonly environmentId: string
  readonly serverId: string
  readonly slug: string
  /** The newest ones, until their agent has them. */
  readonly commands: readonly Command[]
  /** Absent: it has none yet. */
  readonly webhook?: WebhookSecrets
  /** Whether pushes to its branch deploy it. */
  readonly autoDeploy: boolean
  readonly files: ApplicationFiles
  readonly previews: PreviewSettings
}

type CommandRun = DataOf<typeof applicationEvents.ApplicationCommandRun>
type Command = Pick<CommandRun, 'taskId' | 'previewId' | 'service' | 'replica' | 'command' | 'stdin'>

/** More than a server runs at once. */
const COMMANDS_MAX = 20

interface Rotation {
  readonly secret: string
  /** How long the secret before is accepted, too. */
  readonly graceSeconds: number
}

/** The texts that are kept for it. Null: none. */
export type ApplicationFiles = Readonly<Record<'compose' | 'dockerfile', string | null>>

interface FileText {
  readonly file: (typeof APPLICATION_FILES)[number]
  readonly content: string | null
}

export const FILE_FIELDS = { COMPOSE: 'compose', DOCKERFILE: 'dockerfile' } as const
const NO_FILES: ApplicationFiles = { compose: null, dockerfile: null }

const autoDeploySet = (application: Application, autoDeploy: boolean) =>
  applicationEvents.ApplicationAutoDeploySet({ ...aboutOf(application), autoDeploy })

export const applications = decider(applicationEvents, {
  initial: undefined as Application | undefined,
  // Each change of a file brings its whole text.
  snapshot: { version: 3, everyEvents: 50, sealedFor: (applicationId) => sealedForApplication({ applicationId }) },
  evolve: {
    ApplicationCreated: (_none, { applicationId: id, ...application }, at): Application => ({
      ...NO_ADDRESS,
      ...fromKept(application),
      id,
      autoDeploy: false,
      files: NO_FILES,
      previews: NO_PREVIEWS,
      createdAt: at.toISOString(),
      commands: [],
      dataCopy: null,
    }),
    ApplicationChanged: (application, { applicationId: _id, formerName: _name, ...changed }) => ({
      ...application!,
      ...fromKept(changed),
    }),
    ApplicationAutoDeploySet: (application, { autoDeploy }) => ({ ...application!, autoDeploy }),
    ApplicationFileWritten: (application, { file, content }) => ({
      ...application!,
      files: { ...application!.files, [FILE_FIELDS[file]]: content },
    }),
    ApplicationTransferred: (application, { projectId, environmentId }) => ({
      ...application!,
      projectId,
      environmentId,
    }),
    ApplicationDeleted: () => undefined,
    ApplicationCommandRun: (application, { taskId, previewId, service, replica, command, stdin }) => ({
      ...application!,
      commands: [...application!.commands, { taskId, previewId, service, replica, command, stdin }].slice(
        -COMMANDS_MAX,
      ),
    }),
    ...addressEvolve,
    ...dataEvolve,
    ...previewSettingEvolve,
    ApplicationWebhookSecretRotated: (application, { secret, formerUntil }) => ({
      ...application!,
      webhook: rotatedSecrets(application!.webhook, secret, formerUntil),
    }),
    ApplicationWebhookInstalled: (application) => ({ ...application!, autoDeploy: true }),
  },
  commands: {
    Create: (_none, ask: Created) => [applicationEvents.ApplicationCreated(toKept(ask))],
    Change: (application, { changes }: { readonly changes: ChangesOf<typeof applicationFields> }) => {
      const known = found(application)
      const values = changedValues(applicationFields, known, changes)
      if (!values) return []
      const changed = applicationEvents.ApplicationChanged({
        ...aboutOf(known),
        ...toKept(values),
        formerName: known.name,
      })
      if (values.source.kind === 'GIT') return [changed]
      const off = known.autoDeploy ? [autoDeploySet(known, false)] : []
      return [changed, ...off, ...previewsConfigured(known, { enabled: false })]
    },
    SetAutoDeploy: (application, { enabled }: { readonly enabled: boolean }) => {
      const known = found(application)
      if (known.source.kind !== 'GIT')
        reject('conflict', 'Pushes deploy applications from git alone: choose a repository first', 'NO_REPOSITORY')
      return known.autoDeploy === enabled ? [] : [autoDeploySet(known, enabled)]
    },
    WriteFile: (application, { file, content }: FileText) => {
      const known = found(application)
      if (known.files[FILE_FIELDS[file]] === content) return []
      return [applicationEvents.ApplicationFileWritten({ ...aboutOf(known), file, content })]
    },
    RunCommand: (application, ask: Command) => [
      applicationEvents.ApplicationCommandRun({ ...aboutOf(found(application)), ...ask }),
    ],
    Transfer: (application, to: Pick<Application, 'projectId' | 'environmentId'>) => {
      const { id: applicationId, name, ...from } = found(application)
      const left = { fromProjectId: from.projectId, fromEnvironmentId: from.environmentId }
      return [applicationEvents.ApplicationTransferred({ applicationId, ...to, name, ...left })]
    },
    Delete: (application, _ask: object) => {
      const known = found(application)
      const { serverId, slug, name } = known
      return [applicationEvents.ApplicationDeleted({ ...aboutOf(known), serverId, slug, name })]
    },
    ...addressCommands,
    ...dataCommands,
    ...previewSettingCommands,
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
