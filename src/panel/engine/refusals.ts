/**
 * Refuses a change that the agent would refuse, before anything is asked of it. A host that cannot be looked at now is
 * asked all the same: its agent looks again in any case.
 */
import { Rejection, reject } from '#kernel/lib/rejection'
import { containersList, imagesList, networksList, OBJECTS_MAX, REFUSALS, volumesList } from '../../tasks/engine.ts'
import type { ContainerAction, EngineRefusal } from '../../tasks/engine.ts'
import { listed } from './listed.ts'
import type { ListCall, ListKind } from './listed.ts'

const UNAVAILABLE = 503

function refuse(code: EngineRefusal): never {
  return reject(code === 'NOT_FOUND' ? 'notFound' : 'conflict', REFUSALS[code], code)
}

/** @returns undefined if the host cannot be looked at, or has more than it lists @throws Rejection 404 NOT_FOUND · 409 BUSY */
async function look<Item>(
  call: ListCall,
  kind: ListKind<Item>,
  isMeant: (item: Item) => boolean,
): Promise<Item | undefined> {
  const items = await listed(call, kind).catch((error: unknown) => {
    if (error instanceof Rejection && error.statusCode === UNAVAILABLE) return undefined
    throw error
  })
  const item = items?.find(isMeant)
  return item ?? (items && items.length < OBJECTS_MAX ? refuse('NOT_FOUND') : undefined)
}

interface ActionAsked {
  readonly containerId: string
  readonly action: ContainerAction
}

/** @throws Rejection 404 NOT_FOUND · 409 OWN_PANEL | MANAGED */
export async function refuseAction(call: ListCall, { containerId, action }: ActionAsked): Promise<void> {
  const container = await look(call, containersList, ({ id }) => id === containerId)
  if (container?.isPlatform && action !== 'start') refuse('OWN_PANEL')
  if (container?.isManaged && action === 'remove') refuse('MANAGED')
}

/** @throws Rejection 404 NOT_FOUND · 409 PLATFORM_IMAGE | MANAGED | IN_USE */
export async function refuseImage(call: ListCall, imageId: string): Promise<void> {
  const image = await look(call, imagesList, ({ id }) => id === imageId)
  if (image?.isPlatform) refuse('PLATFORM_IMAGE')
  if (image?.isManaged) refuse('MANAGED')
  if (image && image.containers > 0) refuse('IN_USE')
}

/** @throws Rejection 404 NOT_FOUND · 409 PREDEFINED | MANAGED | IN_USE */
export async function refuseNetwork(call: ListCall, networkId: string): Promise<void> {
  const network = await look(call, networksList, ({ id }) => id === networkId)
  if (network?.isPredefined) refuse('PREDEFINED')
  if (network?.isManaged || network?.isPlatform) refuse('MANAGED')
  if (network && network.containers > 0) refuse('IN_USE')
}

/** @throws Rejection 404 NOT_FOUND · 409 MANAGED | IN_USE */
export async function refuseVolume(call: ListCall, volumeName: string): Promise<void> {
  const volume = await look(call, volumesList, ({ name }) => name === volumeName)
  if (volume?.isManaged || volume?.isPlatform) refuse('MANAGED')
  if (volume && volume.containers.length > 0) refuse('IN_USE')
}
