/** Asks the server of an application for what its containers say. */
import type { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import type { ApplicationRow } from '#projections/panel/applications'
import { logsTail } from '../../../tasks/applications.ts'
import { ask } from '../../agent/asks.ts'
import { installationOf } from '../../agent/installation.ts'
import { APPLICATION } from '../../workflows/applications.ts'
import { PREVIEW } from '../../workflows/previews.ts'
import { ownDeployment } from '../deployments/own-deployment.ts'
import type { Workload } from '../place.ts'
import { hiddenOf } from './hidden.ts'

export interface WhichContainers {
  readonly service: string | null
  readonly deploymentId: string | null
}

export const workloadOf = ({ id }: Pick<ApplicationRow, 'id'>) => ({ kind: APPLICATION, id }) as const

type Named = Pick<ApplicationRow, 'id'>

/** Those of the application itself, unless a deployment of a preview is named. */
async function workloadAsked(
  { read }: Pick<HandlerContext, 'read'>,
  application: Named,
  deploymentId: string | null,
): Promise<Workload> {
  const deployment = deploymentId === null ? undefined : await ownDeployment(read, application, deploymentId)
  const previewId = deployment?.previewId ?? null
  return previewId === null ? workloadOf(application) : { kind: PREVIEW, id: previewId }
}

/** What all reads of its containers name. */
export async function containersAsked(
  call: Pick<HandlerContext, 'vault' | 'read'>,
  application: Named,
  { service, deploymentId }: WhichContainers,
) {
  const workload = await workloadAsked(call, application, deploymentId)
  return { installation: await installationOf(call.vault), workload, service, deploymentId }
}

export const secretNamesOf = async (
  { run }: Pick<HandlerContext, 'run'>,
  { id }: Pick<Named, 'id'>,
): Promise<string[]> => [...((await run((unit) => hiddenOf(unit, id)))?.names ?? [])]

type TailCall = Parameters<typeof ask>[0] & Pick<HandlerContext, 'vault' | 'run' | 'read'>
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
