/** How a new release replaces the one before: with both at the same time, or with the old one stopped first. */
import type { Application } from './decider.ts'

/** Why two releases of an application cannot run at the same time. */
export const STOP_FIRST_REASONS = {
  VOLUME_NOT_SHARED: 'A volume is not shared, so that the old containers stop before new ones use it',
  UDP_PORT: 'A port of UDP leads to the containers of one release alone, so that the old ones stop first',
  ASKED_FOR: 'The rollover STOP_FIRST is configured, so that the old containers stop before new ones start',
} as const
export type StopFirstReason = keyof typeof STOP_FIRST_REASONS

/** What containers keep, of each service. */
interface Planned {
  readonly services: readonly { readonly volumes: readonly { readonly mountPath: string }[] }[]
}
type Configured = Pick<Application, 'rollover' | 'volumes' | 'ports'>

/** Empty: both may run at the same time. */
export function stopFirstReasons({ rollover, volumes, ports }: Configured, { services }: Planned): StopFirstReason[] {
  const shared = volumes.filter((each) => each.shared).map(({ mountPath }) => mountPath)
  const isHeld = services.some((each) => each.volumes.some(({ mountPath }) => !shared.includes(mountPath)))
  const isPublished = Object.values(ports).some(({ protocol }) => protocol === 'UDP')
  return [
    ...(isHeld ? (['VOLUME_NOT_SHARED'] as const) : []),
    ...(isPublished ? (['UDP_PORT'] as const) : []),
    ...(rollover === 'STOP_FIRST' ? (['ASKED_FOR'] as const) : []),
  ]
}

export const rolloverOf = (application: Configured, plan: Planned): 'START_FIRST' | 'STOP_FIRST' =>
  stopFirstReasons(application, plan).length > 0 ? 'STOP_FIRST' : 'START_FIRST'
