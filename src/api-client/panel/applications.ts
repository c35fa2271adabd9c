/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import {
  applicationBuild,
  applicationHealthCheck,
  applicationSet,
  applicationSetItem,
  applicationSource,
  applicationVolumesItem,
  patchApplicationsByIdBindIpBody,
  patchApplicationsByIdFilesComposeBody,
} from './inputs.ts'
import type {
  Application,
  ApplicationFile,
  ApplicationHealthCheckInput,
  ApplicationLogLine,
  ApplicationPort,
  ApplicationPreviews,
  ApplicationScale,
  ApplicationSetInput,
  ApplicationSourceInput,
  ApplicationVariable,
  ApplicationVolumeInput,
  ContainerStats,
  Deployment,
  DeploymentWithLog,
  EnvSet,
  EnvSetEntry,
  GetApplicationsByIdDeploymentsAnswer,
  GetAuthSessionsQuery,
  GitBranch,
  PatchApplicationsByIdBindIpAnswer,
} from './schemas.ts'

/** List the applications of the caller’s projects, or with `scope=all` of every project, which needs projects:view. */
export const getApplications = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** `mine`: of the caller’s projects. `all`: of those of the installation. */
        readonly scope?: 'mine' | 'all' | undefined
        /** The project. */
        readonly projectId?: string | undefined
        /** The environment of the project. */
        readonly environmentId?: string | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Application[]
    | {
        /** The records of this page. */
        readonly items: readonly Application[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/applications', {
  openTo: ['user', 'key'],
  scope: 'project:apps:view',
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      scope: { default: 'mine', type: 'string', enum: ['mine', 'all'] },
      projectId: { type: 'string', format: 'uuid', 'x-names': 'projects' },
      environmentId: { type: 'string', format: 'uuid', 'x-names': 'projects/environments' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Create an application. Without serverId, it is placed on the panel’s own host. */
export const postApplications = /*#__PURE__*/ operation<{
  readonly body: {
    /** The project. */
    readonly projectId: string
    /** The environment of the project. */
    readonly environmentId: string
    /** The server that runs it. Absent: the panel’s own host. */
    readonly serverId?: string | undefined
    /** The name of its address, once in the installation. Absent: it follows from the name. */
    readonly slug?: string | undefined
    /** The name, once in its environment. The audit trail shows it, so it must not name a person. */
    readonly name: string
    /** Where its image comes from. */
    readonly source: ApplicationSourceInput
    /** The port at which its containers serve HTTP. Null: they serve none. */
    readonly port?: number | null | undefined
    /** Program and arguments. Null: those of the image. */
    readonly command?: readonly string[] | null | undefined
    /** How many containers run side by side. */
    readonly replicas?: number | undefined
    /** The memory that each container may use, in MiB. */
    readonly memoryMiB?: number | undefined
    /** Thousandths of a CPU that each container may use. */
    readonly cpuMillis?: number | undefined
    /** How long open requests may go on when a container is replaced, in seconds. */
    readonly drainSeconds?: number | undefined
    /** How long a container may take to stop, in seconds. */
    readonly stopSeconds?: number | undefined
    /** How many images of earlier deployments stay on the server. */
    readonly keepImages?: number | undefined
    /** What stays when containers are replaced: at most ten volumes. */
    readonly volumes?: readonly ApplicationVolumeInput[] | undefined
    /** AUTO: the new containers start before the old ones stop, unless a volume is not shared. */
    readonly rollover?: 'AUTO' | 'STOP_FIRST' | undefined
    /** How long a build may take, in seconds. */
    readonly buildTimeoutSeconds?: number | undefined
    /** How it is found out that a container is healthy. Absent: HTTP if it has a port. */
    readonly healthCheck?: ApplicationHealthCheckInput | undefined
  }
  readonly key?: string | undefined
  readonly data: Application
}>('POST /api/applications', {
  openTo: ['user', 'key'],
  scope: 'project:apps:create',
  asks: ['environment:apps:create'],
  limited: true,
  body: {
    type: 'object',
    properties: {
      projectId: { type: 'string', format: 'uuid', 'x-names': 'projects' },
      environmentId: { type: 'string', format: 'uuid', 'x-names': 'projects/environments' },
      serverId: { type: 'string', format: 'uuid', 'x-names': 'servers' },
      slug: { type: 'string', maxLength: 40, pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$' },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      source: applicationSource,
      port: { default: null, anyOf: [{ type: 'integer', minimum: 1, maximum: 65535 }, { type: 'null' }] },
      command: {
        default: null,
        anyOf: [
          { minItems: 1, maxItems: 64, type: 'array', items: { type: 'string', maxLength: 4096 } },
          { type: 'null' },
        ],
        description: 'Program and arguments. Null: those of the image.',
      },
      replicas: { default: 1, type: 'integer', minimum: 1, maximum: 8 },
      memoryMiB: { default: 512, type: 'integer', minimum: 16, maximum: 1073741824 },
      cpuMillis: { default: 1000, type: 'integer', minimum: 50, maximum: 1073741824 },
      drainSeconds: { default: 30, type: 'integer', minimum: 0, maximum: 600 },
      stopSeconds: { default: 10, type: 'integer', minimum: 1, maximum: 600 },
      keepImages: { default: 5, type: 'integer', minimum: 1, maximum: 20 },
      volumes: { default: [], maxItems: 10, type: 'array', items: applicationVolumesItem },
      rollover: {
        default: 'AUTO',
        description: 'AUTO: the new containers start before the old ones stop, unless a volume is not shared.',
        type: 'string',
        enum: ['AUTO', 'STOP_FIRST'],
      },
      buildTimeoutSeconds: { default: 1800, type: 'integer', minimum: 1, maximum: 7200 },
      healthCheck: applicationHealthCheck,
    },
    required: ['projectId', 'environmentId', 'name', 'source'],
    additionalProperties: false,
  },
})

/** Get an application. */
export const getApplicationsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Application
}>('GET /api/applications/{id}', {
  openTo: ['user', 'key'],
  scope: 'project:apps:view',
  asks: ['environment:apps:view'],
})

/** Change an application. Neither its project nor its server can be changed here. */
export const patchApplicationsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name, once in its environment. The audit trail shows it, so it must not name a person. */
    readonly name?: string | undefined
    /** Where its image comes from. */
    readonly source?: ApplicationSourceInput | undefined
    /** The port at which its containers serve HTTP. Null: they serve none. */
    readonly port?: number | null | undefined
    /** Program and arguments. Null: those of the image. */
    readonly command?: readonly string[] | null | undefined
    /** How many containers run side by side. */
    readonly replicas?: number | undefined
    /** The memory that each container may use, in MiB. */
    readonly memoryMiB?: number | undefined
    /** Thousandths of a CPU that each container may use. */
    readonly cpuMillis?: number | undefined
    /** How long open requests may go on when a container is replaced, in seconds. */
    readonly drainSeconds?: number | undefined
    /** How long a container may take to stop, in seconds. */
    readonly stopSeconds?: number | undefined
    /** How many images of earlier deployments stay on the server. */
    readonly keepImages?: number | undefined
    /** What stays when containers are replaced: at most ten volumes. */
    readonly volumes?: readonly ApplicationVolumeInput[] | undefined
    /** STOP_FIRST: the old containers stop before the new ones start. */
    readonly rollover?: 'AUTO' | 'STOP_FIRST' | undefined
    /** How long a build may take, in seconds. */
    readonly buildTimeoutSeconds?: number | undefined
    /** How it is found out that a container is healthy. Absent: HTTP if it has a port. */
    readonly healthCheck?: ApplicationHealthCheckInput | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Application
}>('PATCH /api/applications/{id}', {
  openTo: ['user', 'key'],
  scope: 'project:apps:create',
  asks: ['environment:apps:create'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      source: applicationSource,
      port: { anyOf: [{ type: 'integer', minimum: 1, maximum: 65535 }, { type: 'null' }] },
      command: {
        anyOf: [
          { minItems: 1, maxItems: 64, type: 'array', items: { type: 'string', maxLength: 4096 } },
          { type: 'null' },
        ],
        description: 'Program and arguments. Null: those of the image.',
      },
      replicas: { type: 'integer', minimum: 1, maximum: 8 },
      memoryMiB: { type: 'integer', minimum: 16, maximum: 1073741824 },
      cpuMillis: { type: 'integer', minimum: 50, maximum: 1073741824 },
      drainSeconds: { type: 'integer', minimum: 0, maximum: 600 },
      stopSeconds: { type: 'integer', minimum: 1, maximum: 600 },
      keepImages: { type: 'integer', minimum: 1, maximum: 20 },
      volumes: { maxItems: 10, type: 'array', items: applicationVolumesItem },
      rollover: { type: 'string', enum: ['AUTO', 'STOP_FIRST'] },
      buildTimeoutSeconds: { type: 'integer', minimum: 1, maximum: 7200 },
      healthCheck: applicationHealthCheck,
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Delete an application with its containers, images and variables. Its volumes stay, unless deleteVolumes is set. */
export const deleteApplicationsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** Whether its volumes on the server are removed, too. */
        readonly deleteVolumes?: 'true' | 'false' | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/applications/{id}', {
  openTo: ['user', 'key'],
  scope: 'project:apps:delete',
  asks: ['environment:apps:delete'],
  query: { type: 'object', properties: { deleteVolumes: { enum: ['true', 'false'], type: 'string' } }, required: [] },
})

/** List the variables of an application: shared ones, its own, and those of its active set. */
export const getApplicationsByIdEnv = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: readonly ApplicationVariable[]
}>('GET /api/applications/{id}/env', {
  openTo: ['user', 'key'],
  scope: 'project:apps:env',
  asks: ['environment:apps:env'],
})

/** Set and remove variables of an application. The next deployment uses them. */
export const patchApplicationsByIdEnv = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Variables to set. What a variable does not give stays as it is. */
    readonly set?: readonly ApplicationSetInput[] | undefined
    /** Names of variables to remove. */
    readonly remove?: readonly string[] | undefined
  }
  readonly key?: string | undefined
  readonly data: readonly ApplicationVariable[]
}>('PATCH /api/applications/{id}/env', {
  openTo: ['user', 'key'],
  scope: 'project:apps:env',
  asks: ['environment:apps:env'],
  shownOnce: ['value'],
  body: {
    type: 'object',
    properties: {
      set: applicationSet,
      remove: {
        maxItems: 500,
        type: 'array',
        items: { type: 'string', maxLength: 128, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
      },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give set or remove.',
  },
})

/** List the sets of variables of an application, without the variables. */
export const getApplicationsByIdEnvSets = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: readonly EnvSetEntry[]
}>('GET /api/applications/{id}/env-sets', { openTo: ['user'], asks: ['environment:apps:env'] })

/** Add a set of variables to an application. It has no effect until it is activated. */
export const postApplicationsByIdEnvSets = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name, once in its environment. The audit trail shows it, so it must not name a person. */
    readonly name: string
    /** The variables of the set. */
    readonly variables?: readonly ApplicationSetInput[] | undefined
  }
  readonly key?: string | undefined
  readonly data: EnvSet
}>('POST /api/applications/{id}/env-sets', {
  openTo: ['user'],
  asks: ['environment:apps:env'],
  shownOnce: ['value'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 40 },
      variables: { default: [], maxItems: 500, type: 'array', items: applicationSetItem },
    },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Get a set of variables of an application. */
export const getApplicationsByIdEnvSetsBySetId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The set of variables. */
    readonly setId: string
  }
  readonly data: EnvSet
}>('GET /api/applications/{id}/env-sets/{setId}', { openTo: ['user'], asks: ['environment:apps:env'] })

/** Rename a set of variables, and set and remove its variables. */
export const patchApplicationsByIdEnvSetsBySetId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The set of variables. */
    readonly setId: string
  }
  readonly body: {
    /** The name, once in its environment. The audit trail shows it, so it must not name a person. */
    readonly name?: string | undefined
    /** Variables to set. What a variable does not give stays as it is. */
    readonly set?: readonly ApplicationSetInput[] | undefined
    /** Names of variables to remove. */
    readonly remove?: readonly string[] | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: EnvSet
}>('PATCH /api/applications/{id}/env-sets/{setId}', {
  openTo: ['user'],
  asks: ['environment:apps:env'],
  shownOnce: ['value'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 40 },
      set: applicationSet,
      remove: {
        maxItems: 500,
        type: 'array',
        items: { type: 'string', maxLength: 128, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
      },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give name, set or remove.',
  },
})

/** Delete a set of variables, unless it is the active one or that of previews. */
export const deleteApplicationsByIdEnvSetsBySetId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The set of variables. */
    readonly setId: string
  }
  readonly key?: string | undefined
  readonly from: { readonly isActive: unknown }
  readonly data: undefined
}>('DELETE /api/applications/{id}/env-sets/{setId}', {
  openTo: ['user'],
  asks: ['environment:apps:env'],
  from: { isActive: [false] },
})

/** Make a set of variables the active one of its application. The next deployment uses it. */
export const postApplicationsByIdEnvSetsBySetIdActivate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The set of variables. */
    readonly setId: string
  }
  readonly key?: string | undefined
  readonly from: { readonly isActive: unknown }
  readonly data: {
    /** The set of variables. */
    readonly setId: string
  }
}>('POST /api/applications/{id}/env-sets/{setId}/activate', {
  openTo: ['user'],
  asks: ['environment:apps:env'],
  from: { isActive: [false] },
})

/** Read the newest lines of the containers of an application, or those kept of a deployment whose containers are gone. */
export const getApplicationsByIdLogs = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The newest lines, at most so many. */
        readonly tail?: number | undefined
        /** Only lines from then on, by the clock of the server. */
        readonly since?: string | undefined
        /** Only lines of this service. */
        readonly service?: string | undefined
        /** Only lines of this one; without containers, those of its build. */
        readonly deploymentId?: string | undefined
      }
    | undefined
  readonly data: {
    /** In their order. */
    readonly lines: readonly ApplicationLogLine[]
    /** Whether there are older ones. */
    readonly isCut: boolean
  }
}>('GET /api/applications/{id}/logs', {
  openTo: ['user', 'key'],
  scope: 'project:apps:logs',
  asks: ['environment:apps:logs'],
  query: {
    type: 'object',
    properties: {
      tail: {
        default: 200,
        type: 'integer',
        description: 'The newest lines, at most so many.',
        minimum: 1,
        maximum: 5000,
      },
      since: {
        type: 'string',
        format: 'date-time',
        description: 'Only lines from then on, by the clock of the server.',
      },
      service: {
        type: 'string',
        description: 'Only lines of this service.',
        pattern: '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$',
      },
      deploymentId: {
        type: 'string',
        format: 'uuid',
        description: 'Only lines of this one; without containers, those of its build.',
      },
    },
    required: [],
  },
})

/** Stream the lines of an application as events `line` and `gap`. Resumes after the id of the last event. */
export const getApplicationsByIdLogsStream = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The newest lines, at most so many. */
        readonly tail?: number | undefined
        /** Only lines from then on, by the clock of the server. */
        readonly since?: string | undefined
        /** Only lines of this service. */
        readonly service?: string | undefined
        /** Only lines of this one; without containers, those of its build. */
        readonly deploymentId?: string | undefined
        /** A token for one connection of a browser, which cannot send a header there. */
        readonly sseToken?: string | undefined
        /** For readers that send no headers. */
        readonly lastEventId?: string | undefined
      }
    | undefined
  readonly data: Response
}>('GET /api/applications/{id}/logs/stream', {
  openTo: ['user'],
  asks: ['environment:apps:logs'],
  answers: 'stream',
  query: {
    type: 'object',
    properties: {
      tail: {
        default: 200,
        type: 'integer',
        description: 'The newest lines, at most so many.',
        minimum: 1,
        maximum: 5000,
      },
      since: {
        type: 'string',
        format: 'date-time',
        description: 'Only lines from then on, by the clock of the server.',
      },
      service: {
        type: 'string',
        description: 'Only lines of this service.',
        pattern: '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$',
      },
      deploymentId: {
        type: 'string',
        format: 'uuid',
        description: 'Only lines of this one; without containers, those of its build.',
      },
      sseToken: { type: 'string', maxLength: 100 },
      lastEventId: { type: 'string', maxLength: 8000, description: 'For readers that send no headers.' },
    },
    required: [],
  },
})

/** Run a command in a running container of an application, or of a preview of it, and answer what it says. It is recorded before it runs. */
export const postApplicationsByIdExec = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The program and its arguments. No shell reads them. */
    readonly command: readonly string[]
    /** The preview that it runs in. Null: the application itself. */
    readonly previewId?: string | null | undefined
    /** Null: the first one that runs. */
    readonly service?: string | null | undefined
    /** Null: the first one that runs. */
    readonly replica?: number | null | undefined
    /** What it reads. Null: nothing. */
    readonly stdin?: string | null | undefined
    /** When it is over, the command and all that it has started are ended. */
    readonly timeoutSeconds?: number | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** Null: it was ended, because its time was over. */
    readonly exitCode: number | null
    /** Without the values of secret variables. */
    readonly stdout: string
    /** Without the values of secret variables. */
    readonly stderr: string
    /** Whether an output was longer than 256 KiB. */
    readonly truncated: boolean
    readonly timedOut: boolean
    readonly ms: number
  }
}>('POST /api/applications/{id}/exec', {
  openTo: ['user'],
  asks: ['environment:apps:deploy', 'environment:apps:env'],
  shownOnce: ['stdout', 'stderr'],
  body: {
    type: 'object',
    properties: {
      command: {
        minItems: 1,
        maxItems: 64,
        type: 'array',
        items: { type: 'string', maxLength: 4096 },
        description: 'The program and its arguments. No shell reads them.',
      },
      previewId: {
        default: null,
        description: 'The preview that it runs in. Null: the application itself.',
        anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }],
      },
      service: {
        default: null,
        description: 'Null: the first one that runs.',
        anyOf: [{ type: 'string', pattern: '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$' }, { type: 'null' }],
      },
      replica: {
        default: null,
        description: 'Null: the first one that runs.',
        anyOf: [{ type: 'integer', minimum: 1, maximum: 8 }, { type: 'null' }],
      },
      stdin: { default: null, description: 'What it reads. Null: nothing.', type: ['string', 'null'] },
      timeoutSeconds: {
        default: 10,
        description: 'When it is over, the command and all that it has started are ended.',
        type: 'integer',
        minimum: 1,
        maximum: 60,
      },
    },
    required: ['command'],
    additionalProperties: false,
  },
})

/** Measure what each running container of an application, or of a preview of it, uses now. */
export const getApplicationsByIdStatsLive = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** Absent: those of the application itself. */
        readonly previewId?: string | undefined
      }
    | undefined
  readonly data: readonly ContainerStats[]
}>('GET /api/applications/{id}/stats/live', {
  openTo: ['user'],
  asks: ['environment:apps:view'],
  query: {
    type: 'object',
    properties: {
      previewId: { type: 'string', format: 'uuid', description: 'Absent: those of the application itself.' },
    },
    required: [],
  },
})

/** Bind the port of the URL to one address of the server, at once. Null or empty: to all of them. */
export const patchApplicationsByIdBindIp = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** One of the addresses of its server. Null or empty: none. */
    readonly ip: string | null
  }
  readonly key?: string | undefined
  readonly data: PatchApplicationsByIdBindIpAnswer
}>('PATCH /api/applications/{id}/bind-ip', {
  openTo: ['user'],
  asks: ['environment:apps:create'],
  body: patchApplicationsByIdBindIpBody,
})

/** Set from which address of the server its connections leave. Null or empty: the server chooses. */
export const patchApplicationsByIdOutboundIp = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** One of the addresses of its server. Null or empty: none. */
    readonly ip: string | null
  }
  readonly key?: string | undefined
  readonly data: PatchApplicationsByIdBindIpAnswer
}>('PATCH /api/applications/{id}/outbound-ip', {
  openTo: ['user'],
  asks: ['environment:apps:create'],
  body: patchApplicationsByIdBindIpBody,
})

/** Set whether the URL names a port of the server or a name under the domain of the installation, at once. */
export const patchApplicationsByIdUrlMode = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** PORT: a port of its server. CLEAN: its slug under the domain of the installation, which the setting appsDomain says. */
    readonly mode: 'PORT' | 'CLEAN'
  }
  readonly key?: string | undefined
  readonly data: {
    /** Where it is reached by HTTP. Null: it has no port or no domain. */
    readonly url: string | null
  }
}>('PATCH /api/applications/{id}/url-mode', {
  openTo: ['user'],
  asks: ['environment:apps:create'],
  body: {
    type: 'object',
    properties: {
      mode: {
        type: 'string',
        enum: ['PORT', 'CLEAN'],
        description:
          'PORT: a port of its server. CLEAN: its slug under the domain of the installation, which the setting appsDomain says.',
      },
    },
    required: ['mode'],
    additionalProperties: false,
  },
})

/** List the ports of the server that lead to an application. */
export const getApplicationsByIdPorts = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: readonly ApplicationPort[]
}>('GET /api/applications/{id}/ports', { openTo: ['user'], asks: ['environment:apps:view'] })

/** Move ports of an application to other ports of its server, all at once. */
export const patchApplicationsByIdPorts = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The ports that move to other ones of the server. Those that are left out stay. */
    readonly ports: readonly {
      /** As the list shows it. Null: the port of its URL. */
      readonly id: string | null
      /** The port of its server, from 1,024 on. */
      readonly hostPort: number
    }[]
  }
  readonly key?: string | undefined
  readonly data: readonly ApplicationPort[]
}>('PATCH /api/applications/{id}/ports', {
  openTo: ['user'],
  asks: ['environment:apps:create'],
  body: {
    type: 'object',
    properties: {
      ports: {
        minItems: 1,
        maxItems: 50,
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: {
              anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }],
              description: 'As the list shows it. Null: the port of its URL.',
            },
            hostPort: {
              type: 'integer',
              description: 'The port of its server, from 1,024 on.',
              minimum: 1024,
              maximum: 65535,
            },
          },
          required: ['id', 'hostPort'],
          additionalProperties: false,
        },
        description: 'The ports that move to other ones of the server. Those that are left out stay.',
      },
    },
    required: ['ports'],
    additionalProperties: false,
  },
})

/** Open a port of the server that leads to an application without HTTP. */
export const postApplicationsByIdHostPorts = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The port of its containers that it leads to. */
    readonly containerPort: number
    /** One of the addresses of its server. Null or empty: all of them. */
    readonly ip?: string | null | undefined
    /** The port of its server, from 1,024 on. */
    readonly port: number
    /** TCP keeps its connections over a deployment; UDP does not. */
    readonly protocol?: 'TCP' | 'UDP' | undefined
  }
  readonly key?: string | undefined
  readonly data: ApplicationPort
}>('POST /api/applications/{id}/host-ports', {
  openTo: ['user'],
  asks: ['environment:apps:create'],
  body: {
    type: 'object',
    properties: {
      containerPort: {
        type: 'integer',
        description: 'The port of its containers that it leads to.',
        minimum: 1,
        maximum: 65535,
      },
      ip: {
        description: 'One of the addresses of its server. Null or empty: all of them.',
        anyOf: [{ type: 'string', maxLength: 45 }, { type: 'null' }],
      },
      port: { type: 'integer', description: 'The port of its server, from 1,024 on.', minimum: 1024, maximum: 65535 },
      protocol: {
        default: 'TCP',
        description: 'TCP keeps its connections over a deployment; UDP does not.',
        type: 'string',
        enum: ['TCP', 'UDP'],
      },
    },
    required: ['containerPort', 'port'],
    additionalProperties: false,
  },
})

/** Close a port of the server that leads to an application. */
export const deleteApplicationsByIdHostPortsByPortId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The port of the server that leads to it. */
    readonly portId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/applications/{id}/host-ports/{portId}', { openTo: ['user'], asks: ['environment:apps:create'] })

/** Tell a port of a server that is free now, for an application of the project. It is not kept. */
export const getApplicationsNextFreePortByProjectId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The project. */
    readonly projectId: string
  }
  readonly query?:
    | {
        /** The server that runs it. Absent: the panel’s own host. */
        readonly serverId?: string | undefined
      }
    | undefined
  readonly data: {
    /** The port at which its containers serve HTTP. Null: they serve none. */
    readonly port: number
  }
}>('GET /api/applications/next-free-port/{projectId}', {
  openTo: ['user'],
  asks: ['environment:apps:create'],
  query: {
    type: 'object',
    properties: { serverId: { type: 'string', format: 'uuid', 'x-names': 'servers' } },
    required: [],
  },
})

/** List the deployments of an application, by page. */
export const getApplicationsByIdDeployments = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data: GetApplicationsByIdDeploymentsAnswer
}>('GET /api/applications/{id}/deployments', {
  openTo: ['user'],
  asks: ['environment:deployments:view'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { default: 1, type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { default: 20, type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Get a deployment with its log after a line. With waitMs, wait for its end or for more lines. */
export const getApplicationsByIdDeploymentsByDepId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The deployment. */
    readonly depId: string
  }
  readonly query?:
    | {
        /** The number of the last line that the caller has; 0 for none. */
        readonly after?: number | undefined
        /** How long to wait for news, in milliseconds. */
        readonly waitMs?: number | undefined
      }
    | undefined
  readonly data: DeploymentWithLog
}>('GET /api/applications/{id}/deployments/{depId}', {
  openTo: ['user'],
  asks: ['environment:deployments:view'],
  query: {
    type: 'object',
    properties: {
      after: { default: 0, type: 'integer', minimum: 0 },
      waitMs: { default: 0, type: 'integer', minimum: 0, maximum: 25000 },
    },
    required: [],
  },
})

/** Cancel a deployment that does not switch yet. What it has made is removed. */
export const postApplicationsByIdDeploymentsByDepIdCancel = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The deployment. */
    readonly depId: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: {
    /** The deployment to go back to. Absent: the last one before that which runs. */
    readonly deploymentId: string
  }
}>('POST /api/applications/{id}/deployments/{depId}/cancel', {
  openTo: ['user'],
  asks: ['environment:apps:deploy'],
  from: { status: ['QUEUED', 'FETCHING', 'PULLING', 'BUILDING', 'STARTING'] },
})

/** Deploy an application again: the newest commit of its branch, its image, or what the body names. */
export const postApplicationsByIdRedeploy = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** The commit. Of a rollback: its newest deployment that succeeded. */
        readonly commit?: string | undefined
        /** The branch instead of that of the application. */
        readonly branch?: string | undefined
        /** Of an application with an image: this tag instead of its own. */
        readonly imageTag?: string | undefined
        /** ALWAYS: build although the commit runs already, or nothing below the watched paths has changed. */
        readonly build?: 'AUTO' | 'ALWAYS' | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: Deployment
}>('POST /api/applications/{id}/redeploy', {
  openTo: ['user', 'key'],
  scope: 'project:apps:deploy',
  asks: ['environment:apps:deploy'],
  body: {
    default: {},
    type: 'object',
    properties: {
      commit: { type: 'string', pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$' },
      branch: {
        type: 'string',
        pattern:
          '^(?![-/.])(?![\\s\\S]*(?:\\/\\.|\\.\\.|\\/\\/|@\\{|\\.lock(?:\\/|$)|[./]$))[^\\p{Cc} ~^:?*[\\\\]{1,200}$',
      },
      imageTag: {
        type: 'string',
        description: 'Of an application with an image: this tag instead of its own.',
        pattern: '^\\w[\\w.-]{0,127}$',
      },
      build: applicationBuild,
    },
    additionalProperties: false,
  },
})

/** Run the images of an earlier deployment that succeeded, by default of the last one before. It builds nothing. */
export const postApplicationsByIdRollback = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** The deployment to go back to. Absent: the last one before that which runs. */
        readonly deploymentId?: string | undefined
        /** The commit. Of a rollback: its newest deployment that succeeded. */
        readonly commit?: string | undefined
        /** Its variables: those of then, or those of now. */
        readonly env?: 'THEN' | 'NOW' | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: Deployment
}>('POST /api/applications/{id}/rollback', {
  openTo: ['user', 'key'],
  scope: 'project:apps:deploy',
  asks: ['environment:apps:deploy'],
  body: {
    default: {},
    type: 'object',
    properties: {
      deploymentId: { type: 'string', format: 'uuid' },
      commit: { type: 'string', pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$' },
      env: {
        default: 'THEN',
        description: 'Its variables: those of then, or those of now.',
        type: 'string',
        enum: ['THEN', 'NOW'],
      },
    },
    additionalProperties: false,
  },
})

/** Replace the containers of an application by new ones of the same images, with the newest configuration. */
export const postApplicationsByIdRestart = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: Deployment
}>('POST /api/applications/{id}/restart', {
  openTo: ['user', 'key'],
  scope: 'project:apps:restart',
  asks: ['environment:apps:restart'],
})

/** Start an application that was stopped, with the images that it had. */
export const postApplicationsByIdStart = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: Deployment
}>('POST /api/applications/{id}/start', {
  openTo: ['user', 'key'],
  scope: 'project:apps:restart',
  asks: ['environment:apps:restart'],
})

/** Stop the containers of an application. Its images and volumes stay. */
export const postApplicationsByIdStop = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: Deployment
}>('POST /api/applications/{id}/stop', {
  openTo: ['user', 'key'],
  scope: 'project:apps:restart',
  asks: ['environment:apps:restart'],
})

/** Get the Compose file that an application keeps. */
export const getApplicationsByIdFilesCompose = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: ApplicationFile
}>('GET /api/applications/{id}/files/compose', { openTo: ['user'], asks: ['environment:apps:env'] })

/** Write the Compose file of an application, or remove it. The next deployment uses it. */
export const patchApplicationsByIdFilesCompose = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Null: nothing is kept here, and the file of the repository counts. */
    readonly content: string | null
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: ApplicationFile
}>('PATCH /api/applications/{id}/files/compose', {
  openTo: ['user'],
  asks: ['environment:apps:create'],
  shownOnce: ['content'],
  body: patchApplicationsByIdFilesComposeBody,
})

/** Get the Dockerfile that an application keeps. */
export const getApplicationsByIdFilesDockerfile = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: ApplicationFile
}>('GET /api/applications/{id}/files/dockerfile', { openTo: ['user'], asks: ['environment:apps:env'] })

/** Write the Dockerfile of an application, or remove it. The next build uses it. */
export const patchApplicationsByIdFilesDockerfile = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Null: nothing is kept here, and the file of the repository counts. */
    readonly content: string | null
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: ApplicationFile
}>('PATCH /api/applications/{id}/files/dockerfile', {
  openTo: ['user'],
  asks: ['environment:apps:create'],
  shownOnce: ['content'],
  body: patchApplicationsByIdFilesComposeBody,
})

/** List branches of the repository of an application, at most 1,000, as its git provider gives them. */
export const getApplicationsByIdBranches = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** A part of the name. */
        readonly search?: string | undefined
      }
    | undefined
  readonly data: readonly GitBranch[]
}>('GET /api/applications/{id}/branches', {
  openTo: ['user'],
  asks: ['environment:apps:deploy'],
  query: { type: 'object', properties: { search: { default: '', type: 'string', maxLength: 100 } }, required: [] },
})

/** Choose whether a push to its branch deploys an application. */
export const patchApplicationsByIdAutoDeploy = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Whether a push to its branch deploys the application. */
    readonly enabled: boolean
  }
  readonly key?: string | undefined
  readonly data: {
    readonly autoDeploy: boolean
  }
}>('PATCH /api/applications/{id}/auto-deploy', {
  openTo: ['user'],
  asks: ['environment:apps:create'],
  body: {
    type: 'object',
    properties: { enabled: { type: 'boolean' } },
    required: ['enabled'],
    additionalProperties: false,
  },
})

/** Get the address and the secret of the webhook, and what was delivered to it in the last 24 hours, newest first. */
export const getApplicationsByIdWebhook = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    readonly url: string
    /** Whether no answer shows the value again. */
    readonly secret: string | null
    readonly deliveries: readonly {
      /** When it happened. */
      readonly at: string
      readonly event: string
      readonly outcome: 'QUEUED' | 'UNCHANGED' | 'IGNORED' | 'REFUSED'
      /** The state of the record. */
      readonly status: number
    }[]
  }
}>('GET /api/applications/{id}/webhook', { openTo: ['user'], asks: ['environment:apps:deploy'] })

/** Create a new secret of the webhook. The one before is accepted for graceSeconds; an installed webhook needs the new one. */
export const postApplicationsByIdWebhookRotate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** How long the secret before is accepted, too, in seconds. */
    readonly graceSeconds?: number | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** Whether no answer shows the value again. */
    readonly secret: string
    readonly formerUntil: string | null
  }
}>('POST /api/applications/{id}/webhook/rotate', {
  openTo: ['user'],
  asks: ['environment:apps:create'],
  shownOnce: ['secret'],
  body: {
    type: 'object',
    properties: { graceSeconds: { default: 0, type: 'integer', minimum: 0, maximum: 86400 } },
    additionalProperties: false,
  },
})

/** Install the webhook at the git provider of the application, or give it the present secret, and deploy pushes from then on. */
export const postApplicationsByIdWebhookInstall = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly url: string
    readonly gitProviderId: string
    readonly repository: string
  }
}>('POST /api/applications/{id}/webhook/install', { openTo: ['user'], asks: ['environment:apps:create'] })

/** Get how the application has previews of its pull requests, and those that are there. */
export const getApplicationsByIdPreviews = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: ApplicationPreviews
}>('GET /api/applications/{id}/previews', { openTo: ['user'], asks: ['environment:apps:view'] })

/** Turn previews of pull requests on or off, and set their domain, limit, idle days and variables. Off removes those that are there. */
export const patchApplicationsByIdPreviews = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Whether pull requests get previews. They are opened by the webhook of the application. */
    readonly enabled?: boolean | undefined
    /** Previews are at `pr-<number>--<slug>.<baseDomain>`. All names under it must lead to the server. */
    readonly baseDomain?: string | null | undefined
    /** Of previews at once. More pull requests get none. */
    readonly limit?: number | undefined
    /** A preview without new commits for so long is removed. */
    readonly idleDays?: number | undefined
    /** The set whose variables previews get, and no others. Null: the variables of the application that are no secrets. */
    readonly setId?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: ApplicationPreviews
}>('PATCH /api/applications/{id}/previews', {
  openTo: ['user'],
  asks: ['environment:apps:create'],
  body: {
    type: 'object',
    properties: {
      enabled: {
        type: 'boolean',
        description: 'Whether pull requests get previews. They are opened by the webhook of the application.',
      },
      baseDomain: {
        anyOf: [
          {
            type: 'string',
            maxLength: 190,
            pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$',
          },
          { type: 'null' },
        ],
        description: 'Previews are at `pr-<number>--<slug>.<baseDomain>`. All names under it must lead to the server.',
      },
      limit: {
        type: 'integer',
        description: 'Of previews at once. More pull requests get none.',
        minimum: 1,
        maximum: 20,
      },
      idleDays: {
        type: 'integer',
        description: 'A preview without new commits for so long is removed.',
        minimum: 1,
        maximum: 30,
      },
      setId: {
        anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }],
        description:
          'The set whose variables previews get, and no others. Null: the variables of the application that are no secrets.',
      },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Remove a preview with its containers, images, volumes and address. New commits in its pull request open it again. */
export const deleteApplicationsPreviewsByPreviewId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The preview. */
    readonly previewId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/applications/previews/{previewId}', { openTo: ['user'], asks: ['environment:apps:deploy'] })

/** Tell how far an application can be scaled on its server, and how a new release replaces the one before. */
export const getApplicationsByIdScale = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: ApplicationScale
}>('GET /api/applications/{id}/scale', { openTo: ['user'], asks: ['environment:apps:view'] })

/** Copy the configuration, variables, sets and files of an application, without its ports. Nothing is deployed. */
export const postApplicationsByIdDuplicate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name, once in its environment. The audit trail shows it, so it must not name a person. */
    readonly name: string
    /** The environment of the copy, in the same project. Absent: the same one. */
    readonly environmentId?: string | undefined
    /** Whether what is in its volumes is copied, too. Until that is done, the copy is not deployed. */
    readonly copyData?: boolean | undefined
    /** Whether its containers stand still while their volumes are copied, so that the copies are of one moment. */
    readonly pause?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: Application
}>('POST /api/applications/{id}/duplicate', {
  openTo: ['user'],
  asks: ['environment:apps:create', 'environment:apps:env'],
  limited: true,
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      environmentId: {
        description: 'The environment of the copy, in the same project. Absent: the same one.',
        type: 'string',
        format: 'uuid',
        'x-names': 'projects/environments',
      },
      copyData: {
        default: false,
        description: 'Whether what is in its volumes is copied, too. Until that is done, the copy is not deployed.',
        type: 'boolean',
      },
      pause: {
        default: true,
        description:
          'Whether its containers stand still while their volumes are copied, so that the copies are of one moment.',
        type: 'boolean',
      },
    },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Move an application to an environment of another project. What runs is replaced, so that it joins the network there. */
export const postApplicationsByIdTransferProject = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The project that it goes to. It needs apps:create there, and apps:deploy if it runs. */
    readonly projectId: string
    /** The environment that it goes to, of that project. */
    readonly environmentId: string
  }
  readonly key?: string | undefined
  readonly data: Application
}>('POST /api/applications/{id}/transfer-project', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  body: {
    type: 'object',
    properties: {
      projectId: {
        type: 'string',
        format: 'uuid',
        description: 'The project that it goes to. It needs apps:create there, and apps:deploy if it runs.',
        'x-names': 'projects',
      },
      environmentId: {
        type: 'string',
        format: 'uuid',
        description: 'The environment that it goes to, of that project.',
        'x-names': 'projects/environments',
      },
    },
    required: ['projectId', 'environmentId'],
    additionalProperties: false,
  },
})
