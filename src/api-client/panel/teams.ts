/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { patchTeamsByIdBody, postTeamsByIdMembersBody } from './inputs.ts'
import type {
  GetAuthSessionsQuery,
  GetTeamsAnswer,
  GetTeamsByIdAnswer,
  PatchTeamsByIdBody,
  PostTeamsByIdMembersAnswer,
  Team,
} from './schemas.ts'

/** List the teams that the caller is a member of, including owned ones. */
export const getTeams = /*#__PURE__*/ operation<{
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data: GetTeamsAnswer
}>('GET /api/teams', {
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

/** Create a team. The caller owns it and is its first member. */
export const postTeams = /*#__PURE__*/ operation<{
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string
    /** The colour in lists, as `#rrggbb`. Null: none. */
    readonly colour?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Team
}>('POST /api/teams', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      colour: { default: null, anyOf: [{ type: 'string', pattern: '^#[0-9a-fA-F]{6}$' }, { type: 'null' }] },
    },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Get a team with its members. */
export const getTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: GetTeamsByIdAnswer
}>('GET /api/teams/{id}', { openTo: ['user'], asks: ['team'] })

/** Change the name or colour of a team. */
export const patchTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: PatchTeamsByIdBody
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Team
}>('PATCH /api/teams/{id}', { openTo: ['user'], asks: ['team-role:OWNER'], body: patchTeamsByIdBody })

/** Delete a team. Its members lose the access to projects that it gave them. */
export const deleteTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/teams/{id}', { openTo: ['user'], asks: ['team-role:OWNER'] })

/** Add a member with the team’s project access. An unproven address joins once it is proven. */
export const postTeamsByIdMembers = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The e-mail address of the account. */
    readonly email?: string | undefined
    /** The account. */
    readonly userId?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: PostTeamsByIdMembersAnswer
}>('POST /api/teams/{id}/members', { openTo: ['user'], asks: ['team-role:OWNER'], body: postTeamsByIdMembersBody })

/** Remove a member by account id, or a pending member by member id. The owner cannot be removed. */
export const deleteTeamsByIdMembersByMemberUserId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The account of the member. */
    readonly memberUserId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/teams/{id}/members/{memberUserId}', { openTo: ['user'], asks: ['team-role:OWNER'] })

/** List every team on the platform. */
export const getAdminTeams = /*#__PURE__*/ operation<{
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data: GetTeamsAnswer
}>('GET /api/admin/teams', {
  openTo: ['user'],
  permission: 'users:view',
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

/** Get any team with its members. */
export const getAdminTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: GetTeamsByIdAnswer
}>('GET /api/admin/teams/{id}', { openTo: ['user'], permission: 'users:view' })

/** Change the name or colour of any team. */
export const patchAdminTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: PatchTeamsByIdBody
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Team
}>('PATCH /api/admin/teams/{id}', { openTo: ['user'], permission: 'users:manage', body: patchTeamsByIdBody })

/** Delete any team. Its members lose the access to projects that it gave them. */
export const deleteAdminTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/teams/{id}', { openTo: ['user'], permission: 'users:manage' })

/** Add a member to any team. The caller needs every permission that the team has in its projects. */
export const postAdminTeamsByIdMembers = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The e-mail address of the account. */
    readonly email?: string | undefined
    /** The account. */
    readonly userId?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: PostTeamsByIdMembersAnswer
}>('POST /api/admin/teams/{id}/members', {
  openTo: ['user'],
  permission: 'users:manage',
  body: postTeamsByIdMembersBody,
})

/** Remove a member from any team. The owner cannot be removed. */
export const deleteAdminTeamsByIdMembersByMemberUserId = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The account of the member. */
    readonly memberUserId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/teams/{id}/members/{memberUserId}', { openTo: ['user'], permission: 'users:manage' })
