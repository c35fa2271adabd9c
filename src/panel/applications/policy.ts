/**
 * What no application may be, whichever way it comes: created, changed, by a file that is written here, by a file of its
 * repository, as a copy, or promoted.
 */
import { reject } from '#kernel/lib/rejection'
import { composeServices } from './compose/services.ts'
import type { ApplicationFiles } from './decider.ts'
import type { ApplicationValues } from './events.ts'
import { plannedServices } from './planned-services.ts'

type Source = ApplicationValues['source']

/** Whether its services are those of a Compose file. */
export const isComposed = (source: Source): boolean =>
  source.kind === 'COMPOSE' || (source.kind === 'GIT' && source.build === 'COMPOSE')

/** @throws Rejection 400 CHECK_NEEDS_PORT · VOLUME_TWICE · IN_COMPOSE_FILE · COMPOSE_REFUSED */
export function mustBeAllowed(values: ApplicationValues, { compose }: Pick<ApplicationFiles, 'compose'>): void {
  mustBeCheckable(values)
  mustMountOnce(values)
  if (isComposed(values.source)) mustLeaveToCompose(values)
  if (compose === null) return
  const services = composeServices(compose)
  if (isComposed(values.source)) plannedServices(values, services)
}

function mustBeCheckable({ port, healthCheck: { kind } }: ApplicationValues): void {
  if (port === null && (kind === 'HTTP' || kind === 'TCP'))
    reject('invalid', `A health check of the kind ${kind} needs the port of the application`, 'CHECK_NEEDS_PORT')
}

function mustMountOnce({ volumes }: ApplicationValues): void {
  for (const field of ['name', 'mountPath'] as const)
    if (new Set(volumes.map((each) => each[field])).size < volumes.length)
      reject('invalid', `Two volumes have the same ${field}: use each one once`, 'VOLUME_TWICE')
}

function mustLeaveToCompose({ volumes, command }: ApplicationValues): void {
  if (volumes.length > 0 || command !== null)
    reject(
      'invalid',
      'Volumes and commands of this application are in its Compose file: leave them out',
      'IN_COMPOSE_FILE',
    )
}
