/** The commands of a release, which are among the secrets of its task. */
import type { ReleaseSecrets, ReleaseService } from '../../tasks/releases.ts'
import { TaskFailure } from '../performer.ts'

/** @throws TaskFailure NO_COMMAND for a health check by a command without one */
export const withCommands = <Of extends { readonly services: readonly ReleaseService[] }>(
  release: Of,
  { commands = [] }: ReleaseSecrets,
): Of & { readonly services: ReleaseService[] } => ({
  ...release,
  services: release.services.map((service) => {
    const own = commands.find((each) => each.service === service.name)
    const { health } = service
    const told = own ? { ...service, command: own.command, health: { ...health, command: own.health } } : service
    if (told.health.kind === 'COMMAND' && told.health.command === null)
      throw new TaskFailure('NO_COMMAND', `The health check of ${service.name} has no command`)
    return told
  }),
})
