/** The services of a Compose file within what their application reserves. */
import type { ReleaseHealth } from '../../tasks/releases.ts'
import { UNCHECKED } from './compose/health.ts'
import { refuseCompose } from './compose/refusals.ts'
import type { ComposeService } from './compose/services.ts'
import type { ApplicationValues } from './events.ts'

type Amount = 'memoryMiB' | 'cpuMillis'
const LEAST: Readonly<Record<Amount, number>> = { memoryMiB: 16, cpuMillis: 50 }

type Values = Pick<ApplicationValues, 'source' | 'port' | 'replicas' | Amount | 'healthCheck' | 'stopSeconds'>

export interface SizedService extends ComposeService {
  readonly isHttp: boolean
  readonly replicas: number
  readonly memoryMiB: number
  readonly cpuMillis: number
  readonly health: ReleaseHealth
  readonly stopSeconds: number
}

/**
 * All containers together get what the application reserves, which is its replicas times their size. Services whose size the
 * file does not say share equally what the others leave.
 * @throws Rejection 400 COMPOSE_REFUSED
 */
export function plannedServices(values: Values, services: readonly ComposeService[]): SizedService[] {
  refuseBuilds(values, services)
  const http = httpServiceOf(values, services)
  const counted = services.map((each) => {
    const isHttp = each.name === http
    return { ...each, isHttp, replicas: each.replicas ?? (isHttp ? values.replicas : 1) }
  })
  const [memoryMiB, cpuMillis] = [shareOf(values, counted, 'memoryMiB'), shareOf(values, counted, 'cpuMillis')]
  return counted.map((each) => ({
    ...each,
    port: each.isHttp ? values.port : each.port,
    memoryMiB: each.memoryMiB ?? memoryMiB,
    cpuMillis: each.cpuMillis ?? cpuMillis,
    health: each.isHttp ? values.healthCheck : (each.health ?? UNCHECKED),
    stopSeconds: each.stopSeconds ?? values.stopSeconds,
  }))
}

function refuseBuilds({ source }: Values, services: readonly ComposeService[]): void {
  const built = services.find(({ build }) => build !== null)
  if (built && source.kind !== 'GIT')
    refuseCompose(
      ['services', built.name, 'build'],
      'NO_SOURCE',
      'nothing can be built without a repository: name an image',
    )
}

/** Undefined for an application that serves no HTTP. */
function httpServiceOf({ source, port }: Values, services: readonly ComposeService[]): string | undefined {
  if (port === null) return undefined
  const named = source.kind === 'COMPOSE' || source.kind === 'GIT' ? source.service : null
  const only = services.length === 1 ? services[0]!.name : undefined
  const name = named ?? only
  if (name === undefined)
    return refuseCompose(['services'], 'SERVICE', 'name the service that serves HTTP in the source')
  if (!services.some((each) => each.name === name))
    refuseCompose(['services'], 'SERVICE', `the file has no service ${name}, which shall serve HTTP`)
  return name
}

type Counted = ComposeService & { readonly replicas: number }

/** Of one container of a service whose size the file does not say. */
function shareOf(values: Values, services: readonly Counted[], amount: Amount): number {
  const reserved = values.replicas * values[amount]
  const said = services.reduce((sum, each) => sum + each.replicas * (each[amount] ?? 0), 0)
  const sharing = services.reduce((sum, each) => sum + (each[amount] === null ? each.replicas : 0), 0)
  const share = sharing === 0 ? 0 : Math.floor((reserved - said) / sharing)
  if (said > reserved || (sharing > 0 && share < LEAST[amount]))
    refuseCompose(
      ['services'],
      'TOO_LARGE',
      `its containers need more ${amount} than the application reserves (${reserved})`,
    )
  return share
}
