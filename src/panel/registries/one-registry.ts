/** Work on a registry that a path names. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { mustManageRegistries } from '../workflows/registries.ts'
import { registries } from './decider.ts'
import type { Registry } from './decider.ts'

type OneRegistry = Pick<HandlerContext<{ readonly id: string }>, 'run' | 'caller' | 'params'>

/** In a unit of work of a caller that may manage the registry. @throws Rejection 404 · 403 */
export const onRegistry = <Result>(
  { run, caller, params }: OneRegistry,
  work: (unit: UnitOfWork, registry: Registry) => Promise<Result>,
): Promise<Result> =>
  run(async (unit) => {
    const registry = found(await unit.load(registries, params.id))
    await mustManageRegistries(unit, caller, registry.projectId)
    return work(unit, registry)
  })
