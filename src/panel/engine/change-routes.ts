/** Changes to what the container engine of a server holds. Its agent refuses what a panel or its workloads need. */
import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { uuid } from '#kernel/lib/uuid'
import {
  CONTAINER_ACTIONS,
  ContainerId,
  containersAct,
  enginePrune,
  ImageId,
  imagesRemove,
  NetworkId,
  networksRemove,
  PRUNED_PARTS,
  VolumeName,
  volumesRemove,
} from '../../tasks/engine.ts'
import type { TaskKind } from '../../tasks/kind.ts'
import { engineManager } from '../access/server-access.ts'
import { CHANGE_STATUSES, outcomeOf } from '../agent/answer-of-task.ts'
import { changeServer } from '../agent/change-server.ts'
import { refuseAction, refuseImage, refuseNetwork, refuseVolume } from './refusals.ts'

const OLDER_THAN_HOURS = 24

type ChangeCall = HandlerContext<{ readonly serverId: string }>

const change = <Payload, Result>(call: ChangeCall, kind: TaskKind<Payload, Result>, payload: Payload) =>
  changeServer(call, { kind, serverId: call.params.serverId, payload })

const common = { access: engineManager, refuses: [409], status: CHANGE_STATUSES } as const

export const engineChangeRoutes = [
  route('POST /api/engine/servers/:serverId/containers/action', {
    ...common,
    does: 'Start, stop, restart, kill or remove a container. One of a workload is not removed, and one of the panel only started.',
    params: z.object({ serverId: uuid }),
    body: z.strictObject({ containerId: ContainerId, action: z.enum(CONTAINER_ACTIONS) }),
    reply: outcomeOf(containersAct),
    async handle(call) {
      await refuseAction(call, call.body)
      return change(call, containersAct, call.body)
    },
  }),

  route('DELETE /api/engine/servers/:serverId/images/:imageId', {
    ...common,
    does: 'Remove an image that no container uses, with all its names.',
    params: z.object({ serverId: uuid, imageId: ImageId }),
    reply: outcomeOf(imagesRemove),
    async handle(call) {
      await refuseImage(call, call.params.imageId)
      return change(call, imagesRemove, { id: call.params.imageId })
    },
  }),

  route('DELETE /api/engine/servers/:serverId/networks/:id', {
    ...common,
    does: 'Remove a network that no container uses.',
    params: z.object({ serverId: uuid, id: NetworkId }),
    reply: outcomeOf(networksRemove),
    async handle(call) {
      await refuseNetwork(call, call.params.id)
      return change(call, networksRemove, { id: call.params.id })
    },
  }),

  route('DELETE /api/engine/servers/:serverId/volumes/:name', {
    ...common,
    does: 'Remove a volume that no container uses, with its data.',
    params: z.object({ serverId: uuid, name: VolumeName }),
    reply: outcomeOf(volumesRemove),
    async handle(call) {
      await refuseVolume(call, call.params.name)
      return change(call, volumesRemove, { name: call.params.name })
    },
  }),

  route('POST /api/engine/servers/:serverId/prune', {
    ...common,
    does: 'Remove what no container uses and is older: images without a name, networks, the build cache. Never volumes.',
    params: z.object({ serverId: uuid }),
    body: z
      .strictObject({
        olderThanHours: z.int().min(1).max(8_760).default(OLDER_THAN_HOURS),
        parts: z
          .array(z.enum(PRUNED_PARTS))
          .min(1)
          .max(PRUNED_PARTS.length)
          .default([...PRUNED_PARTS]),
      })
      .prefault({}),
    reply: outcomeOf(enginePrune),
    handle: (call) => change(call, enginePrune, call.body),
  }),
]
