/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { apiKeyAllowedIps } from './inputs.ts'
import type {
  GetAuthSessionsQuery,
  GetServersByIdInstallCommandAnswer,
  PostServersLocalSetupAnswer,
  SeenServer,
  Server,
  ServerAccessRule,
  UsableServer,
} from './schemas.ts'

/** Get the server that is the panel’s own host, with what it lacks and what helps. */
export const getServersLocal = /*#__PURE__*/ operation<{
  readonly data: {
    /** Null: no agent of this host has ever been installed. */
    readonly server: Server | null
    /** What is missing for it to get work. Null: nothing is known. */
    readonly problem: {
      /** Why it has failed, for programs. */
      readonly code: 'AGENT_CONFLICTED' | 'NO_ENGINE' | 'NO_AGENT' | 'MESH_PORT_CLOSED'
      /** What happened, in a sentence. */
      readonly message: string
      readonly remedy: string
    } | null
  }
}>('GET /api/servers/local', { openTo: ['user'], permission: 'servers:view' })

/** Tell the name, the status and the addresses of the panel’s own host. */
export const getServersLocalPublic = /*#__PURE__*/ operation<{
  readonly data: {
    /** The name, once in the installation. The audit trail shows it, so it must not name a person. */
    readonly name: string
    /** The state of the record. */
    readonly status: 'PENDING_INSTALL' | 'ONLINE' | 'STALE' | 'OFFLINE'
    /** The host name or IP address under which the server is reached. Null: none. */
    readonly publicAddress: string | null
    /** The first address of the host. Null: its agent has told none. */
    readonly ipv4: string | null
    /** As `ipv4`. */
    readonly ipv6: string | null
  }
}>('GET /api/servers/local-public', { openTo: ['user'] })

/** Get the newest figures of the panel’s own host, and their age. */
export const getServersLocalStats = /*#__PURE__*/ operation<{
  readonly data: {
    /** How busy the processors are, in percent of all. */
    readonly cpuPercent: number
    /** The memory of the process. */
    readonly memoryBytes: number
    /** How much of the memory is used. */
    readonly memoryUsedBytes: number
    /** The size of the disk that holds what the server runs. */
    readonly diskBytes: number
    /** How much of it is used. */
    readonly diskUsedBytes: number
    /** The load average of the last minute. */
    readonly load: number
    /** The running containers. Null: the engine is not known. */
    readonly containers: number | null
    /** The container engine. Null: the agent finds none. */
    readonly engine: 'UP' | 'DOWN' | 'NONE'
    /** The revision of each plan that the agent acts on, by its kind. */
    readonly plans: { readonly [name: string]: number }
    /** The links to other servers, as the agent has measured them of late. */
    readonly links?:
      | readonly {
          /** Only entries before this moment. */
          readonly to: string
          readonly state: 'OK' | 'BLOCKED'
          readonly rttMs: number | null
          /** How long ago it was measured, in milliseconds. */
          readonly ageMs: number
        }[]
      | undefined
    /** The port of the plan mesh, while the host cannot open it. */
    readonly meshPortClosed?: number | undefined
    /** When it happened. */
    readonly at: string
    readonly ageSeconds: number
  }
}>('GET /api/servers/local/stats', { openTo: ['user'], permission: 'servers:view' })

/** Start the agent of the panel’s own host. A panel that cannot start programs answers the command that does. */
export const postServersLocalInstallAgent = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: {
    /** COMMAND: run the command on the panel’s own host. */
    readonly state: 'STARTED' | 'COMMAND'
    readonly command: string | null
    /** When it ends. */
    readonly expiresAt: string | null
  }
}>('POST /api/servers/local/install-agent', {
  openTo: ['user'],
  permission: 'servers:manage',
  shownOnce: ['command'],
  limited: true,
})

/** Check whether the panel’s own host can run what is asked of it: engine, disks and clock. */
export const postServersLocalSetup = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: PostServersLocalSetupAnswer
}>('POST /api/servers/local/setup', { openTo: ['user'], permission: 'servers:manage' })

/** List all servers, with what is known of their agents. */
export const getServers = /*#__PURE__*/ operation<{
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly Server[]
    | {
        /** The records of this page. */
        readonly items: readonly Server[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/servers', {
  openTo: ['user'],
  permission: 'servers:view',
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

/** Add a server. Run the install command on its host as root, within a day. */
export const postServers = /*#__PURE__*/ operation<{
  readonly body: {
    /** The name, once in the installation. The audit trail shows it, so it must not name a person. */
    readonly name: string
    /** What it is for, in the words of its authors. */
    readonly description?: string | null | undefined
    /** The host name or IP address under which the server is reached. Null: none. */
    readonly publicAddress?: string | null | undefined
    /** Where the credential may be used. An empty list allows every address. Every address together is refused. */
    readonly allowedIps?: readonly string[] | undefined
    /** Words that tell servers apart. */
    readonly labels?: readonly string[] | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly server: Server
    readonly installCommand: string
    /** When it ends. */
    readonly expiresAt: string
  }
}>('POST /api/servers', {
  openTo: ['user'],
  permission: 'servers:manage',
  shownOnce: ['installCommand'],
  limited: true,
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 64 },
      description: { default: null, anyOf: [{ type: 'string', minLength: 1, maxLength: 1000 }, { type: 'null' }] },
      publicAddress: {
        default: null,
        anyOf: [
          {
            type: 'string',
            maxLength: 253,
            pattern: '^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|[0-9a-f:.]{2,45})$',
          },
          { type: 'null' },
        ],
      },
      allowedIps: apiKeyAllowedIps,
      labels: {
        maxItems: 20,
        type: 'array',
        items: { type: 'string', maxLength: 63, pattern: '^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$' },
      },
    },
    required: ['name'],
    additionalProperties: false,
  },
})

/** List the servers that the caller may use: open ones, and those with a rule for it, its teams or projects. */
export const getServersMine = /*#__PURE__*/ operation<{
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly UsableServer[]
    | {
        /** The records of this page. */
        readonly items: readonly UsableServer[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/servers/mine', {
  openTo: ['user'],
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

/** Tell what is free on each server that the caller may use and, with servers:manage, how many there may be. */
export const getServersMyAllowance = /*#__PURE__*/ operation<{
  readonly data: {
    /** How many servers there are, and how many the license allows (null: no limit). Needs servers:manage. */
    readonly servers: {
      readonly used: number
      readonly max: number | null
    } | null
    /** The servers that the caller may use. */
    readonly each: readonly {
      readonly serverId: string
      /** USE: place workloads there. MANAGE: also change the server and its USE rules. */
      readonly level: 'USE' | 'MANAGE'
      /** What can be reserved yet. Null: no limit. */
      readonly free: {
        /** The number of workloads. */
        readonly workloads: number | null
        /** Thousandths of a CPU. */
        readonly cpuMillis: number | null
        /** Memory in MiB. */
        readonly memoryMiB: number | null
        /** Disk space in MiB. */
        readonly diskMiB: number | null
      }
    }[]
  }
}>('GET /api/servers/my-allowance', { openTo: ['user'] })

/** Get a server. Callers that may only use it see its name, status, labels and their level. */
export const getServersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: SeenServer
}>('GET /api/servers/{id}', { openTo: ['user'], asks: ['servers:view', 'server:USE', 'server:MANAGE'] })

/** Change a server. A cordoned one takes no new workload; what is there runs on. */
export const patchServersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name, once in the installation. The audit trail shows it, so it must not name a person. */
    readonly name?: string | undefined
    /** What it is for, in the words of its authors. */
    readonly description?: string | null | undefined
    /** The host name or IP address under which the server is reached. Null: none. */
    readonly publicAddress?: string | null | undefined
    /** Addresses and ranges from which the agent may call. An empty list allows every address. */
    readonly allowedIps?: readonly string[] | undefined
    /** Words that tell servers apart. */
    readonly labels?: readonly string[] | undefined
    /** The port for measuring links to other servers. Null: they are not measured. */
    readonly meshPort?: number | null | undefined
    /** Whether it takes no new workload. */
    readonly cordoned?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Server
}>('PATCH /api/servers/{id}', {
  openTo: ['user'],
  asks: ['servers:manage', 'server:MANAGE'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 64 },
      description: { anyOf: [{ type: 'string', minLength: 1, maxLength: 1000 }, { type: 'null' }] },
      publicAddress: {
        anyOf: [
          {
            type: 'string',
            maxLength: 253,
            pattern: '^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|[0-9a-f:.]{2,45})$',
          },
          { type: 'null' },
        ],
      },
      allowedIps: {
        type: 'array',
        items: {
          type: 'string',
          description: 'An IPv4 or IPv6 address or a CIDR range.',
          pattern: '^([0-9A-Fa-f.:]{2,45})(?:\\/(0|[1-9]\\d{0,2}))?$',
        },
        maxItems: 100,
      },
      labels: {
        maxItems: 20,
        type: 'array',
        items: { type: 'string', maxLength: 63, pattern: '^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$' },
      },
      meshPort: { anyOf: [{ type: 'integer', minimum: 1, maximum: 65535 }, { type: 'null' }] },
      cordoned: { type: 'boolean' },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Delete a server that holds no workload. The token of its agent is void at once; the host stays as it is. */
export const deleteServersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly kind: unknown }
  readonly data: undefined
}>('DELETE /api/servers/{id}', { openTo: ['user'], permission: 'servers:manage', from: { kind: ['REMOTE'] } })

/** Get the install command of a server until it is used or has expired. Each showing is recorded. */
export const getServersByIdInstallCommand = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: GetServersByIdInstallCommandAnswer
}>('GET /api/servers/{id}/install-command', { openTo: ['user'], permission: 'servers:manage' })

/** Make a new install command; the one before is void. The present agent runs on until another registers. */
export const postServersByIdRegenToken = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: GetServersByIdInstallCommandAnswer
}>('POST /api/servers/{id}/regen-token', { openTo: ['user'], permission: 'servers:manage', shownOnce: ['command'] })

/** Make the token of the agent void at once, and make a new install command. */
export const postServersByIdReset = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: GetServersByIdInstallCommandAnswer
}>('POST /api/servers/{id}/reset', { openTo: ['user'], permission: 'servers:manage', shownOnce: ['command'] })

/** List the access rules of a server. Without any, every account may use it. */
export const getServersByIdAccess = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    readonly isOpen: boolean
    readonly rules: readonly ServerAccessRule[]
  }
}>('GET /api/servers/{id}/access', { openTo: ['user'], asks: ['servers:view', 'server:MANAGE'] })

/** Add an access rule. The first one closes the server to all others. Giving MANAGE needs servers:manage. */
export const postServersByIdAccess = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The account. */
    readonly userId?: string | undefined
    /** The team. */
    readonly teamId?: string | undefined
    /** The project whose deploying accounts and keys the rule is for. */
    readonly projectId?: string | undefined
    /** USE: place workloads there. MANAGE: also change the server and its USE rules. */
    readonly level: 'USE' | 'MANAGE'
  }
  readonly key?: string | undefined
  readonly data: ServerAccessRule
}>('POST /api/servers/{id}/access', {
  openTo: ['user'],
  asks: ['servers:manage', 'server:MANAGE'],
  body: {
    type: 'object',
    properties: {
      userId: { type: 'string', format: 'uuid', 'x-names': 'users' },
      teamId: { type: 'string', format: 'uuid', 'x-names': 'teams' },
      projectId: { type: 'string', format: 'uuid', 'x-names': 'projects' },
      level: { type: 'string', enum: ['USE', 'MANAGE'] },
    },
    required: ['level'],
    additionalProperties: false,
    description: 'For one of userId, teamId and projectId. A rule for a project is for those who deploy in it.',
  },
})

/** Change the level of an access rule. Giving or taking MANAGE needs servers:manage. */
export const patchServersByIdAccessByRuleId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The access rule. */
    readonly ruleId: string
  }
  readonly body: {
    /** USE: place workloads there. MANAGE: also change the server and its USE rules. */
    readonly level: 'USE' | 'MANAGE'
  }
  readonly key?: string | undefined
  readonly data: ServerAccessRule
}>('PATCH /api/servers/{id}/access/{ruleId}', {
  openTo: ['user'],
  asks: ['servers:manage', 'server:MANAGE'],
  body: {
    type: 'object',
    properties: { level: { type: 'string', enum: ['USE', 'MANAGE'] } },
    required: ['level'],
    additionalProperties: false,
  },
})

/** Remove an access rule. Removing the last one opens the server to every account, which the reply says. */
export const deleteServersByIdAccessByRuleId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The access rule. */
    readonly ruleId: string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly isOpen: boolean
  }
}>('DELETE /api/servers/{id}/access/{ruleId}', { openTo: ['user'], asks: ['servers:manage', 'server:MANAGE'] })
