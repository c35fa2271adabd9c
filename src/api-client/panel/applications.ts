/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Application, ApplicationVariable, EnvSet, EnvSetEntry } from './schemas.ts'

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
    readonly source: {
      /** An image that is there. */
      readonly kind: 'IMAGE'
      readonly image: string
      readonly registryId?: string | null | undefined
    }
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
    /** How it is found out that a container is healthy. Absent: HTTP if it has a port. */
    readonly healthCheck?:
      | {
          /** IMAGE: what the image itself says. NONE: a container that runs is healthy. */
          readonly kind: 'HTTP' | 'TCP' | 'COMMAND' | 'IMAGE' | 'NONE'
          /** The path that is asked, of the kind HTTP. Any status below 500 is healthy. */
          readonly path?: string | null | undefined
          /** Program and arguments, of the kind COMMAND. */
          readonly command?: readonly string[] | null | undefined
          /** The time between two checks, in seconds. */
          readonly intervalSeconds?: number | undefined
          /** How long one check may take, in seconds. */
          readonly timeoutSeconds?: number | undefined
          /** How long a new container may take until it is healthy, in seconds. */
          readonly startSeconds?: number | undefined
          /** How many checks in a row must succeed. */
          readonly successes?: number | undefined
        }
      | undefined
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
      source: {
        oneOf: [
          {
            type: 'object',
            properties: {
              kind: { type: 'string', const: 'IMAGE', description: 'An image that is there.' },
              image: {
                type: 'string',
                maxLength: 300,
                pattern:
                  '^(?:sha256:[0-9a-f]{64}|(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\\d{1,5})?\\/)?[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*(?:\\/[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*)*(?::\\w[\\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?)$',
              },
              registryId: { default: null, anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] },
            },
            required: ['kind', 'image'],
            additionalProperties: false,
          },
        ],
      },
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
      healthCheck: {
        type: 'object',
        properties: {
          kind: {
            type: 'string',
            enum: ['HTTP', 'TCP', 'COMMAND', 'IMAGE', 'NONE'],
            description: 'IMAGE: what the image itself says. NONE: a container that runs is healthy.',
          },
          path: {
            default: null,
            description: 'The path that is asked, of the kind HTTP. Any status below 500 is healthy.',
            anyOf: [{ type: 'string', maxLength: 500, pattern: '^\\/[\\x21-\\x7e]*$' }, { type: 'null' }],
          },
          command: {
            default: null,
            description: 'Program and arguments, of the kind COMMAND.',
            anyOf: [
              { minItems: 1, maxItems: 64, type: 'array', items: { type: 'string', maxLength: 4096 } },
              { type: 'null' },
            ],
          },
          intervalSeconds: {
            default: 2,
            description: 'The time between two checks, in seconds.',
            type: 'integer',
            minimum: 1,
            maximum: 60,
          },
          timeoutSeconds: {
            default: 5,
            description: 'How long one check may take, in seconds.',
            type: 'integer',
            minimum: 1,
            maximum: 60,
          },
          startSeconds: {
            default: 60,
            description: 'How long a new container may take until it is healthy, in seconds.',
            type: 'integer',
            minimum: 1,
            maximum: 600,
          },
          successes: {
            default: 1,
            description: 'How many checks in a row must succeed.',
            type: 'integer',
            minimum: 1,
            maximum: 10,
          },
        },
        required: ['kind'],
        additionalProperties: false,
      },
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
    readonly source?:
      | {
          /** An image that is there. */
          readonly kind: 'IMAGE'
          readonly image: string
          readonly registryId?: string | null | undefined
        }
      | undefined
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
    /** How it is found out that a container is healthy. Absent: HTTP if it has a port. */
    readonly healthCheck?:
      | {
          /** IMAGE: what the image itself says. NONE: a container that runs is healthy. */
          readonly kind: 'HTTP' | 'TCP' | 'COMMAND' | 'IMAGE' | 'NONE'
          /** The path that is asked, of the kind HTTP. Any status below 500 is healthy. */
          readonly path?: string | null | undefined
          /** Program and arguments, of the kind COMMAND. */
          readonly command?: readonly string[] | null | undefined
          /** The time between two checks, in seconds. */
          readonly intervalSeconds?: number | undefined
          /** How long one check may take, in seconds. */
          readonly timeoutSeconds?: number | undefined
          /** How long a new container may take until it is healthy, in seconds. */
          readonly startSeconds?: number | undefined
          /** How many checks in a row must succeed. */
          readonly successes?: number | undefined
        }
      | undefined
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
      source: {
        oneOf: [
          {
            type: 'object',
            properties: {
              kind: { type: 'string', const: 'IMAGE', description: 'An image that is there.' },
              image: {
                type: 'string',
                maxLength: 300,
                pattern:
                  '^(?:sha256:[0-9a-f]{64}|(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\\d{1,5})?\\/)?[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*(?:\\/[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*)*(?::\\w[\\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?)$',
              },
              registryId: { default: null, anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] },
            },
            required: ['kind', 'image'],
            additionalProperties: false,
          },
        ],
      },
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
      healthCheck: {
        type: 'object',
        properties: {
          kind: {
            type: 'string',
            enum: ['HTTP', 'TCP', 'COMMAND', 'IMAGE', 'NONE'],
            description: 'IMAGE: what the image itself says. NONE: a container that runs is healthy.',
          },
          path: {
            default: null,
            description: 'The path that is asked, of the kind HTTP. Any status below 500 is healthy.',
            anyOf: [{ type: 'string', maxLength: 500, pattern: '^\\/[\\x21-\\x7e]*$' }, { type: 'null' }],
          },
          command: {
            default: null,
            description: 'Program and arguments, of the kind COMMAND.',
            anyOf: [
              { minItems: 1, maxItems: 64, type: 'array', items: { type: 'string', maxLength: 4096 } },
              { type: 'null' },
            ],
          },
          intervalSeconds: {
            default: 2,
            description: 'The time between two checks, in seconds.',
            type: 'integer',
            minimum: 1,
            maximum: 60,
          },
          timeoutSeconds: {
            default: 5,
            description: 'How long one check may take, in seconds.',
            type: 'integer',
            minimum: 1,
            maximum: 60,
          },
          startSeconds: {
            default: 60,
            description: 'How long a new container may take until it is healthy, in seconds.',
            type: 'integer',
            minimum: 1,
            maximum: 600,
          },
          successes: {
            default: 1,
            description: 'How many checks in a row must succeed.',
            type: 'integer',
            minimum: 1,
            maximum: 10,
          },
        },
        required: ['kind'],
        additionalProperties: false,
      },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Delete an application with its variables, which nothing can read any more. */
export const deleteApplicationsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/applications/{id}', {
  openTo: ['user', 'key'],
  scope: 'project:apps:delete',
  asks: ['environment:apps:delete'],
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
    readonly set?:
      | readonly {
          /** The name, once in its environment. The audit trail shows it, so it must not name a person. */
          readonly name: string
          /** The value. The mask of a secret one keeps it. */
          readonly value: string
          /** Whether no answer shows the value again. */
          readonly secret?: boolean | undefined
          /** RUN: for its containers. BUILD: for the build of its image. BOTH: for both. */
          readonly when?: 'RUN' | 'BUILD' | 'BOTH' | undefined
        }[]
      | undefined
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
      set: {
        maxItems: 500,
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', maxLength: 128, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
            value: { type: 'string', maxLength: 32768 },
            secret: { type: 'boolean' },
            when: { type: 'string', enum: ['RUN', 'BUILD', 'BOTH'] },
          },
          required: ['name', 'value'],
          additionalProperties: false,
        },
      },
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
    readonly variables?:
      | readonly {
          /** The name, once in its environment. The audit trail shows it, so it must not name a person. */
          readonly name: string
          /** The value. The mask of a secret one keeps it. */
          readonly value: string
          /** Whether no answer shows the value again. */
          readonly secret?: boolean | undefined
          /** RUN: for its containers. BUILD: for the build of its image. BOTH: for both. */
          readonly when?: 'RUN' | 'BUILD' | 'BOTH' | undefined
        }[]
      | undefined
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
      variables: {
        default: [],
        maxItems: 500,
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', maxLength: 128, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
            value: { type: 'string', maxLength: 32768 },
            secret: { type: 'boolean' },
            when: { type: 'string', enum: ['RUN', 'BUILD', 'BOTH'] },
          },
          required: ['name', 'value'],
          additionalProperties: false,
        },
      },
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
    readonly set?:
      | readonly {
          /** The name, once in its environment. The audit trail shows it, so it must not name a person. */
          readonly name: string
          /** The value. The mask of a secret one keeps it. */
          readonly value: string
          /** Whether no answer shows the value again. */
          readonly secret?: boolean | undefined
          /** RUN: for its containers. BUILD: for the build of its image. BOTH: for both. */
          readonly when?: 'RUN' | 'BUILD' | 'BOTH' | undefined
        }[]
      | undefined
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
      set: {
        maxItems: 500,
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', maxLength: 128, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
            value: { type: 'string', maxLength: 32768 },
            secret: { type: 'boolean' },
            when: { type: 'string', enum: ['RUN', 'BUILD', 'BOTH'] },
          },
          required: ['name', 'value'],
          additionalProperties: false,
        },
      },
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

/** Delete a set of variables, unless it is the active one. */
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
