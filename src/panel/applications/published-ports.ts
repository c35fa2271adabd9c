/** The ports of the server that the engine leads to an application. */
import type { PublishedPort } from '../../tasks/releases.ts'
import type { Application } from './decider.ts'

/** The proxy knows TCP alone. */
export const publishedOf = ({ ports }: Pick<Application, 'ports'>): PublishedPort[] =>
  Object.values(ports).flatMap(({ ip, port, containerPort, protocol }) =>
    protocol === 'UDP' ? [{ ip, port, containerPort, protocol }] : [],
  )
