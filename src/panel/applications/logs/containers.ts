/** Asks the server of an application for what its containers say. */
import type { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import type { ApplicationRow } from '#projections/panel/applications'
import { previewTable } from '#projections/panel/applications/previews'
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
  /** Absent: those of the application itself. */
  readonly previewId?: string | null | undefined
}

const workloadOf = ({ id }: Pick<ApplicationRow, 'id'>) => ({ kind: APPLICATION, id }) as const

type Named = Pick<ApplicationRow, 'id'>

/** Those of the application itself, unless a deployment of a preview is named, or a preview. @throws Rejection 404 */
export async function workloadAsked(
  { read }: Pick<HandlerContext, 'read'>,
  application: Named,
  { deploymentId, previewId = null }: Omit<WhichContainers, 'service'>,
): Promise<Workload> {
  if (previewId !== null) {
    const preview = await findRow(read, previewTable, { id: previewId })
    found(preview?.applicationId === application.id || undefined)
    return { kind: PREVIEW, id: previewId }
  }
  const deployment = deploymentId === null ? undefined : await ownDeployment(read, application, deploymentId)
  return deployment?.previewId ? { kind: PREVIEW, id: deployment.previewId } : workloadOf(application)
}

/** What all reads of its containers name. */
export async function containersAsked(
  call: Pick<HandlerContext, 'vault' | 'read'>,
  application: Named,
  which: WhichContainers,
) {
  const { service, deploymentId } = which
  const workload = await workloadAsked(call, application, which)
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
