/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { getGitProvidersByIdDetectQuery, getRegistriesQuery } from './inputs.ts'
import type {
  DetectedSource,
  FoundApplication,
  GetGitProvidersByIdDetectQuery,
  GitEntry,
  GitProvider,
  GitRepository,
} from './schemas.ts'

/** Begin to sign in at GitHub: enter the code there, and poll meanwhile. A code is valid for minutes. */
export const postGitProvidersOauthHostedGitDeviceStart = /*#__PURE__*/ operation<{
  readonly body?:
    | {
        /** The name. It is sealed. */
        readonly name?: string | undefined
        /** The project that it is shared with. Absent: you alone use it. */
        readonly projectId?: string | undefined
        /** The names of those that the project may use. */
        readonly repositories?: readonly string[] | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: {
    /** The flow that the start has answered. */
    readonly flowId: string
    /** What you enter at GitHub. */
    readonly userCode: string
    /** Where you enter it. */
    readonly verificationUri: string
    /** How long to wait before each poll. */
    readonly intervalSeconds: number
  }
}>('POST /api/git-providers/oauth/hosted-git/device/start', {
  openTo: ['user'],
  body: {
    default: { name: 'GitHub' },
    type: 'object',
    properties: {
      name: { default: 'GitHub', type: 'string', minLength: 1, maxLength: 100 },
      projectId: { type: 'string', format: 'uuid', 'x-names': 'projects' },
      repositories: {
        maxItems: 20,
        type: 'array',
        items: { type: 'string', maxLength: 300, pattern: '^[\\w.~-]+(?:\\/[\\w.~-]+)*$' },
      },
    },
    additionalProperties: false,
  },
})

/** Ask whether the code was entered at GitHub. If it was, the provider is connected. */
export const postGitProvidersOauthHostedGitDevicePoll = /*#__PURE__*/ operation<{
  readonly body: {
    /** The flow that the start has answered. */
    readonly flowId: string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly state: 'PENDING' | 'AUTHORIZED' | 'DENIED' | 'EXPIRED' | 'FAILED' | 'OTHER_ACCOUNT'
    /** How long to wait before the next poll. Null: the flow has ended. */
    readonly intervalSeconds: number | null
    /** The provider that it has connected. */
    readonly gitProviderId: string | null
  }
}>('POST /api/git-providers/oauth/hosted-git/device/poll', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: { flowId: { type: 'string', format: 'uuid' } },
    required: ['flowId'],
    additionalProperties: false,
  },
})

/** Get whether you can sign in at GitHub from here, and whether you have connected it. */
export const getGitProvidersOauthHostedGitStatus = /*#__PURE__*/ operation<{
  readonly data: {
    /** Whether an administrator has set `gitHubClientId`. */
    readonly configured: boolean
    /** Whether you have a provider at github.com. */
    readonly connected: boolean
  }
}>('GET /api/git-providers/oauth/hosted-git/status', { openTo: ['user'] })

/** Begin to sign in at a GitLab or Gitea of your own, with an OAuth application there. Open the URL in this browser. */
export const postGitProvidersOauthSelfhostedGitStart = /*#__PURE__*/ operation<{
  readonly body: {
    /** GENERIC: any git over HTTPS. SSH: any git over SSH. */
    readonly kind: 'GITLAB' | 'GITEA'
    /** Where it is, if not at the public address of its kind. */
    readonly baseUrl: string
    /** The id of the OAuth application that is registered at the provider. */
    readonly clientId: string
    /** The secret of that application. It is sealed. */
    readonly clientSecret: string
    /** The name. It is sealed. */
    readonly name?: string | undefined
    /** A provider of yours to connect again. It keeps its name and what it is shared with. */
    readonly gitProviderId?: string | undefined
    /** The project that it is shared with. Absent: you alone use it. */
    readonly projectId?: string | undefined
    /** The names of those that the project may use. */
    readonly repositories?: readonly string[] | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The flow that the start has answered. */
    readonly flowId: string
    /** Where the provider asks whether the panel may read your repositories. */
    readonly authorizationUrl: string
  }
}>('POST /api/git-providers/oauth/selfhosted-git/start', {
  openTo: ['user'],
  shownOnce: ['authorizationUrl'],
  body: {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['GITLAB', 'GITEA'] },
      baseUrl: { type: 'string', maxLength: 500 },
      clientId: { type: 'string', minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e]+$' },
      clientSecret: { type: 'string', minLength: 1, maxLength: 2000, pattern: '^[\\x21-\\x7e]+$' },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      gitProviderId: {
        description: 'A provider of yours to connect again. It keeps its name and what it is shared with.',
        type: 'string',
        format: 'uuid',
      },
      projectId: { type: 'string', format: 'uuid', 'x-names': 'projects' },
      repositories: {
        maxItems: 20,
        type: 'array',
        items: { type: 'string', maxLength: 300, pattern: '^[\\w.~-]+(?:\\/[\\w.~-]+)*$' },
      },
    },
    required: ['kind', 'baseUrl', 'clientId', 'clientSecret'],
    additionalProperties: false,
  },
})

/** Get how a sign-in of yours stands. A browser has 10 minutes to come back from the provider. */
export const getGitProvidersOauthSelfhostedGitStatus = /*#__PURE__*/ operation<{
  readonly query: {
    /** The flow that the start has answered. */
    readonly flowId: string
  }
  readonly data: {
    readonly state: 'PENDING' | 'AUTHORIZED' | 'DENIED' | 'EXPIRED' | 'FAILED' | 'OTHER_ACCOUNT'
    /** The provider that it has connected. */
    readonly gitProviderId: string | null
  }
}>('GET /api/git-providers/oauth/selfhosted-git/status', {
  openTo: ['user'],
  query: { type: 'object', properties: { flowId: { type: 'string', format: 'uuid' } }, required: ['flowId'] },
})

/** Where the provider sends the browser back to. It leads to the pages, with one word for every failure but another account. */
export const getGitProvidersOauthSelfhostedGitCallback = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** What the panel exchanges for a token, once. */
        readonly code?: string | undefined
        /** The one that the authorization URL has. */
        readonly state?: string | undefined
        /** Why the provider gives no code. */
        readonly error?: string | undefined
        /** Not read. */
        readonly error_description?: string | undefined
        /** Not read. */
        readonly error_uri?: string | undefined
        /** The address of the provider. Another one than that of the sign-in is refused. */
        readonly iss?: string | undefined
        /** Not read. */
        readonly scope?: string | undefined
        /** Not read. */
        readonly session_state?: string | undefined
      }
    | undefined
  readonly data: undefined
}>('GET /api/git-providers/oauth/selfhosted-git/callback', {
  openTo: [],
  query: {
    type: 'object',
    properties: {
      code: { type: 'string', maxLength: 8192, description: 'What the panel exchanges for a token, once.' },
      state: { type: 'string', maxLength: 8192, description: 'The one that the authorization URL has.' },
      error: { type: 'string', maxLength: 8192, description: 'Why the provider gives no code.' },
      error_description: { type: 'string', maxLength: 8192, description: 'Not read.' },
      error_uri: { type: 'string', maxLength: 8192, description: 'Not read.' },
      iss: {
        type: 'string',
        maxLength: 8192,
        description: 'The address of the provider. Another one than that of the sign-in is refused.',
      },
      scope: { type: 'string', maxLength: 8192, description: 'Not read.' },
      session_state: { type: 'string', maxLength: 8192, description: 'Not read.' },
    },
    required: [],
  },
})

/** Recognise what a directory of a repository holds, and show the Dockerfile that would be made for it. */
export const getGitProvidersByIdDetect = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query: GetGitProvidersByIdDetectQuery
  readonly data: DetectedSource
}>('GET /api/git-providers/{id}/detect', {
  openTo: ['user'],
  asks: ['git-provider:own', 'project:apps:create'],
  query: getGitProvidersByIdDetectQuery,
})

/** Find applications in the directories of a repository, at most 50. */
export const getGitProvidersByIdScanMonorepo = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query: GetGitProvidersByIdDetectQuery
  readonly data: readonly FoundApplication[]
}>('GET /api/git-providers/{id}/scan-monorepo', {
  openTo: ['user'],
  asks: ['git-provider:own', 'project:apps:create'],
  query: getGitProvidersByIdDetectQuery,
})

/** Find applications in a public repository of GitHub, GitLab or Bitbucket, at most 50. Changes nothing. */
export const postGitProvidersScanMonorepoUrl = /*#__PURE__*/ operation<{
  readonly body: {
    /** The address of the repository, over HTTPS. */
    readonly url: string
    /** The branch. Absent: the default branch. */
    readonly branch?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: readonly FoundApplication[]
}>('POST /api/git-providers/scan-monorepo-url', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: {
      url: { type: 'string', maxLength: 500, pattern: '^https?:\\/\\/' },
      branch: { type: 'string', maxLength: 250, pattern: '^[\\w.@+#-]+(?:\\/[\\w.@+#-]+)*$' },
    },
    required: ['url'],
    additionalProperties: false,
  },
})

/** List your git providers. With projectId, those that are shared with the project. No token is shown. */
export const getGitProviders = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The project that it is shared with. Absent: you alone use it. */
        readonly projectId?: string | undefined
        /** The page, from 1 on. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly GitProvider[]
    | {
        /** The records of this page. */
        readonly items: readonly GitProvider[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The page, from 1 on. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/git-providers', {
  openTo: ['user'],
  asks: ['project:apps:create', 'project:settings:manage'],
  walk: 'page',
  query: getRegistriesQuery,
})

/** Connect a git provider, and optionally share some of its repositories with a project. It is asked at once. */
export const postGitProviders = /*#__PURE__*/ operation<{
  readonly body: {
    /** GENERIC: any git over HTTPS. SSH: any git over SSH. */
    readonly kind: 'GITHUB' | 'GITLAB' | 'GITEA' | 'BITBUCKET' | 'GENERIC' | 'SSH'
    /** The name. It is sealed. */
    readonly name: string
    /** Where it is, if not at the public address of its kind. */
    readonly baseUrl?: string | undefined
    /** The workspace. BITBUCKET only. */
    readonly account?: string | undefined
    /** The user name of GENERIC. For BITBUCKET the mail address that an API token belongs to; absent for an access token. */
    readonly username?: string | undefined
    /** A token that the provider has made. For SSH, a private key without a passphrase. */
    readonly token: string
    /** The project that it is shared with. Absent: you alone use it. */
    readonly projectId?: string | undefined
    /** The names of those that the project may use. */
    readonly repositories?: readonly string[] | undefined
  }
  readonly key?: string | undefined
  readonly data: GitProvider
}>('POST /api/git-providers', {
  openTo: ['user'],
  body: {
    description:
      'GITEA, GENERIC and SSH need baseUrl, BITBUCKET needs account. repositories and projectId go together.',
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['GITHUB', 'GITLAB', 'GITEA', 'BITBUCKET', 'GENERIC', 'SSH'] },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      baseUrl: { type: 'string', minLength: 1, maxLength: 500, pattern: '^\\P{Cc}*$' },
      account: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        allOf: [{ pattern: '^\\P{Cc}*$' }, { pattern: '^[\\w.-]+$' }],
      },
      username: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        allOf: [{ pattern: '^\\P{Cc}*$' }, { pattern: '^[^:]*$' }],
      },
      token: { type: 'string', minLength: 1, maxLength: 8192 },
      projectId: { type: 'string', format: 'uuid', 'x-names': 'projects' },
      repositories: {
        maxItems: 20,
        type: 'array',
        items: { type: 'string', maxLength: 300, pattern: '^[\\w.~-]+(?:\\/[\\w.~-]+)*$' },
      },
    },
    required: ['kind', 'name', 'token'],
    additionalProperties: false,
  },
})

/** Remove a git provider with its credentials. Applications that use it keep it from that, unless detach is set. */
export const deleteGitProvidersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** Whether it is removed although applications use it. They run on, and fetch nothing more. */
        readonly detach?: 'true' | 'false' | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/git-providers/{id}', {
  openTo: ['user'],
  asks: ['git-provider:own', 'project:settings:manage'],
  query: { type: 'object', properties: { detach: { enum: ['true', 'false'], type: 'string' } }, required: [] },
})

/** List repositories of a git provider. Members of its project get those that were shared. */
export const getGitProvidersByIdRepos = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** A part of the name. */
        readonly search?: string | undefined
        /** The page, from 1 on. */
        readonly page?: number | undefined
      }
    | undefined
  readonly data: {
    /** The records of this page. */
    readonly items: readonly GitRepository[]
    /** Null: there are no more. */
    readonly nextPage: number | null
  }
}>('GET /api/git-providers/{id}/repos', {
  openTo: ['user'],
  asks: ['git-provider:own', 'project:apps:create'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      search: { default: '', type: 'string', maxLength: 100 },
      page: { default: 1, type: 'integer', minimum: 1, maximum: 1000 },
    },
    required: [],
  },
})

/** List a directory of a repository. Links are listed and never followed. */
export const getGitProvidersByIdTree = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query: {
    /** The name of the repository, as the provider spells it. */
    readonly repo: string
    /** A branch, a tag or a commit. Absent: the default branch. */
    readonly ref?: string | undefined
    /** The path in the repository. Empty: its root. */
    readonly path?: string | undefined
  }
  readonly data: {
    /** What the directory contains. */
    readonly entries: readonly GitEntry[]
    /** Whether the directory has more than 2,000 entries. */
    readonly isCut: boolean
  }
}>('GET /api/git-providers/{id}/tree', {
  openTo: ['user'],
  asks: ['git-provider:own', 'project:apps:create'],
  query: {
    type: 'object',
    properties: {
      repo: { type: 'string', maxLength: 300, pattern: '^[\\w.~-]+(?:\\/[\\w.~-]+)*$' },
      ref: { type: 'string', maxLength: 250, pattern: '^[\\w.@+#-]+(?:\\/[\\w.@+#-]+)*$' },
      path: {
        default: '',
        anyOf: [
          { type: 'string', minLength: 1, maxLength: 1000, pattern: '^\\P{Cc}*$' },
          { type: 'string', const: '' },
        ],
      },
    },
    required: ['repo'],
  },
})

/** Read a text file of a repository, of at most 256 KiB. A link is not followed. */
export const getGitProvidersByIdFile = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query: {
    /** The name of the repository, as the provider spells it. */
    readonly repo: string
    /** A branch, a tag or a commit. Absent: the default branch. */
    readonly ref?: string | undefined
    /** The path in the repository. Empty: its root. */
    readonly path: string
  }
  readonly data: {
    /** The content of the file. */
    readonly text: string
  }
}>('GET /api/git-providers/{id}/file', {
  openTo: ['user'],
  asks: ['git-provider:own', 'project:apps:create'],
  query: {
    type: 'object',
    properties: {
      repo: { type: 'string', maxLength: 300, pattern: '^[\\w.~-]+(?:\\/[\\w.~-]+)*$' },
      ref: { type: 'string', maxLength: 250, pattern: '^[\\w.@+#-]+(?:\\/[\\w.@+#-]+)*$' },
      path: { type: 'string', minLength: 1, maxLength: 1000, pattern: '^\\P{Cc}*$' },
    },
    required: ['repo', 'path'],
  },
})
