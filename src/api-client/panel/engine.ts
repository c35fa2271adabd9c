/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type {
  DeleteEngineServersByServerIdImagesByImageIdAnswer,
  EngineContainer,
  EngineImage,
  EngineNetwork,
  EngineVolume,
  GetAuthSessionsQuery,
  PostEngineServersByServerIdContainersActionAnswer,
  PostEngineServersByServerIdPruneAnswer,
} from './schemas.ts'

/** List the containers on a server, running or not, as its agent sees them now. */
export const getEngineServersByServerIdContainers = /*#__PURE__*/ operation<{
  readonly params: {
    /** The server. */
    readonly serverId: string
  }
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly EngineContainer[]
    | {
        /** The records of this page. */
        readonly items: readonly EngineContainer[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/engine/servers/{serverId}/containers', {
  openTo: ['user'],
  asks: ['servers:view', 'server:MANAGE'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** List the images on a server, as its agent sees them now. */
export const getEngineServersByServerIdImages = /*#__PURE__*/ operation<{
  readonly params: {
    /** The server. */
    readonly serverId: string
  }
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly EngineImage[]
    | {
        /** The records of this page. */
        readonly items: readonly EngineImage[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/engine/servers/{serverId}/images', {
  openTo: ['user'],
  asks: ['servers:view', 'server:MANAGE'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** List the networks of the container engine on a server, as its agent sees them now. */
export const getEngineServersByServerIdNetworks = /*#__PURE__*/ operation<{
  readonly params: {
    /** The server. */
    readonly serverId: string
  }
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly EngineNetwork[]
    | {
        /** The records of this page. */
        readonly items: readonly EngineNetwork[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/engine/servers/{serverId}/networks', {
  openTo: ['user'],
  asks: ['servers:view', 'server:MANAGE'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** List the volumes on a server, as its agent sees them now. Sizes are told if the engine measures them soon. */
export const getEngineServersByServerIdVolumes = /*#__PURE__*/ operation<{
  readonly params: {
    /** The server. */
    readonly serverId: string
  }
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly EngineVolume[]
    | {
        /** The records of this page. */
        readonly items: readonly EngineVolume[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/engine/servers/{serverId}/volumes', {
  openTo: ['user'],
  asks: ['servers:view', 'server:MANAGE'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Start, stop, restart, kill or remove a container. One of a workload is not removed, and one of the panel only started. */
export const postEngineServersByServerIdContainersAction = /*#__PURE__*/ operation<{
  readonly params: {
    /** The server. */
    readonly serverId: string
  }
  readonly body: {
    /** The id of the container, whole. */
    readonly containerId: string
    /** What is done to the container. */
    readonly action: 'start' | 'stop' | 'restart' | 'remove' | 'kill'
  }
  readonly key?: string | undefined
  readonly data: PostEngineServersByServerIdContainersActionAnswer
}>('POST /api/engine/servers/{serverId}/containers/action', {
  openTo: ['user'],
  asks: ['servers:manage', 'server:MANAGE'],
  body: {
    type: 'object',
    properties: {
      containerId: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      action: { type: 'string', enum: ['start', 'stop', 'restart', 'remove', 'kill'] },
    },
    required: ['containerId', 'action'],
    additionalProperties: false,
  },
})

/** Remove an image that no container uses, with all its names. */
export const deleteEngineServersByServerIdImagesByImageId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The server. */
    readonly serverId: string
    /** The id of the image, whole. */
    readonly imageId: string
  }
  readonly key?: string | undefined
  readonly data: DeleteEngineServersByServerIdImagesByImageIdAnswer
}>('DELETE /api/engine/servers/{serverId}/images/{imageId}', {
  openTo: ['user'],
  asks: ['servers:manage', 'server:MANAGE'],
})

/** Remove a network that no container uses. */
export const deleteEngineServersByServerIdNetworksById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The server. */
    readonly serverId: string
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: DeleteEngineServersByServerIdImagesByImageIdAnswer
}>('DELETE /api/engine/servers/{serverId}/networks/{id}', {
  openTo: ['user'],
  asks: ['servers:manage', 'server:MANAGE'],
})

/** Remove a volume that no container uses, with its data. */
export const deleteEngineServersByServerIdVolumesByName = /*#__PURE__*/ operation<{
  readonly params: {
    /** The server. */
    readonly serverId: string
    /** The name of the volume. */
    readonly name: string
  }
  readonly key?: string | undefined
  readonly data: DeleteEngineServersByServerIdImagesByImageIdAnswer
}>('DELETE /api/engine/servers/{serverId}/volumes/{name}', {
  openTo: ['user'],
  asks: ['servers:manage', 'server:MANAGE'],
})

/** Remove what no container uses and is older: images without a name, networks, the build cache. Never volumes. */
export const postEngineServersByServerIdPrune = /*#__PURE__*/ operation<{
  readonly params: {
    /** The server. */
    readonly serverId: string
  }
  readonly body?:
    | {
        /** What is younger stays. */
        readonly olderThanHours?: number | undefined
        /** What is removed. */
        readonly parts?: readonly ('IMAGES' | 'NETWORKS' | 'CACHE')[] | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: PostEngineServersByServerIdPruneAnswer
}>('POST /api/engine/servers/{serverId}/prune', {
  openTo: ['user'],
  asks: ['servers:manage', 'server:MANAGE'],
  body: {
    default: {},
    type: 'object',
    properties: {
      olderThanHours: { default: 24, type: 'integer', minimum: 1, maximum: 8760 },
      parts: {
        default: ['IMAGES', 'NETWORKS', 'CACHE'],
        minItems: 1,
        maxItems: 3,
        type: 'array',
        items: { type: 'string', enum: ['IMAGES', 'NETWORKS', 'CACHE'] },
      },
    },
    additionalProperties: false,
  },
})
