/** What the container engine of a server holds, as its agent sees it now. */
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { uuid } from '#kernel/lib/uuid'
import { arrayListQuery, arrayListReply, arrayOf } from '#kernel/resource/array-lists'
import {
  containersList,
  EngineContainer,
  EngineImage,
  EngineNetwork,
  EngineVolume,
  imagesList,
  networksList,
  volumesList,
} from '../../tasks/engine.ts'
import { engineViewer } from '../access/server-access.ts'
import { listed } from './listed.ts'
import type { ListCall, ListKind } from './listed.ts'

interface Dated {
  readonly createdAt: string | null
}

const NEVER = ''
const newestFirst = (one: Dated, other: Dated): number =>
  (other.createdAt ?? NEVER).localeCompare(one.createdAt ?? NEVER)

const newestOf = async <Item extends Dated>(call: ListCall, kind: ListKind<Item>): Promise<Item[]> =>
  (await listed(call, kind)).toSorted(newestFirst)

const common = {
  access: engineViewer,
  refuses: [409],
  params: z.object({ serverId: uuid }),
  query: arrayListQuery({}),
} as const

export const engineListRoutes = [
  route('GET /api/engine/servers/:serverId/containers', {
    ...common,
    does: 'List the containers on a server, running or not, as its agent sees them now.',
    reply: arrayListReply(EngineContainer.meta({ id: 'EngineContainer' })),
    handle: async (call) => arrayOf(await newestOf(call, containersList), call.query),
  }),

  route('GET /api/engine/servers/:serverId/images', {
    ...common,
    does: 'List the images on a server, as its agent sees them now.',
    reply: arrayListReply(EngineImage.meta({ id: 'EngineImage' })),
    handle: async (call) => arrayOf(await newestOf(call, imagesList), call.query),
  }),

  route('GET /api/engine/servers/:serverId/networks', {
    ...common,
    does: 'List the networks of the container engine on a server, as its agent sees them now.',
    reply: arrayListReply(EngineNetwork.meta({ id: 'EngineNetwork' })),
    handle: async (call) => arrayOf(await newestOf(call, networksList), call.query),
  }),

  route('GET /api/engine/servers/:serverId/volumes', {
    ...common,
    does: 'List the volumes on a server, as its agent sees them now. Sizes are told if the engine measures them soon.',
    reply: arrayListReply(EngineVolume.meta({ id: 'EngineVolume' })),
    handle: async (call) => arrayOf(await newestOf(call, volumesList), call.query),
  }),
]
