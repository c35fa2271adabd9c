/** Asks the server of an application for what its containers say. */
import type { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import type { ApplicationRow } from '#projections/panel/applications'
import { logsTail } from '../../../tasks/applications.ts'
import { ask } from '../../agent/asks.ts'
import { installationOf } from '../../agent/installation.ts'
import { APPLICATION } from '../../workflows/applications.ts'
import { hiddenIn } from './hidden.ts'

export interface WhichContainers {
  readonly service: string | null
  readonly deploymentId: string | null
}

export const workloadOf = ({ id }: Pick<ApplicationRow, 'id'>) => ({ kind: APPLICATION, id }) as const

/** What all reads of its containers name. */
export async function containersAsked(
  { vault }: Pick<HandlerContext, 'vault'>,
  application: Pick<ApplicationRow, 'id'>,
  { service, deploymentId }: WhichContainers,
) {
  return { installation: await installationOf(vault), workload: workloadOf(application), service, deploymentId }
}

export const secretNamesOf = async (
  { run }: Pick<HandlerContext, 'run'>,
  application: Parameters<typeof hiddenIn>[1],
): Promise<string[]> => [...(await run((unit) => hiddenIn(unit, application))).names]

type TailCall = Parameters<typeof ask>[0] & Pick<HandlerContext, 'vault' | 'run'>
type Tail = Pick<z.output<typeof logsTail.params>, 'tail' | 'since' | 'after'>

/** @throws Rejection as `ask` does */
export async function askTail(
  call: TailCall,
  application: ApplicationRow,
  which: WhichContainers,
  tail: Tail,
): Promise<z.output<typeof logsTail.answer>> {
  const asked = await containersAsked(call, application, which)
  return ask(call, logsTail, application.serverId, {
    ...asked,
    ...tail,
    secretNames: await secretNamesOf(call, application),
  })
}
