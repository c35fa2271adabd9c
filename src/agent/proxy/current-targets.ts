/** The containers of a release that a workload wants its requests to go to. */
import type { ProxyFragment } from '../../tasks/proxy.ts'
import { TaskFailure } from '../performer.ts'
import { slotsOf } from './config-text.ts'
import { backendId } from './state.ts'
import type { Target } from './state.ts'
import type { TargetsOf } from './targets.ts'

/** @throws TaskFailure NOT_RUNNING */
export async function currentTargets(
  targetsOf: TargetsOf,
  fragment: ProxyFragment,
  signal: AbortSignal,
): Promise<Map<string, Target[]>> {
  const { installation, owner, release } = fragment
  const found = fragment.backends.map(async (backend): Promise<[string, Target[]]> => {
    const { name, service, port } = backend
    if (release === null) return [backendId(owner, name), []]
    const addresses = await targetsOf({ installation, release, service }, signal)
    if (addresses.length === 0)
      throw new TaskFailure('NOT_RUNNING', `The release has no container of the service ${service} that runs`)
    const targets = addresses.slice(0, slotsOf(backend)).map((address) => ({ address, port, release }))
    return [backendId(owner, name), targets]
  })
  return new Map(await Promise.all(found))
}
