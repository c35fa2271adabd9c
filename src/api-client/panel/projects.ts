/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import {
  patchProjectsByIdResourceQuotaBody,
  postProjectsByIdEnvironmentsBody,
  projectEnvironmentIds,
  projectPermissions,
} from './inputs.ts'
import type {
  Environment,
  GetAuthSessionsQuery,
  GetProjectsAnswer,
  GetProjectsByIdMembersByMemberIdGrantsAnswer,
  GetProjectsByIdResourceQuotaAnswer,
  Mesh,
  PatchProjectsByIdResourceQuotaBody,
  Project,
  ProjectMember,
  ProjectPermissionInput,
  ProjectRole,
  ProjectTeam,
  ProjectUsageDay,
  Promotion,
  StaleSharedEnv,
  Variable,
} from './schemas.ts'

/** List the caller’s projects, or with `scope=all` every project, which needs projects:view. */
export const getProjects = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** `mine` lists the projects of the caller, `all` those of the installation. */
        readonly scope?: 'mine' | 'all' | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data: GetProjectsAnswer
}>('GET /api/projects', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:view',
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      scope: { default: 'mine', type: 'string', enum: ['mine', 'all'] },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Create a project that the caller owns. That of a MACHINE key has no owner until an account claims it. */
export const postProjects = /*#__PURE__*/ operation<{
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string
    /** What it is for, in the words of its authors. */
    readonly description?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Project
}>('POST /api/projects', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:manage',
  limited: true,
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      description: { default: null, anyOf: [{ type: 'string', maxLength: 1000 }, { type: 'null' }] },
    },
    required: ['name'],
    additionalProperties: false,
  },
})

/** List all project permissions, also those that no route requires yet, and those of each built-in role. */
export const getProjectsRbacCatalog = /*#__PURE__*/ operation<{
  readonly data: {
    /** The names of the permissions. */
    readonly permissions: readonly string[]
    /** The roles of the project. */
    readonly roles: readonly {
      /** A role that every project has. Not together with `roleId`. */
      readonly role: string
      /** The names of the permissions. */
      readonly permissions: readonly string[]
    }[]
  }
}>('GET /api/projects/rbac-catalog', { openTo: ['user', 'key'], scope: 'platform:projects:view' })

/** List every project on the platform. */
export const getAdminProjects = /*#__PURE__*/ operation<{
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data: GetProjectsAnswer
}>('GET /api/admin/projects', {
  openTo: ['user'],
  permission: 'projects:view',
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

/** Get a project. */
export const getProjectsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Project
}>('GET /api/projects/{id}', { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'] })

/** Change the name or description of a project. */
export const patchProjectsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** What it is for, in the words of its authors. */
    readonly description?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Project
}>('PATCH /api/projects/{id}', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:manage',
  asks: ['project:settings:manage'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      description: { anyOf: [{ type: 'string', maxLength: 1000 }, { type: 'null' }] },
    },
    additionalProperties: false,
  },
})

/** Delete a project without applications, with its environments and shared variables. Its sealed data becomes unreadable for good. */
export const deleteProjectsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}', { openTo: ['user'], asks: ['project-role:OWNER'] })

/** Become the owner of a project that has none. */
export const postProjectsByIdClaimOwnership = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly ownerId: unknown }
  readonly data: Project
}>('POST /api/projects/{id}/claim-ownership', {
  openTo: ['user'],
  permission: 'projects:manage',
  from: { ownerId: [null] },
})

/** Transfer a project to another member. The former owner stays as an ADMIN. */
export const postProjectsByIdTransferOwnership = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The member. */
    readonly memberId: string
  }
  readonly key?: string | undefined
  readonly data: Project
}>('POST /api/projects/{id}/transfer-ownership', {
  openTo: ['user'],
  asks: ['project-role:OWNER'],
  body: {
    type: 'object',
    properties: { memberId: { type: 'string', format: 'uuid' } },
    required: ['memberId'],
    additionalProperties: false,
  },
})

/** Get the caller’s effective permissions in the project as a whole, and the additional ones per environment. */
export const getProjectsByIdMyPermissions = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** The names of the permissions. */
    readonly permissions: readonly string[]
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
    readonly environments: readonly {
      /** The environment. Absent: the project as a whole. */
      readonly environmentId: string
      /** The names of the permissions. */
      readonly permissions: readonly string[]
    }[]
  }
}>('GET /api/projects/{id}/my-permissions', { openTo: ['user'], asks: ['project'] })

/** Get the caller’s direct role in the project, or null, and the access that platform permissions add. */
export const getProjectsByIdMyRole = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** A role that every project has. Not together with `roleId`. */
    readonly role: string | null
    /** A role of this project. Not together with `role`. */
    readonly roleId: string | null
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds: readonly string[] | null
    /** Whether the rights come from a permission on the platform. */
    readonly platform: 'VIEWER' | 'ADMIN' | null
    /** Whether the caller administers the project. */
    readonly isAdmin: boolean
  }
}>('GET /api/projects/{id}/my-role', { openTo: ['user'], asks: ['project'] })

/** Count the members, teams, roles, environments and shared variables of a project. */
export const getProjectsByIdUsage = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** Members with an account. */
    readonly members: number
    /** Invited addresses without an account. */
    readonly pendingMembers: number
    /** Teams that take part. */
    readonly teams: number
    /** Roles of its own. */
    readonly roles: number
    /** Environments. */
    readonly environments: number
    /** Shared variables, of all environments. */
    readonly sharedVariables: number
  }
}>('GET /api/projects/{id}/usage', { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'] })

/** List the members of a project, including addresses that no account has proven yet. */
export const getProjectsByIdMembers = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly ProjectMember[]
    | {
        /** The records of this page. */
        readonly items: readonly ProjectMember[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/projects/{id}/members', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:view',
  asks: ['project'],
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

/** Add a member by address or account, by default as VIEWER. An unproven address joins once it is proven. */
export const postProjectsByIdMembers = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The e-mail address of the account. */
    readonly email?: string | undefined
    /** The account. */
    readonly userId?: string | undefined
    /** A role that every project has. Not together with `roleId`. */
    readonly role?: 'ADMIN' | 'DEVELOPER' | 'VIEWER' | undefined
    /** A role of this project. Not together with `role`. */
    readonly roleId?: string | undefined
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds?: readonly string[] | null | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The id of the record. */
    readonly id: string
    /** The account. */
    readonly userId: string | null
    /** The e-mail address of the account. */
    readonly email: string | null
    /** A role that every project has. Not together with `roleId`. */
    readonly role: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string | null
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds: readonly string[] | null
    /** When the record was created. */
    readonly createdAt: string
  }
}>('POST /api/projects/{id}/members', {
  openTo: ['user'],
  asks: ['project:members:manage'],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      userId: { type: 'string', format: 'uuid', 'x-names': 'users' },
      role: { type: 'string', enum: ['ADMIN', 'DEVELOPER', 'VIEWER'] },
      roleId: { type: 'string', format: 'uuid', 'x-names': 'projects/roles' },
      environmentIds: projectEnvironmentIds,
    },
    additionalProperties: false,
    allOf: [{ oneOf: [{ required: ['email'] }, { required: ['userId'] }] }, { not: { required: ['role', 'roleId'] } }],
    description: 'Give either email or userId. Give either role or roleId, not both.',
  },
})

/** Give another member a built-in role, in all or some environments, within the caller’s own rights. */
export const patchProjectsByIdMembersByMemberId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The member. */
    readonly memberId: string
  }
  readonly body: {
    /** A role that every project has. Not together with `roleId`. */
    readonly role?: 'ADMIN' | 'DEVELOPER' | 'VIEWER' | undefined
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds?: readonly string[] | null | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly role: unknown }
  readonly data: ProjectMember
}>('PATCH /api/projects/{id}/members/{memberId}', {
  openTo: ['user'],
  asks: ['project:members:manage'],
  from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
  body: {
    type: 'object',
    properties: {
      role: { type: 'string', enum: ['ADMIN', 'DEVELOPER', 'VIEWER'] },
      environmentIds: {
        anyOf: [
          { minItems: 1, maxItems: 100, type: 'array', items: { type: 'string', format: 'uuid' } },
          { type: 'null' },
        ],
        'x-names': 'projects/environments',
      },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give role or environmentIds.',
  },
})

/** Remove a member. The owner must transfer the project first. */
export const deleteProjectsByIdMembersByMemberId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The member. */
    readonly memberId: string
  }
  readonly key?: string | undefined
  readonly from: { readonly role: unknown }
  readonly data: undefined
}>('DELETE /api/projects/{id}/members/{memberId}', {
  openTo: ['user'],
  asks: ['project:members:manage'],
  from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
})

/** Leave a project. The owner must transfer it first. */
export const deleteProjectsByIdMembersMe = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/members/me', { openTo: ['user'], asks: ['project-membership'] })

/** Give a member one of the project’s own roles. With null, the member becomes a VIEWER. */
export const patchProjectsByIdMembersByMemberIdCustomRole = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The member. */
    readonly memberId: string
  }
  readonly body: {
    /** A role of this project. Not together with `role`. */
    readonly roleId: string | null
  }
  readonly key?: string | undefined
  readonly from: { readonly role: unknown }
  readonly data: ProjectMember
}>('PATCH /api/projects/{id}/members/{memberId}/custom-role', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
  body: {
    type: 'object',
    properties: {
      roleId: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }], 'x-names': 'projects/roles' },
    },
    required: ['roleId'],
    additionalProperties: false,
  },
})

/** Get the role of a member and the permissions granted in addition to it. */
export const getProjectsByIdMembersByMemberIdGrants = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The member. */
    readonly memberId: string
  }
  readonly data: GetProjectsByIdMembersByMemberIdGrantsAnswer
}>('GET /api/projects/{id}/members/{memberId}/grants', {
  openTo: ['user'],
  asks: ['project-membership:own', 'project:members:manage'],
})

/** Replace the permissions of a member beyond the role. `environmentIds` limits all rights of the member. */
export const putProjectsByIdMembersByMemberIdGrants = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The member. */
    readonly memberId: string
  }
  readonly body: {
    /** The names of the permissions. */
    readonly permissions: readonly ProjectPermissionInput[]
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds?: readonly string[] | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly from: { readonly role: unknown }
  readonly data: GetProjectsByIdMembersByMemberIdGrantsAnswer
}>('PUT /api/projects/{id}/members/{memberId}/grants', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
  body: {
    type: 'object',
    properties: {
      permissions: projectPermissions,
      environmentIds: {
        anyOf: [
          { minItems: 1, maxItems: 100, type: 'array', items: { type: 'string', format: 'uuid' } },
          { type: 'null' },
        ],
        'x-names': 'projects/environments',
      },
    },
    required: ['permissions'],
    additionalProperties: false,
  },
})

/** List the project’s own roles. */
export const getProjectsByIdRoles = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly ProjectRole[]
    | {
        /** The records of this page. */
        readonly items: readonly ProjectRole[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/projects/{id}/roles', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:view',
  asks: ['project'],
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

/** Create a custom role. Its name must be unique in the project. */
export const postProjectsByIdRoles = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string
    /** The names of the permissions. */
    readonly permissions?: readonly ProjectPermissionInput[] | undefined
  }
  readonly key?: string | undefined
  readonly data: ProjectRole
}>('POST /api/projects/{id}/roles', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  body: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 50 }, permissions: projectPermissions },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Rename a custom role. */
export const patchProjectsByIdRolesByRoleId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string
  }
  readonly key?: string | undefined
  readonly data: ProjectRole
}>('PATCH /api/projects/{id}/roles/{roleId}', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  body: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 50 } },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Delete a custom role that no member and no team has. */
export const deleteProjectsByIdRolesByRoleId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/roles/{roleId}', { openTo: ['user'], asks: ['project-role:ADMIN', 'project-role:OWNER'] })

/** Get the permissions of a custom role. */
export const getProjectsByIdRolesByRoleIdGrants = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string
  }
  readonly data: {
    /** The names of the permissions. */
    readonly permissions: readonly string[]
  }
}>('GET /api/projects/{id}/roles/{roleId}/grants', { openTo: ['user'], asks: ['project'] })

/** Replace the permissions of a custom role. The change applies to all its members and teams at once. */
export const putProjectsByIdRolesByRoleIdGrants = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string
  }
  readonly body: {
    /** The names of the permissions. */
    readonly permissions: readonly ProjectPermissionInput[]
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: {
    /** The names of the permissions. */
    readonly permissions: readonly string[]
  }
}>('PUT /api/projects/{id}/roles/{roleId}/grants', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  body: {
    type: 'object',
    properties: { permissions: projectPermissions },
    required: ['permissions'],
    additionalProperties: false,
  },
})

/** List the environments of a project that the caller’s roles include. */
export const getProjectsByIdEnvironments = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly Environment[]
    | {
        /** The records of this page. */
        readonly items: readonly Environment[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/projects/{id}/environments', {
  openTo: ['user'],
  asks: ['project'],
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

/** Add an environment. Its name must be unique in the project. */
export const postProjectsByIdEnvironments = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string
  }
  readonly key?: string | undefined
  readonly data: Environment
}>('POST /api/projects/{id}/environments', {
  openTo: ['user'],
  asks: ['project:environments:manage'],
  body: postProjectsByIdEnvironmentsBody,
})

/** Rename an environment. */
export const patchProjectsByIdEnvironmentsByEnvId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The environment. */
    readonly envId: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string
  }
  readonly key?: string | undefined
  readonly data: Environment
}>('PATCH /api/projects/{id}/environments/{envId}', {
  openTo: ['user'],
  asks: ['environment:environments:manage'],
  body: postProjectsByIdEnvironmentsBody,
})

/** Delete an environment that has no shared variables and no applications. */
export const deleteProjectsByIdEnvironmentsByEnvId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The environment. */
    readonly envId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/environments/{envId}', { openTo: ['user'], asks: ['environment:environments:manage'] })

/** List the shared variables of all environments or of `environmentId`. Without apps:env, values are masked. */
export const getProjectsByIdSharedEnv = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The environment. Absent: the project as a whole. */
        readonly environmentId?: string | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Variable[]
    | {
        /** The records of this page. */
        readonly items: readonly Variable[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/projects/{id}/shared-env', {
  openTo: ['user'],
  asks: ['project'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      environmentId: { type: 'string', format: 'uuid', 'x-names': 'projects/environments' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Replace the shared variables of all environments or of `environmentId`. A masked value keeps the old one. */
export const putProjectsByIdSharedEnv = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The environment. Absent: the project as a whole. */
        readonly environmentId?: string | undefined
      }
    | undefined
  readonly body: {
    /** All shared variables. One that is left out is removed. Each name stands once. */
    readonly variables: readonly {
      /** The name that people read in lists. */
      readonly name: string
      /** The value. Send a mask back to keep what is stored. */
      readonly value: string
    }[]
  }
  readonly key?: string | undefined
  readonly data: readonly Variable[]
}>('PUT /api/projects/{id}/shared-env', {
  openTo: ['user'],
  asks: ['environment:apps:env'],
  shownOnce: ['value'],
  query: {
    type: 'object',
    properties: { environmentId: { type: 'string', format: 'uuid', 'x-names': 'projects/environments' } },
    required: [],
  },
  body: {
    type: 'object',
    properties: {
      variables: {
        maxItems: 500,
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', maxLength: 128, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
            value: { type: 'string', maxLength: 32768 },
          },
          required: ['name', 'value'],
          additionalProperties: false,
        },
      },
    },
    required: ['variables'],
    additionalProperties: false,
  },
})

/** Delete one shared variable. */
export const deleteProjectsByIdSharedEnvByRowId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The variable. */
    readonly rowId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/shared-env/{rowId}', { openTo: ['user'], asks: ['environment:apps:env'] })

/** List what runs with shared variables that have changed since, by their names. A restart uses the values of now. */
export const getProjectsByIdSharedEnvStale = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: readonly StaleSharedEnv[]
}>('GET /api/projects/{id}/shared-env/stale', { openTo: ['user'], asks: ['environment:apps:view'] })

/** Count the applications, deployments, builds and members of a project for each day of a period. */
export const getProjectsByIdUsageHistory = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The first day, in UTC. Default: 29 days before the last one. */
        readonly from?: string | undefined
        /** The last day, in UTC. Default: today. The period has at most 400 days. */
        readonly to?: string | undefined
      }
    | undefined
  readonly data: readonly ProjectUsageDay[]
}>('GET /api/projects/{id}/usage/history', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:view',
  asks: ['project'],
  query: {
    type: 'object',
    properties: {
      from: {
        type: 'string',
        format: 'date',
        description: 'The first day, in UTC. Default: 29 days before the last one.',
      },
      to: {
        type: 'string',
        format: 'date',
        description: 'The last day, in UTC. Default: today. The period has at most 400 days.',
      },
    },
    required: [],
  },
})

/** Run the images of what runs in an environment in another one, by applications of the same name. Nothing is built. */
export const postProjectsByIdEnvironmentsByEnvIdPromoteToByDstEnvId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The environment. */
    readonly envId: string
    /** The environment that gets the images. */
    readonly dstEnvId: string
  }
  readonly body: {
    /** Of the one environment. Absent: all of its applications. */
    readonly applicationIds?: readonly string[] | undefined
    /** Whether applications that the other environment lacks are made as copies. It needs apps:create and apps:env. */
    readonly create?: boolean | undefined
    /** Whether to tell only what would be done. */
    readonly dryRun?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: readonly Promotion[]
}>('POST /api/projects/{id}/environments/{envId}/promote-to/{dstEnvId}', {
  openTo: ['user'],
  asks: ['environment:apps:view', 'environment:apps:deploy'],
  limited: true,
  body: {
    type: 'object',
    properties: {
      applicationIds: {
        description: 'Of the one environment. Absent: all of its applications.',
        minItems: 1,
        maxItems: 100,
        type: 'array',
        items: { type: 'string', format: 'uuid' },
      },
      create: {
        default: false,
        description:
          'Whether applications that the other environment lacks are made as copies. It needs apps:create and apps:env.',
        type: 'boolean',
      },
      dryRun: { default: false, description: 'Whether to tell only what would be done.', type: 'boolean' },
    },
    additionalProperties: false,
  },
})

/** Copy a project that the caller then owns: its environments, shared variables and applications, at most 100. Members, ports and schedules are not copied, and nothing is deployed. */
export const postProjectsByIdDuplicate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string
    /** Whether what is in the volumes of its applications is copied, too, while their containers stand still. Until that is done, a copy is not deployed. */
    readonly copyData?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: Project
}>('POST /api/projects/{id}/duplicate', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  limited: true,
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      copyData: {
        default: false,
        description:
          'Whether what is in the volumes of its applications is copied, too, while their containers stand still. Until that is done, a copy is not deployed.',
        type: 'boolean',
      },
    },
    required: ['name'],
    additionalProperties: false,
  },
})

/** List the teams of a project with the roles that they give their members. */
export const getProjectsByIdTeams = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly ProjectTeam[]
    | {
        /** The records of this page. */
        readonly items: readonly ProjectTeam[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/projects/{id}/teams', {
  openTo: ['user'],
  asks: ['project:members:manage'],
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

/** Add a team, by default as VIEWER. Its members get the role in addition, within the caller’s own rights. */
export const postProjectsByIdTeams = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The team. */
    readonly teamId: string
    /** A role that every project has. Not together with `roleId`. */
    readonly role?: 'ADMIN' | 'DEVELOPER' | 'VIEWER' | undefined
    /** A role of this project. Not together with `role`. */
    readonly roleId?: string | undefined
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds?: readonly string[] | null | undefined
  }
  readonly key?: string | undefined
  readonly data: ProjectTeam
}>('POST /api/projects/{id}/teams', {
  openTo: ['user'],
  asks: ['project:members:manage'],
  body: {
    type: 'object',
    properties: {
      teamId: { type: 'string', format: 'uuid', 'x-names': 'teams' },
      role: { type: 'string', enum: ['ADMIN', 'DEVELOPER', 'VIEWER'] },
      roleId: { type: 'string', format: 'uuid', 'x-names': 'projects/roles' },
      environmentIds: projectEnvironmentIds,
    },
    required: ['teamId'],
    additionalProperties: false,
    allOf: [{ not: { required: ['role', 'roleId'] } }],
    description: 'Give either role or roleId, not both.',
  },
})

/** Remove a team from a project. Other roles of its members stay. */
export const deleteProjectsByIdTeamsByTeamId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The team. */
    readonly teamId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/teams/{teamId}', { openTo: ['user'], asks: ['project:members:manage'] })

/** Read a project’s quota (null: default) and what holds. */
export const getProjectsByIdResourceQuota = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: GetProjectsByIdResourceQuotaAnswer
}>('GET /api/projects/{id}/resource-quota', { openTo: ['user'], permission: 'quotas:view' })

/** Change how many members, also pending ones, environments and applications a project may have. What exists stays; null: default. */
export const patchProjectsByIdResourceQuota = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: PatchProjectsByIdResourceQuotaBody
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: GetProjectsByIdResourceQuotaAnswer
}>('PATCH /api/projects/{id}/resource-quota', {
  openTo: ['user'],
  permission: 'quotas:manage',
  body: patchProjectsByIdResourceQuotaBody,
})

/** As PATCH /api/projects/{id}/resource-quota. */
export const patchProjectsByIdQuota = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: PatchProjectsByIdResourceQuotaBody
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: GetProjectsByIdResourceQuotaAnswer
}>('PATCH /api/projects/{id}/quota', {
  openTo: ['user'],
  permission: 'quotas:manage',
  asks: ['role:ADMIN', 'role:SUPERADMIN'],
  body: patchProjectsByIdResourceQuotaBody,
})

/** Tell which servers of a project reach each other, and list the servers that the caller may use. */
export const getProjectsByIdMesh = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Mesh
}>('GET /api/projects/{id}/mesh', { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'] })
