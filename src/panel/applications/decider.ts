import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found } from '#kernel/lib/rejection'
import { changedValues } from '#kernel/resource/fields'
import type { ChangesOf } from '#kernel/resource/fields'
import type { Item } from '#kernel/resource/resource'
import { applicationEvents, applicationFields } from './events.ts'

type Created = DataOf<typeof applicationEvents.ApplicationCreated>

export interface Application extends Item<typeof applicationFields> {
  readonly projectId: string
  readonly environmentId: string
  readonly serverId: string
  readonly slug: string
  /** The newest ones, until their agent has them. */
  readonly commands: readonly Command[]
}

type CommandRun = DataOf<typeof applicationEvents.ApplicationCommandRun>
type Command = Pick<CommandRun, 'taskId' | 'service' | 'replica' | 'command' | 'stdin'>

/** More than a server runs at once. */
const COMMANDS_MAX = 20

const aboutOf = ({ id: applicationId, projectId, environmentId }: Application) => ({
  applicationId,
  projectId,
  environmentId,
})

export const applications = decider(applicationEvents, {
  initial: undefined as Application | undefined,
  evolve: {
    ApplicationCreated: (_none, { applicationId: id, ...application }, at): Application => ({
      ...application,
      id,
      createdAt: at.toISOString(),
      commands: [],
    }),
    ApplicationChanged: (application, { applicationId: _id, formerName: _name, ...changed }) => ({
      ...application!,
      ...changed,
    }),
    ApplicationDeleted: () => undefined,
    ApplicationCommandRun: (application, { taskId, service, replica, command, stdin }) => ({
      ...application!,
      commands: [...application!.commands, { taskId, service, replica, command, stdin }].slice(-COMMANDS_MAX),
    }),
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
    RunCommand: (application, ask: Command) => [
      applicationEvents.ApplicationCommandRun({ ...aboutOf(found(application)), ...ask }),
    ],
    Delete: (application, _ask: object) => {
      const known = found(application)
      const { serverId, slug, name } = known
      return [applicationEvents.ApplicationDeleted({ ...aboutOf(known), serverId, slug, name })]
    },
  },
})
