/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

export const projectEnvironmentIds = {
  default: null,
  anyOf: [{ minItems: 1, maxItems: 100, type: 'array', items: { type: 'string', format: 'uuid' } }, { type: 'null' }],
  'x-names': 'projects/environments',
} as const

export const patchUsersMeBody = {
  type: 'object',
  properties: { name: { anyOf: [{ type: 'string', minLength: 1, maxLength: 100 }, { type: 'null' }] } },
  required: ['name'],
  additionalProperties: false,
} as const

export const agentPrograms = {
  type: 'object',
  propertyNames: { type: 'string', maxLength: 64 },
  additionalProperties: { anyOf: [{ type: 'string', minLength: 1, maxLength: 64 }, { type: 'null' }] },
} as const

export const postProjectsByIdEnvironmentsBody = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 40, pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$' } },
  required: ['name'],
  additionalProperties: false,
} as const

export const applicationBuild = {
  default: 'AUTO',
  description: 'ALWAYS: build although the commit runs already, or nothing below the watched paths has changed.',
  type: 'string',
  enum: ['AUTO', 'ALWAYS'],
} as const

export const applicationSourcePath = {
  type: 'string',
  minLength: 1,
  maxLength: 1000,
  pattern:
    '^(?:(?![-.]{1,2}(?:\\/|$)|-)[^/\\0\\\\\\p{Cc}]{1,200}(?:\\/(?!\\.{1,2}(?:\\/|$)|-)[^/\\0\\\\\\p{Cc}]{1,200}){0,30})?$',
} as const

export const scheduledDeployCron = {
  description: 'Minute, hour, day, month and weekday, on the clock of the time zone.',
  type: 'string',
  maxLength: 200,
  pattern: '^ *[\\dA-Za-z*,/-]+(?: +[\\dA-Za-z*,/-]+){4} *$',
} as const

export const authNew = {
  type: 'string',
  minLength: 8,
  maxLength: 256,
  format: 'password',
  description:
    'A passphrase that is hard to guess, of at least 15 characters, or 8 if the account has a second factor.',
} as const

export const applicationSourceService = {
  default: null,
  description: 'The service of the Compose file that serves HTTP. Null: its only one.',
  anyOf: [{ type: 'string', pattern: '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$' }, { type: 'null' }],
} as const

export const patchApplicationsByIdFilesComposeBody = {
  type: 'object',
  properties: {
    content: {
      description: 'Null: nothing is kept here, and the file of the repository counts.',
      type: ['string', 'null'],
    },
  },
  required: ['content'],
  additionalProperties: false,
} as const

export const postAuth2faEnableBody = {
  type: 'object',
  properties: {
    password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
    code: { type: 'string', maxLength: 64 },
  },
  required: ['password', 'code'],
  additionalProperties: false,
} as const

export const patchApplicationsByIdBindIpBody = {
  type: 'object',
  properties: {
    ip: {
      description: 'One of the addresses of its server. Null or empty: none.',
      anyOf: [{ type: 'string', maxLength: 45 }, { type: 'null' }],
    },
  },
  required: ['ip'],
  additionalProperties: false,
} as const

export const getRegistriesQuery = {
  type: 'object',
  properties: {
    projectId: { type: 'string', format: 'uuid', 'x-names': 'projects' },
    page: { type: 'integer', minimum: 1, maximum: 1000000 },
    pageSize: { type: 'integer', minimum: 1, maximum: 100 },
  },
  required: [],
} as const

export const patchTeamsByIdBody = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 100 },
    colour: { anyOf: [{ type: 'string', pattern: '^#[0-9a-fA-F]{6}$' }, { type: 'null' }] },
  },
  additionalProperties: false,
  minProperties: 1,
  description: 'Give at least one value to change.',
} as const

export const applicationSetItem = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 128, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
    value: { type: 'string', maxLength: 32768 },
    secret: { type: 'boolean' },
    when: { type: 'string', enum: ['RUN', 'BUILD', 'BOTH'] },
  },
  required: ['name', 'value'],
  additionalProperties: false,
} as const

export const postTeamsByIdMembersBody = {
  type: 'object',
  properties: {
    email: { type: 'string', maxLength: 254, format: 'email' },
    userId: { type: 'string', format: 'uuid', 'x-names': 'users' },
  },
  additionalProperties: false,
  allOf: [{ oneOf: [{ required: ['email'] }, { required: ['userId'] }] }],
  description: 'Give either email or userId.',
} as const

export const agentCapacity = {
  type: 'object',
  properties: {
    cpuMillis: { type: 'integer', minimum: 0, maximum: 1000000000 },
    memoryMiB: { type: 'integer', minimum: 0, maximum: 1000000000 },
    diskMiB: { type: 'integer', minimum: 0, maximum: 1000000000 },
  },
  required: ['cpuMillis', 'memoryMiB', 'diskMiB'],
  additionalProperties: false,
} as const

export const apiKeyAllowedIps = {
  default: [],
  description:
    'Where the credential may be used. An empty list allows every address. Every address together is refused.',
  type: 'array',
  items: {
    type: 'string',
    description: 'An IPv4 or IPv6 address or a CIDR range.',
    pattern: '^([0-9A-Fa-f.:]{2,45})(?:\\/(0|[1-9]\\d{0,2}))?$',
  },
  maxItems: 100,
} as const

export const applicationSet = { maxItems: 500, type: 'array', items: applicationSetItem } as const

export const agentEngine = {
  anyOf: [
    {
      type: 'object',
      properties: {
        version: { type: 'string', minLength: 1, maxLength: 64 },
        api: { type: 'string', minLength: 1, maxLength: 16 },
        driver: { type: 'string', minLength: 1, maxLength: 64 },
        builder: { type: 'string', minLength: 1, maxLength: 64 },
      },
      required: ['version', 'api'],
      additionalProperties: false,
    },
    { type: 'null' },
  ],
} as const

export const getGitProvidersByIdDetectQuery = {
  type: 'object',
  properties: {
    repo: { type: 'string', maxLength: 300, pattern: '^[\\w.~-]+(?:\\/[\\w.~-]+)*$' },
    ref: { type: 'string', maxLength: 250, pattern: '^[\\w.@+#-]+(?:\\/[\\w.@+#-]+)*$' },
    directory: {
      default: '',
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 1000, pattern: '^\\P{Cc}*$' },
        { type: 'string', const: '' },
      ],
    },
  },
  required: ['repo'],
} as const

export const getUsersQuery = {
  type: 'object',
  properties: {
    role: { type: 'string', enum: ['SUPERADMIN', 'ADMIN', 'USER'] },
    status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED', 'BANNED', 'PENDING_VERIFICATION'] },
    q: { type: 'string', minLength: 1, maxLength: 320 },
    page: { type: 'integer', minimum: 1, maximum: 1000000 },
    pageSize: { type: 'integer', minimum: 1, maximum: 100 },
  },
  required: [],
} as const

export const applicationVolumesItem = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,39}$' },
    mountPath: { type: 'string', maxLength: 300, pattern: '^(?:\\/(?!\\.{1,2}(?:\\/|$))[^/\\0:]+)+$' },
    shared: {
      default: false,
      description: 'Whether containers of two releases may use it at the same time. If not, the old one stops first.',
      type: 'boolean',
    },
  },
  required: ['name', 'mountPath'],
  additionalProperties: false,
} as const

export const patchProjectsByIdResourceQuotaBody = {
  type: 'object',
  properties: {
    members: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
    environments: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
    applications: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
    previews: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
  },
  additionalProperties: false,
  minProperties: 1,
  description: 'Give at least one value to change.',
} as const

export const projectPermissions = {
  maxItems: 22,
  type: 'array',
  items: {
    type: 'string',
    enum: [
      'apps:view',
      'apps:create',
      'apps:delete',
      'apps:deploy',
      'apps:restart',
      'apps:env',
      'apps:logs',
      'databases:view',
      'databases:create',
      'databases:delete',
      'databases:manage',
      'domains:view',
      'domains:manage',
      'domains:delete',
      'backups:view',
      'backups:create',
      'backups:restore',
      'backups:delete',
      'deployments:view',
      'members:manage',
      'environments:manage',
      'settings:manage',
    ],
    description: 'A permission that no route requires yet is stored, and takes effect once a route requires it.',
  },
} as const

export const userPermissions = {
  maxItems: 32,
  type: 'array',
  items: {
    type: 'string',
    enum: [
      'users:view',
      'users:manage',
      'projects:view',
      'projects:manage',
      'servers:view',
      'servers:manage',
      'quotas:view',
      'quotas:manage',
      'instances:view',
      'instances:manage',
      'settings:view',
      'settings:manage',
      'audit:view',
      'audit:manage',
      'backups:view',
      'backups:manage',
      'dns:view',
      'dns:manage',
      'email:view',
      'email:manage',
      'security:view',
      'security:manage',
      'monitoring:view',
      'monitoring:manage',
      'registries:view',
      'registries:manage',
      'swarm:view',
      'swarm:manage',
      'system:view',
      'system:manage',
      'license:view',
      'license:manage',
    ],
    description: 'A permission that no route requires yet is stored, and takes effect once a route requires it.',
  },
} as const

export const postAdminRolesBody = {
  name: { type: 'string', minLength: 1, maxLength: 100 },
  permissions: userPermissions,
} as const

export const applicationHealthCheck = {
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
} as const

export const agentBeat = {
  type: 'object',
  properties: {
    cpuPercent: { type: 'number', minimum: 0, maximum: 100 },
    memoryBytes: { type: 'integer', minimum: 0 },
    memoryUsedBytes: { type: 'integer', minimum: 0 },
    diskBytes: { type: 'integer', minimum: 0 },
    diskUsedBytes: { type: 'integer', minimum: 0 },
    load: { type: 'number', minimum: 0 },
    containers: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
    engine: { type: 'string', enum: ['UP', 'DOWN', 'NONE'] },
    plans: {
      type: 'object',
      propertyNames: { type: 'string', maxLength: 100 },
      additionalProperties: { type: 'integer', minimum: 0 },
    },
    links: {
      maxItems: 500,
      type: 'array',
      items: {
        type: 'object',
        properties: {
          to: { type: 'string', format: 'uuid' },
          state: { type: 'string', enum: ['OK', 'BLOCKED'] },
          rttMs: { anyOf: [{ type: 'number', minimum: 0, maximum: 60000 }, { type: 'null' }] },
          ageMs: { type: 'integer', minimum: 0, maximum: 3600000 },
        },
        required: ['to', 'state', 'rttMs', 'ageMs'],
        additionalProperties: false,
      },
    },
    meshPortClosed: {
      description: 'The port of the plan mesh, while the host cannot open it.',
      type: 'integer',
      minimum: 1,
      maximum: 65535,
    },
    facts: {
      type: 'object',
      properties: {
        engineId: { anyOf: [{ type: 'string', minLength: 1, maxLength: 128 }, { type: 'null' }] },
        version: { type: 'string', minLength: 1, maxLength: 64 },
        hostname: { type: 'string', minLength: 1, maxLength: 253 },
        os: { type: 'string', minLength: 1, maxLength: 64 },
        arch: { type: 'string', minLength: 1, maxLength: 32 },
        kernel: { type: 'string', minLength: 1, maxLength: 128 },
        kinds: {
          type: 'object',
          propertyNames: { type: 'string', maxLength: 64 },
          additionalProperties: { type: 'integer', minimum: 1 },
        },
        capacity: agentCapacity,
        engine: agentEngine,
        addresses: { maxItems: 64, type: 'array', items: { type: 'string', minLength: 1, maxLength: 64 } },
        systemd: { type: 'boolean' },
        cgroup: { type: 'integer', minimum: 1, maximum: 2 },
        programs: agentPrograms,
      },
      required: ['engineId', 'version', 'hostname', 'os', 'arch', 'kernel', 'kinds', 'capacity', 'engine'],
      additionalProperties: false,
    },
  },
  required: [
    'cpuPercent',
    'memoryBytes',
    'memoryUsedBytes',
    'diskBytes',
    'diskUsedBytes',
    'load',
    'containers',
    'engine',
    'plans',
  ],
  additionalProperties: false,
} as const

export const applicationSource = {
  oneOf: [
    {
      type: 'object',
      properties: {
        kind: { type: 'string', const: 'IMAGE', description: 'An image of a registry.' },
        image: {
          type: 'string',
          maxLength: 300,
          pattern:
            '^(?!sha256(?::|$))(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\\d{1,5})?\\/)?[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*(?:\\/[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*)*(?::\\w[\\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$',
        },
        registryId: { default: null, anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] },
      },
      required: ['kind', 'image'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: {
        kind: { type: 'string', const: 'GIT', description: 'A repository, from which each push can be deployed.' },
        providerId: {
          default: null,
          description: 'The git provider whose credentials are used. Null: none.',
          anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }],
        },
        url: { type: 'string', maxLength: 500 },
        branch: {
          type: 'string',
          maxLength: 200,
          pattern:
            '^(?![-/.])(?![\\s\\S]*(?:\\/\\.|\\.\\.|\\/\\/|@\\{|\\.lock(?:\\/|$)|[./]$))[^\\p{Cc} ~^:?*[\\\\]{1,200}$',
        },
        directory: {
          default: '',
          description: 'What is built, below the repository.',
          type: 'string',
          maxLength: 1000,
          pattern:
            '^(?:(?![-.]{1,2}(?:\\/|$)|-)[^/\\0\\\\\\p{Cc}]{1,200}(?:\\/(?!\\.{1,2}(?:\\/|$)|-)[^/\\0\\\\\\p{Cc}]{1,200}){0,30})?$',
        },
        build: {
          default: 'AUTO',
          description: 'AUTO: by the Dockerfile there, or by one that is made for what is found.',
          type: 'string',
          enum: ['AUTO', 'DOCKERFILE', 'COMPOSE', 'STATIC'],
        },
        path: {
          default: null,
          description: 'Of the Dockerfile or the Compose file, below the directory. Null: its usual name.',
          anyOf: [applicationSourcePath, { type: 'null' }],
        },
        watchPaths: {
          default: [],
          description: 'A push that changes nothing below them deploys nothing. Empty: each push does.',
          maxItems: 20,
          type: 'array',
          items: applicationSourcePath,
        },
        service: applicationSourceService,
      },
      required: ['kind', 'url', 'branch'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: {
        kind: {
          type: 'string',
          const: 'DOCKERFILE',
          description: 'A Dockerfile that is written here, without other files.',
        },
      },
      required: ['kind'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: {
        kind: { type: 'string', const: 'COMPOSE', description: 'A Compose file that is written here.' },
        service: applicationSourceService,
      },
      required: ['kind'],
      additionalProperties: false,
    },
  ],
} as const
