/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { applicationBuild } from './inputs.ts'
import type { Deployment, DeploymentStatus, GetApplicationsByIdDeploymentsAnswer } from './schemas.ts'

/** List the deployments of the caller’s projects, or with `scope=all` of every project, which needs projects:view. */
export const getDeployments = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** `mine` lists the projects of the caller, `all` those of the installation. */
        readonly scope?: 'mine' | 'all' | undefined
        /** The application. */
        readonly applicationId?: string | undefined
        /** The state. */
        readonly status?: DeploymentStatus | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data: readonly Deployment[] | GetApplicationsByIdDeploymentsAnswer
}>('GET /api/deployments', {
  openTo: ['user', 'key'],
  scope: 'project:deployments:view',
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      scope: { default: 'mine', type: 'string', enum: ['mine', 'all'] },
      applicationId: { type: 'string', format: 'uuid' },
      status: {
        type: 'string',
        enum: [
          'QUEUED',
          'FETCHING',
          'PULLING',
          'BUILDING',
          'STARTING',
          'SWITCHING',
          'STOPPING',
          'CANCELLING',
          'SUCCEEDED',
          'FAILED',
          'CANCELLED',
          'SUPERSEDED',
          'SKIPPED',
        ],
      },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Deploy an application: the newest commit of its branch, its image, or what the body names. */
export const postDeployments = /*#__PURE__*/ operation<{
  readonly body: {
    /** The application. */
    readonly applicationId: string
    /** The commit instead of the newest one of the branch. */
    readonly commit?: string | undefined
    /** The branch instead of that of the application. */
    readonly branch?: string | undefined
    /** Of an application with an image: this tag instead of its own. */
    readonly imageTag?: string | undefined
    /** ALWAYS: build although the commit runs already, or nothing below the watched paths has changed. */
    readonly build?: 'AUTO' | 'ALWAYS' | undefined
  }
  readonly key?: string | undefined
  readonly data: Deployment
}>('POST /api/deployments', {
  openTo: ['user', 'key'],
  scope: 'project:apps:deploy',
  asks: ['environment:apps:deploy'],
  body: {
    type: 'object',
    properties: {
      applicationId: { type: 'string', format: 'uuid' },
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
    required: ['applicationId'],
    additionalProperties: false,
  },
})

/** Get a deployment, without its log. */
export const getDeploymentsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Deployment
}>('GET /api/deployments/{id}', {
  openTo: ['user', 'key'],
  scope: 'project:deployments:view',
  asks: ['environment:deployments:view'],
})
