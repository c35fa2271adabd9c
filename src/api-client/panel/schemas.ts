/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

export type User = {
  /** The id of the record. */
  readonly id: string
  /** The e-mail address of the account. */
  readonly email: string
  /** The name that people read in lists. */
  readonly name: string | null
  /** The role of the account. */
  readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION'
  /** Whether the account has a second factor. */
  readonly totpEnabled: boolean
  /** The photo. Null: there is none. */
  readonly avatarId: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type AdminUser = {
  /** The id of the record. */
  readonly id: string
  /** The e-mail address of the account. */
  readonly email: string
  /** The name that people read in lists. */
  readonly name: string | null
  /** The role of the account. */
  readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION'
  /** Whether the account has a second factor. */
  readonly totpEnabled: boolean
  /** The photo. Null: there is none. */
  readonly avatarId: string | null
  /** When the record was created. */
  readonly createdAt: string
  /** Permissions on the platform that the account holds by itself. */
  readonly adminPermissions: readonly string[]
  /** The admin role of the account. Null: none. */
  readonly adminRole: {
    /** The id of the record. */
    readonly id: string
    /** The name that people read in lists. */
    readonly name: string
  } | null
}

export type Profile = {
  /** The id of the record. */
  readonly id: string
  /** The e-mail address of the account. */
  readonly email: string
  /** The name that people read in lists. */
  readonly name: string | null
  /** The role of the account. */
  readonly role: string
  /** The state of the record. */
  readonly status: string
  /** The names of the permissions. */
  readonly permissions: readonly string[]
  /** Whether the account has a second factor. */
  readonly totpEnabled: boolean
  /** When the record was created. */
  readonly createdAt: string
}

export type Session = {
  /** The id of the record. */
  readonly id: string
  /** When the record was created. */
  readonly createdAt: string
  /** When the credential was used last. Null: never. */
  readonly lastUsedAt: string
  /** The address that the request came from. */
  readonly ip: string | null
  /** The browser or program, as it names itself. */
  readonly userAgent: string | null
  /** Whether it is the session of this request. */
  readonly current: boolean
}

export type ApiKey = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** The first characters of the secret, to recognise it. */
  readonly prefix: string
  /** What it is about or acts for. */
  readonly kind: 'PERSONAL' | 'MACHINE'
  /** The account that owns it. */
  readonly ownerId: string | null
  /** The scopes, which decide the routes that the key opens. */
  readonly scopes: readonly string[]
  /** The projects that the key is limited to. Absent: all of its owner. */
  readonly projectIds: readonly string[] | null
  /** Addresses and ranges from which the credential may be used. An empty list allows every address. */
  readonly allowedIps: readonly string[]
  /** When it ends. */
  readonly expiresAt: string | null
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
  /** When the record was created. */
  readonly createdAt: string
  /** The account that created the key. */
  readonly mintedBy: string
  /** When the credential was used last. Null: never. */
  readonly lastUsedAt: string | null
  /** The address that it was used from last. */
  readonly lastUsedIp: string | null
  /** When it was revoked. Null: it is not. */
  readonly revokedAt: string | null
  /** The actor that revoked it. Null: it is not revoked. */
  readonly revokedBy: string | null
}

export type License = {
  /** The state of the record. */
  readonly status: 'FREE' | 'ACTIVE' | 'OFFLINE' | 'GRACE' | 'DEGRADED' | 'TAMPERED'
  /** Why the status is not ACTIVE. */
  readonly reason: string | null
  /** The plan of the license. */
  readonly plan: string
  /** The features of the license and their values. */
  readonly features: { readonly [name: string]: boolean | number | string }
  /** The id of the license key, which is no secret. */
  readonly keyId: string | null
  /** When it ends. */
  readonly expiresAt: string | null
  /** When the status gets worse unless the license is renewed. */
  readonly graceUntil: string | null
  /** When the licensing service last answered. */
  readonly lastContactAt: string | null
  /** CACHE: the licensing service did not answer the last request. */
  readonly source: 'ONLINE' | 'CACHE' | 'FILE' | null
  /** Why the licensing service last refused the activation, and what to do. Null: no refusal since the last success. */
  readonly refusal: LicenseRefusal | null
}

export type AdminRole = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** The names of the permissions. */
  readonly permissions: readonly string[]
  /** When the record was created. */
  readonly createdAt: string
}

export type AuditEntry = {
  /** The place of the event in the history of this installation. */
  readonly position: number
  /** When it happened. */
  readonly at: string
  /** The caller that caused the event. */
  readonly actor: {
    /** The kind of the record. */
    readonly type: string
    /** The id of the record. */
    readonly id: string
    /** What names it to a reader. Null: it was erased, or never had a name. */
    readonly label: string | null
    /** The address that the request came from. */
    readonly ip: string | null
  }
  /** The kind of event that the entry is about. */
  readonly action: string
  /** The record that the event is about. */
  readonly subject: {
    /** The kind of the record. */
    readonly type: string
    /** The id of the record. */
    readonly id: string
    /** What names it to a reader. Null: it was erased, or never had a name. */
    readonly label: string | null
  }
  /** The id of the request that caused the event. */
  readonly requestId: string
  /** The event in a sentence. */
  readonly sentence: string
  /** What the event says, without secrets and personal data. */
  readonly meta: { readonly [name: string]: Recursive1 }
}

export type Recursive1 =
  | string
  | number
  | boolean
  | null
  | readonly Recursive1[]
  | { readonly [name: string]: Recursive1 }

export type Config = {
  /** The mail server. */
  readonly mail: {
    /** Null: no mail server is set. */
    readonly host: string | null
    /** The port of the mail server. Null removes it. */
    readonly port: number | null
    /** How the connection to the mail server is encrypted. Null removes the value. */
    readonly tls: 'TLS' | 'STARTTLS' | 'OPTIONAL' | null
    /** The account name at the mail server. Null removes it. */
    readonly user: string | null
    /** Masked. Send the mask back to keep the stored password. */
    readonly password: string | null
    /** The sender of mails. */
    readonly from: string | null
  }
  /** Public addresses. */
  readonly urls: {
    /** The URL under which people open this panel; links lead there. */
    readonly panel: string
  }
  /** How long records are kept. */
  readonly retention: {
    /** After how many days notices are removed. Null: the usual number. */
    readonly notificationDays: number
    /** After how many days last uses are removed. Null: the usual number. */
    readonly telemetryDays: number
  }
  /** Where each value comes from. */
  readonly sources: {
    /** The mail server. */
    readonly mail: {
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly host: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly port: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly tls: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly user: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly password: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly from: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
    }
    /** Public addresses. */
    readonly urls: {
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly panel: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
    }
    /** How long records are kept. */
    readonly retention: {
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly notificationDays: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly telemetryDays: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
    }
  }
}

export type Notification = {
  /** The id of the record. */
  readonly id: string
  /** What it is about or acts for. */
  readonly kind:
    | 'NEW_DEVICE'
    | 'SECOND_FACTOR'
    | 'PASSWORD'
    | 'API_KEY'
    | 'MEMBERSHIP'
    | 'LICENSE'
    | 'SERVER'
    | 'GIT_PROVIDER'
  /** The heading. */
  readonly title: string
  /** The project. Null: the notice is about something else. */
  readonly projectId: string | null
  /** The team. */
  readonly teamId: string | null
  /** The API key. Null: the notice is about something else. */
  readonly apiKeyId: string | null
  /** The server. Null: the notice is about something else. */
  readonly serverId: string | null
  /** When the notice was read. Null: not yet. */
  readonly readAt: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type Overview = {
  /** Accounts. */
  readonly users: {
    /** The number of all of them. */
    readonly total: number
    /** Accounts by state. */
    readonly byStatus: Readonly<Record<'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION', number>>
  }
  /** Projects. */
  readonly projects: {
    /** The number of all of them. */
    readonly total: number
    /** Projects without an owner. */
    readonly unowned: number
  }
  /** API keys. */
  readonly apiKeys: {
    /** Those that are in use. */
    readonly active: number
  }
  /** Sessions. */
  readonly sessions: {
    /** Those that are in use. */
    readonly active: number
  }
  /** The newest accounts. */
  readonly recentSignups: readonly {
    /** The id of the record. */
    readonly id: string
    /** The e-mail address of the account. */
    readonly email: string | null
    /** The name that people read in lists. */
    readonly name: string | null
    /** The role of the account. */
    readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
    /** The state of the record. */
    readonly status: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION'
    /** When the record was created. */
    readonly createdAt: string
  }[]
}

export type Health = {
  /** The state of the record. */
  readonly status: 'ok' | 'degraded'
  /** What an operator should do. Null: nothing. */
  readonly concern: string | null
  /** The position of the newest event. */
  readonly position: number
  /** The read models. */
  readonly readModels: {
    /** The number of read models. */
    readonly total: number
    /** The number of read models that have not applied every event. */
    readonly behind: number
    /** How many positions the slowest read model is behind. */
    readonly lag: number
    /** Events that could not be applied. */
    readonly parked: number
  }
  /** Work after events. */
  readonly work: {
    /** Reactions and timers that wait. */
    readonly waiting: number
    /** How long the oldest work waits, in seconds. */
    readonly oldestSeconds: number
    /** Those that failed and are tried again. */
    readonly failing: number
    /** How many seconds ago a worker counted this. Null: none has run yet. */
    readonly lookedSecondsAgo: number | null
  }
  /** The database. */
  readonly database: {
    /** The size in bytes. */
    readonly bytes: number
  }
  /** This process. */
  readonly process: {
    /** How long the process has run, in seconds. */
    readonly uptimeSeconds: number
    /** The memory of the process. */
    readonly memoryBytes: number
  }
}

export type Project = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** What it is for, in the words of its authors. */
  readonly description: string | null
  /** The account that owns it. Null: an account can claim it. */
  readonly ownerId: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type ProjectMember = {
  /** The id of the record. */
  readonly id: string
  /** The account. */
  readonly userId: string | null
  /** The e-mail address of the account. */
  readonly email: string | null
  /** The name that people read in lists. */
  readonly name: string | null
  /** The role of the account. */
  readonly role: string
  /** A role of this project. Not together with `role`. */
  readonly roleId: string | null
  /** The environments that the role is limited to. Null: all of them. */
  readonly environmentIds: readonly string[] | null
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'PENDING'
  /** When the record was created. */
  readonly createdAt: string
}

export type ProjectRole = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** The names of the permissions. */
  readonly permissions: readonly string[]
  /** When the record was created. */
  readonly createdAt: string
}

export type Environment = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** When the record was created. */
  readonly createdAt: string
}

export type Variable = {
  /** The id of the record. */
  readonly id: string
  /** The environment. Absent: the project as a whole. */
  readonly environmentId: string | null
  /** The name that people read in lists. */
  readonly name: string
  /** The value. */
  readonly value: string
  /** Whether the value is hidden, because the caller may not read it. */
  readonly masked: boolean
  /** When it was changed last. */
  readonly updatedAt: string
}

export type StaleSharedEnv = {
  readonly applicationId: string
  /** The deployment whose containers run. */
  readonly deploymentId: string
  /** The shared variables that have another value now, are new or are gone. */
  readonly names: readonly string[]
  /** When its containers were made, with the values of then or of an earlier time. */
  readonly since: string
}

export type ProjectUsageDay = {
  /** In UTC. */
  readonly day: string
  /** At the end of the day. */
  readonly applications: number
  /** Deployments that were asked for. */
  readonly deployments: number
  /** Deployments that failed. */
  readonly failed: number
  /** Of the builds that ended on this day. */
  readonly buildSeconds: number
  /** Members with an account, at the end of the day. */
  readonly members: number
}

export type Promotion = {
  /** Only entries at this moment or later. */
  readonly from: string
  /** The application of the same name. Null: there is none, or it would be created. */
  readonly to: string | null
  /** Null: nothing is promoted, or this is a dry run. */
  readonly deploymentId: string | null
  /** Why it is not promoted. */
  readonly reason: {
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
    /** What happened, in a sentence. */
    readonly message: string
  } | null
}

export type ProjectTeam = {
  /** The team. */
  readonly teamId: string
  /** The name that people read in lists. */
  readonly name: string
  /** The colour in lists, as `#rrggbb`. Null: none. */
  readonly colour: string | null
  /** The role of the account. */
  readonly role: string
  /** A role of this project. Not together with `role`. */
  readonly roleId: string | null
  /** The environments that the role is limited to. Null: all of them. */
  readonly environmentIds: readonly string[] | null
  /** When the record was created. */
  readonly createdAt: string
}

export type Team = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** The colour in lists, as `#rrggbb`. Null: none. */
  readonly colour: string | null
  /** The account that owns it. */
  readonly ownerId: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type TeamMember = {
  /** The id of the record. */
  readonly id: string
  /** The account. */
  readonly userId: string | null
  /** The e-mail address of the account. */
  readonly email: string | null
  /** The name that people read in lists. */
  readonly name: string | null
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'PENDING'
  /** When the record was created. */
  readonly createdAt: string
}

export type Server = {
  /** The id of the record. */
  readonly id: string
  /** What it is about or acts for. */
  readonly kind: 'LOCAL' | 'REMOTE'
  /** STALE: the agent is silent for a moment. OFFLINE: for longer. What runs there may run on. */
  readonly status: 'PENDING_INSTALL' | 'ONLINE' | 'STALE' | 'OFFLINE'
  /** The name that people read in lists. */
  readonly name: string
  /** What it is for, in the words of its authors. */
  readonly description: string | null
  readonly publicAddress: string | null
  /** Addresses and ranges from which the credential may be used. An empty list allows every address. */
  readonly allowedIps: readonly string[]
  readonly labels: readonly string[]
  readonly meshPort: number | null
  readonly cordoned: boolean
  /** Whether it has no access rule, so that every account may use it. */
  readonly isOpen: boolean
  /** Null: no agent has registered. */
  readonly agent: {
    /** The version. */
    readonly version: string
    /** The processor architecture. */
    readonly arch: string
    readonly lastContactAt: string | null
  } | null
  /** The container engine. Null: the agent finds none. */
  readonly engine: {
    /** The version. */
    readonly version: string
    /** The version of the engine’s API. */
    readonly api: string
  } | null
  /** What is wrong although the agent runs: it gets no work, or peers do not reach its meshPort. Null: nothing is known. */
  readonly problem: ServerProblem | null
  /** What there is on the host. Null: no agent has told it. */
  readonly capacity: ServerCapacity2 | null
  /** When the record was created. */
  readonly createdAt: string
}

export type UsableServer = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** STALE: the agent is silent for a moment. OFFLINE: for longer. What runs there may run on. */
  readonly status: 'PENDING_INSTALL' | 'ONLINE' | 'STALE' | 'OFFLINE'
  readonly labels: readonly string[]
  readonly level: 'USE' | 'MANAGE'
}

export type SeenServer = {
  /** The id of the record. */
  readonly id: string
  /** What it is about or acts for. */
  readonly kind?: 'LOCAL' | 'REMOTE' | undefined
  /** STALE: the agent is silent for a moment. OFFLINE: for longer. What runs there may run on. */
  readonly status: 'PENDING_INSTALL' | 'ONLINE' | 'STALE' | 'OFFLINE'
  /** The name that people read in lists. */
  readonly name: string
  /** What it is for, in the words of its authors. */
  readonly description?: string | null | undefined
  readonly publicAddress?: string | null | undefined
  /** Addresses and ranges from which the credential may be used. An empty list allows every address. */
  readonly allowedIps?: readonly string[] | undefined
  readonly labels: readonly string[]
  readonly meshPort?: number | null | undefined
  readonly cordoned?: boolean | undefined
  /** Whether it has no access rule, so that every account may use it. */
  readonly isOpen?: boolean | undefined
  /** Null: no agent has registered. */
  readonly agent?:
    | {
        /** The version. */
        readonly version: string
        /** The processor architecture. */
        readonly arch: string
        readonly lastContactAt: string | null
      }
    | null
    | undefined
  /** The container engine. Null: the agent finds none. */
  readonly engine?:
    | {
        /** The version. */
        readonly version: string
        /** The version of the engine’s API. */
        readonly api: string
      }
    | null
    | undefined
  /** What is wrong although the agent runs: it gets no work, or peers do not reach its meshPort. Null: nothing is known. */
  readonly problem?: ServerProblem | null | undefined
  /** What there is on the host. Null: no agent has told it. */
  readonly capacity?: ServerCapacity2 | null | undefined
  /** When the record was created. */
  readonly createdAt?: string | undefined
  readonly level: 'USE' | 'MANAGE' | null
}

export type ServerAccessRule = {
  /** The id of the record. */
  readonly id: string
  /** The account. */
  readonly userId: string | null
  /** The team. */
  readonly teamId: string | null
  /** The project. Null: the notice is about something else. */
  readonly projectId: string | null
  readonly level: 'USE' | 'MANAGE'
  /** Whether the account, team or project ceased to exist. The rule then gives nothing and keeps the server closed. */
  readonly isGone: boolean
  /** When the record was created. */
  readonly createdAt: string
}

export type Mesh = {
  /** The servers that the project uses, and those that the caller may use. */
  readonly servers: readonly {
    /** The id of the record. */
    readonly id: string
    /** The name that people read in lists. */
    readonly name: string
    /** STALE: the agent is silent for a moment. OFFLINE: for longer. What runs there may run on. */
    readonly status: 'PENDING_INSTALL' | 'ONLINE' | 'STALE' | 'OFFLINE'
    /** Whether it holds workloads of the project. */
    readonly isUsed: boolean
  }[]
  /** Between the servers that the project uses and that have a meshPort, in both directions. */
  readonly links: readonly {
    /** Only entries at this moment or later. */
    readonly from: string
    /** Only entries before this moment. */
    readonly to: string
    /** BLOCKED: the measurement failed. UNKNOWN: there was none in the last 15 minutes. */
    readonly state: 'OK' | 'BLOCKED' | 'UNKNOWN'
    /** The time of one round trip. Null unless the state is OK. */
    readonly rttMs: number | null
    /** When it was measured last. Null: never. */
    readonly at: string | null
  }[]
}

export type ServerCapacity = {
  readonly serverId: string
  /** The state of the record. */
  readonly status: 'PENDING_INSTALL' | 'ONLINE' | 'STALE' | 'OFFLINE'
  /** What there is on the host. Null: no agent has told it. */
  readonly capacity: ServerCapacity2 | null
  /** What may be reserved. Null: no limit. */
  readonly quota: {
    readonly workloads: number | null
    /** Processors, in thousandths. */
    readonly cpuMillis: number | null
    /** The memory, in MiB. */
    readonly memoryMiB: number | null
    /** The disk, in MiB. */
    readonly diskMiB: number | null
  }
  readonly reserved: {
    readonly workloads: number
    /** Processors, in thousandths. */
    readonly cpuMillis: number
    /** The memory, in MiB. */
    readonly memoryMiB: number
    /** The disk, in MiB. */
    readonly diskMiB: number
  }
  /** What the host uses by its newest beat. Null: it has told nothing. */
  readonly used: {
    /** How busy the processors are, in percent of all. */
    readonly cpuPercent: number
    /** How much of the memory is used. */
    readonly memoryUsedBytes: number
    /** How much of it is used. */
    readonly diskUsedBytes: number
  } | null
}

export type EngineContainer = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** As its maker named the image. */
  readonly image: string
  readonly imageId: string
  /** The word of the engine: `running`, `exited`, `paused` and others. */
  readonly state: string
  /** The sentence of the engine, such as `Up 2 hours`. */
  readonly status: string
  /** What the container has written, in bytes. Null: the engine has not told it. */
  readonly size: number | null
  /** By the clock of the host. Null: the engine does not know it. */
  readonly createdAt: string | null
  /** For what the panel has made it. Null: it belongs to no workload of this panel. */
  readonly workload: {
    /** What it is about or acts for. */
    readonly kind: string
    /** The id of the record. */
    readonly id: string
  } | null
  /** Whether a panel manages it, this one or another one on the same engine. */
  readonly isManaged: boolean
  /** Whether it is a part of the panel’s own installation. */
  readonly isPlatform: boolean
}

export type EngineImage = {
  /** The id of the record. */
  readonly id: string
  readonly tags: readonly string[]
  /** In bytes, with layers that other images share. */
  readonly size: number | null
  /** How many containers were made of it, running or not. */
  readonly containers: number
  /** By the clock of the host. Null: the engine does not know it. */
  readonly createdAt: string | null
  /** For what the panel has made it. Null: it belongs to no workload of this panel. */
  readonly workload: {
    /** What it is about or acts for. */
    readonly kind: string
    /** The id of the record. */
    readonly id: string
  } | null
  /** Whether a panel manages it, this one or another one on the same engine. */
  readonly isManaged: boolean
  /** Whether it is a part of the panel’s own installation. */
  readonly isPlatform: boolean
}

export type EngineNetwork = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  readonly driver: string
  /** Whether its containers reach nothing outside. */
  readonly isInternal: boolean
  /** Whether the engine itself has made it. It cannot be removed. */
  readonly isPredefined: boolean
  /** How many containers are made to use it, running or not. */
  readonly containers: number
  /** Networks have no size. */
  readonly size: null
  /** By the clock of the host. Null: the engine does not know it. */
  readonly createdAt: string | null
  /** For what the panel has made it. Null: it belongs to no workload of this panel. */
  readonly workload: {
    /** What it is about or acts for. */
    readonly kind: string
    /** The id of the record. */
    readonly id: string
  } | null
  /** Whether a panel manages it, this one or another one on the same engine. */
  readonly isManaged: boolean
  /** Whether it is a part of the panel’s own installation. */
  readonly isPlatform: boolean
}

export type EngineVolume = {
  /** The name that people read in lists. */
  readonly name: string
  readonly driver: string
  /** In bytes. Null: the engine has not measured it. */
  readonly size: number | null
  /** The names of the containers that mount it, running or not. */
  readonly containers: readonly string[]
  /** By the clock of the host. Null: the engine does not know it. */
  readonly createdAt: string | null
  /** For what the panel has made it. Null: it belongs to no workload of this panel. */
  readonly workload: {
    /** What it is about or acts for. */
    readonly kind: string
    /** The id of the record. */
    readonly id: string
  } | null
  /** Whether a panel manages it, this one or another one on the same engine. */
  readonly isManaged: boolean
  /** Whether it is a part of the panel’s own installation. */
  readonly isPlatform: boolean
}

export type ReaperScan = {
  readonly scanId: string
  /** When it happened. */
  readonly at: string
  readonly servers: readonly {
    readonly serverId: string
    /** The records of this page. */
    readonly items: readonly {
      /** What it is about or acts for. */
      readonly kind: 'CONTAINER' | 'NETWORK' | 'IMAGE' | 'VOLUME'
      /** The id of the record. */
      readonly id: string
      /** The name that people read in lists. */
      readonly name: string
      readonly ageSeconds: number | null
      /** The size in bytes. */
      readonly bytes: number | null
      readonly task: string | null
      readonly workload: string | null
      /** Only entries about this project, by its id. */
      readonly project: string | null
    }[]
    /** Why the host could not be looked at, wholly or in part. Null: it was. */
    readonly problem: {
      /** Why the host was not looked at, for programs. */
      readonly code: string
      /** What happened, in a sentence. */
      readonly message: string
    } | null
  }[]
}

export type Reap = {
  readonly tasks: readonly {
    readonly serverId: string
    readonly taskId: string
  }[]
}

export type Registry = {
  /** The id of the record. */
  readonly id: string
  /** What it is about or acts for. */
  readonly kind: 'EXTERNAL' | 'SELF_HOSTED'
  /** Null: every project may use it. */
  readonly projectId: string | null
  /** The name that people read in lists. */
  readonly name: string
  /** Of a SELF_HOSTED one: on the loopback address of its server. Null until it runs. */
  readonly address: string | null
  /** The server that runs it. Null: it runs elsewhere. */
  readonly serverId: string | null
  /** Why its server does not run it. It is tried again within 20 minutes. Null: nothing is known. */
  readonly problem: {
    /** Why it does not run, for programs. */
    readonly code: string
    /** What happened, in a sentence. */
    readonly message: string
  } | null
  /** Null: the caller may use the registry, and not see its login. */
  readonly username: string | null
  /** Masked. Send the mask back to keep the stored password. */
  readonly password: string
  /** When the record was created. */
  readonly createdAt: string
}

export type DetectedSource = {
  /** What it is about or acts for. */
  readonly kind: 'DOCKERFILE' | 'COMPOSE' | 'NODE' | 'PYTHON' | 'GO' | 'PHP' | 'STATIC' | 'UNKNOWN'
  /** The Dockerfile that is there, or the one that would be made. Null: none. */
  readonly dockerfile: string | null
  /** The port that it serves. Null: not known. */
  readonly port: number | null
  /** What was assumed. */
  readonly notes: readonly string[]
}

export type FoundApplication = {
  readonly directory: string
  /** What it is about or acts for. */
  readonly kind: 'DOCKERFILE' | 'COMPOSE' | 'NODE' | 'PYTHON' | 'GO' | 'PHP' | 'STATIC' | 'UNKNOWN'
  /** The Dockerfile that is there, or the one that would be made. Null: none. */
  readonly dockerfile: string | null
  /** The port that it serves. Null: not known. */
  readonly port: number | null
  /** What was assumed. */
  readonly notes: readonly string[]
}

export type GitKind = {
  /** What it is about or acts for. */
  readonly kind: 'GITHUB' | 'GITLAB' | 'GITEA' | 'BITBUCKET' | 'GENERIC' | 'SSH'
  /** How it can be connected: by a token, by a private key, by a code that you enter there, or by OAuth. */
  readonly ways: readonly ('TOKEN' | 'KEY' | 'DEVICE' | 'OAUTH')[]
  /** Whether all of its ways can be used. DEVICE needs the setting `gitHubClientId`. */
  readonly configured: boolean
  /** Where it is unless a request says it. Null: a request says it. */
  readonly baseUrl: string | null
  /** The fields of a new provider that this kind has beside name and token. */
  readonly takes: readonly ('baseUrl' | 'account' | 'username')[]
  /** Those that it needs. */
  readonly needs: readonly ('baseUrl' | 'account')[]
  /** Whether it checks credentials at once, and lists repositories. */
  readonly hasApi: boolean
}

export type GitProvider = {
  /** The id of the record. */
  readonly id: string
  /** What it is about or acts for. */
  readonly kind: 'GITHUB' | 'GITLAB' | 'GITEA' | 'BITBUCKET' | 'GENERIC' | 'SSH'
  /** The name that people read in lists. */
  readonly name: string
  readonly baseUrl: string
  /** Whose the credentials are, as the provider names it. Null: not known. */
  readonly account: string | null
  /** The project that it is shared with. Null: its owner alone uses it. */
  readonly projectId: string | null
  /** What the project may use of it. */
  readonly repositories: readonly string[]
  /** Whether the caller has connected it, and uses all of its repositories. */
  readonly isMine: boolean
  /** UNCHECKED: this kind has no API, so the credentials are checked when they are first used. REFUSED: it renews its token no more, so connect it again. */
  readonly status: 'CHECKED' | 'UNCHECKED' | 'REFUSED'
  /** When the record was created. */
  readonly createdAt: string
}

export type GitRepository = {
  /** The name that people read in lists. */
  readonly name: string
  /** The address that it is cloned from. */
  readonly cloneUrl: string
  /** Null: the repository is empty. */
  readonly defaultBranch: string | null
  /** Whether the provider shows it to some accounts only. */
  readonly private: boolean
}

export type GitEntry = {
  /** The name that people read in lists. */
  readonly name: string
  /** The kind of the record. */
  readonly type: 'FILE' | 'DIRECTORY' | 'LINK' | 'SUBMODULE'
  /** Null for what is no file, and where the provider does not say it. */
  readonly bytes: number | null
}

export type SystemUpdates = {
  /** The password of today. */
  readonly current: {
    /** The version. */
    readonly version: string
    /** The SHA-256 of the file that it was installed from. Null: RELEASE_SHA256 does not say it. */
    readonly sha: string | null
  }
  /** What the license entitles to and is newer, or the running version with other files. */
  readonly available: {
    /** The version. */
    readonly version: string
    readonly publishedAt: string
    readonly files: readonly {
      /** The name that people read in lists. */
      readonly name: string
      readonly size: number
      readonly sha256: string
    }[]
  } | null
  /** UNREACHABLE: the last check failed; what is available is from an earlier one. */
  readonly state: 'NO_LICENSE' | 'NOT_CHECKED' | 'UNREACHABLE' | 'UP_TO_DATE' | 'AVAILABLE'
  /** AGENT: the panel installs what is available itself. BY_HAND: the operator installs it. */
  readonly how: 'AGENT' | 'BY_HAND'
  /** How the operator installs what is available. */
  readonly remedy: string | null
  /** Why the panel does not install what is available itself. */
  readonly obstacle: {
    /** What is wrong, for programs. */
    readonly code: string
    /** What happened, in a sentence. */
    readonly message: string
  } | null
  /** The newest version that the panel was asked to install. Null: none was. */
  readonly install: {
    /** The version. */
    readonly version: string
    readonly taskId: string
    readonly state: 'RUNNING' | 'INSTALLED' | 'FAILED'
    /** Why it failed: that of the task, or TAKEN_BACK for a version that did not serve. NOT_TAKEN_BACK: see the agent’s log. */
    readonly code: string | null
    readonly askedAt: string
    readonly endedAt: string | null
  } | null
  /** Why the last check failed. */
  readonly problem: string | null
  readonly checkedAt: string | null
  readonly agents: {
    /** The release of the agent that the panel hands out. Null: none is built. */
    readonly version: string | null
    /** The newest update of agents. Null: there was none. */
    readonly update: {
      /** The version. */
      readonly version: string
      /** HALTED: an agent could not be updated, so the servers that were not sent it keep theirs. */
      readonly state: 'RUNNING' | 'HALTED' | 'ENDED'
      /** How many servers it is for. */
      readonly total: number
      /** How many agents have told the new version. */
      readonly updated: number
      readonly first: {
        readonly serverId: string
        readonly taskId: string
      }
      /** The server that halted it, and why. */
      readonly halted: {
        readonly serverId: string
        /** What is wrong, for programs. */
        readonly code: string
      } | null
      readonly askedAt: string
      /** When the value was set last. Null: never. */
      readonly changedAt: string
    } | null
  }
  /** Null: no service is asked, because there is no license key. */
  readonly nextCheckAt: string | null
}

export type Task = {
  /** The id of the record. */
  readonly id: string
  readonly serverId: string
  /** The project. Null: the notice is about something else. */
  readonly projectId: string | null
  /** What it is about or acts for. */
  readonly kind: string
  readonly state: 'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'EXPIRED'
  /** Which attempt of the task this is, from 1 on. */
  readonly attempt: number
  readonly cause: {
    /** The kind of the record. */
    readonly type: string
    /** The id of the record. */
    readonly id: string
  }
  /** When the record was created. */
  readonly createdAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** When it ends. */
  readonly expiresAt: string
  /** How far the task is, in percent. Null: not known. */
  readonly percent: number | null
  readonly payload: { readonly [name: string]: Recursive1 } | null
  /** What came of it, in the form of its kind. */
  readonly result: { readonly [name: string]: Recursive1 } | null
  readonly error: {
    /** Why it has failed, for programs. */
    readonly code: string
    /** What happened, in a sentence. */
    readonly message: string
  } | null
  readonly log: TaskLog | null
}

export type AgentUpdate = {
  readonly updateId: string
  readonly first: {
    readonly serverId: string
    readonly taskId: string
  }
  /** The servers that follow once the first one has told the new version. */
  readonly then: readonly string[]
  readonly skipped: readonly {
    readonly serverId: string
    /** Why, for readers of the audit trail. */
    readonly reason:
      | 'LOCAL'
      | 'NOT_INSTALLED'
      | 'OFFLINE'
      | 'CONFLICTED'
      | 'CURRENT'
      | 'BY_HAND'
      | 'NOT_BUILT'
      | 'LATER'
  }[]
}

export type Application = {
  /** The id of the record. */
  readonly id: string
  /** Its project. */
  readonly projectId: string
  /** Its environment. */
  readonly environmentId: string
  readonly serverId: string
  readonly slug: string
  /** The name that people read in lists. */
  readonly name: string
  readonly source:
    | {
        /** Of the source: where the image comes from. Of the health check: how a container is checked. */
        readonly kind: 'IMAGE'
        readonly image: string
        readonly registryId: string | null
      }
    | {
        /** Of the source: where the image comes from. Of the health check: how a container is checked. */
        readonly kind: 'GIT'
        readonly providerId: string | null
        readonly url: string
        readonly branch: string
        readonly directory: string
        /** Places for builds. */
        readonly build: 'AUTO' | 'DOCKERFILE' | 'COMPOSE' | 'STATIC'
        /** The path that is asked. Null: none is. */
        readonly path: string | null
        readonly watchPaths: readonly string[]
        readonly service: string | null
      }
    | {
        /** Of the source: where the image comes from. Of the health check: how a container is checked. */
        readonly kind: 'DOCKERFILE'
      }
    | {
        /** Of the source: where the image comes from. Of the health check: how a container is checked. */
        readonly kind: 'COMPOSE'
        readonly service: string | null
      }
  /** The port at which its containers serve HTTP. Null: they serve none. */
  readonly port: number | null
  /** Program and arguments. Null: those of the image, or no program checks a container. */
  readonly command: readonly string[] | null
  readonly replicas: number
  /** The memory that each container may use, in MiB. */
  readonly memoryMiB: number
  /** Thousandths of a CPU that each container may use. */
  readonly cpuMillis: number
  readonly healthCheck: {
    /** Of the source: where the image comes from. Of the health check: how a container is checked. */
    readonly kind: 'HTTP' | 'TCP' | 'COMMAND' | 'IMAGE' | 'NONE'
    /** The path that is asked. Null: none is. */
    readonly path: string | null
    /** Program and arguments. Null: those of the image, or no program checks a container. */
    readonly command: readonly string[] | null
    readonly intervalSeconds: number
    readonly timeoutSeconds: number
    readonly startSeconds: number
    readonly successes: number
  }
  readonly drainSeconds: number
  readonly stopSeconds: number
  readonly keepImages: number
  readonly volumes: readonly {
    /** The name that people read in lists. */
    readonly name: string
    readonly mountPath: string
    readonly shared: boolean
  }[]
  readonly rollover: 'AUTO' | 'STOP_FIRST'
  readonly buildTimeoutSeconds: number
  /** PORT: a port of its server. CLEAN: a name under the domain of the installation. */
  readonly urlMode: 'PORT' | 'CLEAN'
  /** The address of its server that the port of its URL is at. Null: all of them. */
  readonly bindIp: string | null
  /** The address of its server that its connections leave from. Null: the server chooses. */
  readonly outboundIp: string | null
  /** Where it is reached by HTTP. Null: it has no port or no domain. */
  readonly url: string | null
  /** The deployment whose containers run. Null: none runs. */
  readonly deploymentId: string | null
  /** Whether its configuration, files or variables have changed since the containers that run were made. */
  readonly pendingChanges: boolean
  /** Whether a push deploys. Only applications from git have it on. */
  readonly autoDeploy: boolean
  /** The copy of the volumes of another application. Null: it was made without one. */
  readonly dataCopy: {
    readonly fromId: string
    readonly taskId: string
    /** While it is RUNNING, the application is not deployed. */
    readonly state: 'RUNNING' | 'DONE' | 'FAILED'
    readonly volumes: number
    /** The size in bytes. */
    readonly bytes: number | null
    /** A code of the authenticator app, or a backup code. */
    readonly code: string | null
  } | null
  /** When the record was created. */
  readonly createdAt: string
}

export type ApplicationVariable = {
  /** The name that people read in lists. */
  readonly name: string
  /** The value. */
  readonly value: string
  /** The secret. It is shown only here. */
  readonly secret: boolean
  readonly when: 'RUN' | 'BUILD' | 'BOTH'
  /** Where it is set. A later one replaces an earlier one: PROJECT, ENVIRONMENT, APPLICATION, SET. */
  readonly source: 'PROJECT' | 'ENVIRONMENT' | 'APPLICATION' | 'SET'
  /** The limits that apply, with those of the installation where none is set. */
  readonly inEffect: boolean
}

export type EnvSetEntry = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  readonly isActive: boolean
  /** All shared variables. One that is left out is removed. Each name stands once. */
  readonly variables: number
}

export type EnvSet = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  readonly isActive: boolean
  /** All shared variables. One that is left out is removed. Each name stands once. */
  readonly variables: readonly SetVariable[]
}

export type SetVariable = {
  /** The name that people read in lists. */
  readonly name: string
  /** The value. */
  readonly value: string
  /** The secret. It is shown only here. */
  readonly secret: boolean
  readonly when: 'RUN' | 'BUILD' | 'BOTH'
}

export type ApplicationLogLine = {
  /** By the clock of the server. */
  readonly at: string
  /** The output that has said it. STEP: the panel’s own work. */
  readonly of: 'OUT' | 'ERR' | 'STEP'
  /** Null: it is not known, or a line of a build. */
  readonly service: string | null
  readonly replica: number | null
  readonly deploymentId: string | null
  readonly text: string
}

export type ContainerStats = {
  readonly service: string
  readonly replica: number
  readonly deploymentId: string | null
  /** Of one processor: 250 are two and a half of them. */
  readonly cpuPercent: number
  /** Without what the kernel only caches. */
  readonly memoryBytes: number
  /** The memory that it may use, in bytes. */
  readonly limitBytes: number
  /** Received since its start, in bytes. */
  readonly netRxBytes: number
  /** Sent since its start, in bytes. */
  readonly netTxBytes: number
  /** Read from disks since its start, in bytes. */
  readonly blockReadBytes: number
  /** Written to disks since its start, in bytes. */
  readonly blockWriteBytes: number
  /** Its processes and threads. */
  readonly pids: number
  /** By the clock of the host. */
  readonly at: string
}

export type ApplicationPort = {
  /** Null: the port of its URL. */
  readonly id: string | null
  /** The port of its containers that it leads to. */
  readonly containerPort: number
  /** The port of its server. */
  readonly hostPort: number
  /** The address of its server. Null: all of them. */
  readonly ip: string | null
  readonly protocol: 'TCP' | 'UDP'
  /** What leads to it. EDGE: the proxy, by HTTP. TCP: the proxy, as connections. ENGINE: the container engine. */
  readonly via: 'EDGE' | 'TCP' | 'ENGINE'
}

export type Deployment = {
  /** The id of the record. */
  readonly id: string
  readonly applicationId: string
  /** The project. Null: the notice is about something else. */
  readonly projectId: string
  /** The environment. Absent: the project as a whole. */
  readonly environmentId: string
  readonly serverId: string
  /** The preview that it deploys. Null: the application itself. */
  readonly previewId: string | null
  /** What it is about or acts for. */
  readonly kind: 'DEPLOY' | 'ROLLBACK' | 'RESTART' | 'START' | 'STOP' | 'PROMOTE'
  readonly cause: {
    /** The kind of the record. */
    readonly type: 'USER' | 'KEY' | 'WEBHOOK' | 'SCHEDULE' | 'PROMOTE'
    /** The id of the record. */
    readonly id: string | null
  }
  /** The state of the record. */
  readonly status: DeploymentStatus
  /** LANE: other deployments of the server. SERVER: its agent is silent. Null: it waits for nothing. */
  readonly waitingFor: 'LANE' | 'SERVER' | null
  /** The deployment whose images it runs again. Null: it gets its own. */
  readonly fromId: string | null
  /** Instead of that of the application. */
  readonly branch: string | null
  /** The subject is the first line of its message. */
  readonly commit: {
    readonly sha: string
    /** The record that the event is about. */
    readonly subject: string | null
  } | null
  readonly imageId: string | null
  /** The id of the account or API key, or the installation itself. */
  readonly requestedBy: string
  readonly failure: DeploymentFailure | null
  /** SAME_COMMIT or NOT_WATCHED. */
  readonly skippedWhy: string | null
  /** When the record was created. */
  readonly createdAt: string
  readonly startedAt: string | null
  readonly fetchingAt: string | null
  readonly pullingAt: string | null
  readonly buildingAt: string | null
  readonly startingAt: string | null
  readonly switchingAt: string | null
  readonly stoppingAt: string | null
  readonly endedAt: string | null
}

export type DeploymentWithLog = {
  /** The id of the record. */
  readonly id: string
  readonly applicationId: string
  /** The project. Null: the notice is about something else. */
  readonly projectId: string
  /** The environment. Absent: the project as a whole. */
  readonly environmentId: string
  readonly serverId: string
  /** The preview that it deploys. Null: the application itself. */
  readonly previewId: string | null
  /** What it is about or acts for. */
  readonly kind: 'DEPLOY' | 'ROLLBACK' | 'RESTART' | 'START' | 'STOP' | 'PROMOTE'
  readonly cause: {
    /** The kind of the record. */
    readonly type: 'USER' | 'KEY' | 'WEBHOOK' | 'SCHEDULE' | 'PROMOTE'
    /** The id of the record. */
    readonly id: string | null
  }
  /** The state of the record. */
  readonly status: DeploymentStatus
  /** LANE: other deployments of the server. SERVER: its agent is silent. Null: it waits for nothing. */
  readonly waitingFor: 'LANE' | 'SERVER' | null
  /** The deployment whose images it runs again. Null: it gets its own. */
  readonly fromId: string | null
  /** Instead of that of the application. */
  readonly branch: string | null
  /** The subject is the first line of its message. */
  readonly commit: {
    readonly sha: string
    /** The record that the event is about. */
    readonly subject: string | null
  } | null
  readonly imageId: string | null
  /** The id of the account or API key, or the installation itself. */
  readonly requestedBy: string
  readonly failure: DeploymentFailure | null
  /** SAME_COMMIT or NOT_WATCHED. */
  readonly skippedWhy: string | null
  /** When the record was created. */
  readonly createdAt: string
  readonly startedAt: string | null
  readonly fetchingAt: string | null
  readonly pullingAt: string | null
  readonly buildingAt: string | null
  readonly startingAt: string | null
  readonly switchingAt: string | null
  readonly stoppingAt: string | null
  readonly endedAt: string | null
  /** Null without the permission apps:logs. `next` is the `after` of the next call. */
  readonly log: TaskLog | null
}

export type ApplicationFile = {
  /** Null: nothing is kept here. */
  readonly content: string | null
  /** Where a deployment takes it from. GENERATED: it is made for what is found, unless the repository has one. */
  readonly source: 'STORED' | 'REPOSITORY' | 'GENERATED'
}

export type GitBranch = {
  /** The name that people read in lists. */
  readonly name: string
  /** The id of its newest commit. */
  readonly commit: string
  readonly isDefault: boolean
}

export type ApplicationPreviews = {
  /** Whether pull requests get previews. They are opened by the webhook of the application. */
  readonly enabled: boolean
  /** Previews are at `pr-<number>--<slug>.<baseDomain>`. All names under it must lead to the server. */
  readonly baseDomain: string | null
  /** Of previews at once. More pull requests get none. */
  readonly limit: number
  /** A preview without new commits for so long is removed. */
  readonly idleDays: number
  /** The set whose variables previews get, and no others. Null: the variables of the application that are no secrets. */
  readonly setId: string | null
  readonly previews: readonly Preview[]
}

export type Preview = {
  /** The id of the record. */
  readonly id: string
  /** Its number. Of GitLab, that of the merge request. */
  readonly pullRequest: number
  /** What is fetched: where its repository keeps its newest commit. */
  readonly ref: string
  /** Null: the application has no port. */
  readonly url: string | null
  /** The newest one. */
  readonly deploymentId: string | null
  /** Of its newest deployment. */
  readonly status: DeploymentStatus | null
  /** When the record was created. */
  readonly createdAt: string
  /** When it was deployed last. */
  readonly updatedAt: string
}

export type ApplicationScale = {
  readonly replicas: number
  /** The most replicas of this size that its server has room for now. */
  readonly max: number
  /** Of each replica. */
  readonly memoryMiB: number
  /** Of each replica. */
  readonly cpuMillis: number
  /** What is free on its server. Null: no limit. */
  readonly free: {
    /** The memory, in MiB. */
    readonly memoryMiB: number | null
    /** Processors, in thousandths. */
    readonly cpuMillis: number | null
  }
  /** How a new release replaces the one before: beside it, or after it has stopped. */
  readonly rollover: 'START_FIRST' | 'STOP_FIRST'
  /** Why it cannot be scaled further, and what its rollover follows from. */
  readonly reasons: readonly {
    /** A code of the authenticator app, or a backup code. */
    readonly code: 'VOLUME_NOT_SHARED' | 'UDP_PORT' | 'ASKED_FOR' | 'AT_MOST' | 'SERVER_FULL' | 'NAMES_REACH_CANDIDATES'
    /** What happened, in a sentence. */
    readonly message: string
  }[]
}

export type ScheduledDeploy = {
  /** The id of the record. */
  readonly id: string
  readonly applicationId: string
  readonly cron: string | null
  readonly timezone: string | null
  readonly runAt: string | null
  readonly missed: 'ONE' | 'SKIP'
  readonly enabled: boolean
  /** Null: it is not due any more, or disabled. */
  readonly nextAt: string | null
  readonly lastRun: {
    readonly scheduledFor: string
    /** When it happened. */
    readonly at: string
    /** Null: the deployment was refused. */
    readonly deploymentId: string | null
    /** Why it was refused. */
    readonly refusal: string | null
  } | null
  /** The newest time that was skipped. */
  readonly missedFor: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type LicenseRefusal = {
  /** When it happened. */
  readonly at: string
  /** Why the license is not in effect, for programs. Null: it is. */
  readonly code: string | null
  /** What happened, in a sentence. */
  readonly message: string
}

export type ServerProblem = {
  /** What is wrong, for programs. */
  readonly code: 'AGENT_CONFLICTED' | 'NO_ENGINE' | 'NO_AGENT' | 'MESH_PORT_CLOSED'
  /** What happened, in a sentence. */
  readonly message: string
  readonly remedy: string
}

export type ServerCapacity2 = {
  /** Processors, in thousandths. */
  readonly cpuMillis: number
  /** The memory, in MiB. */
  readonly memoryMiB: number
  /** The disk, in MiB. */
  readonly diskMiB: number
}

export type TaskLog = {
  /** Lines of the log in their order. */
  readonly lines: readonly {
    /** The number of the line, from 1 on, without gaps. */
    readonly seq: number
    /** When it happened. */
    readonly at: string
    /** What said the line: the standard output, the error output, or the agent itself. */
    readonly of: 'OUT' | 'ERR' | 'STEP'
    readonly text: string
  }[]
  readonly next: number
  readonly cut: number
}

export type DeploymentStatus =
  | 'QUEUED'
  | 'FETCHING'
  | 'PULLING'
  | 'BUILDING'
  | 'STARTING'
  | 'SWITCHING'
  | 'STOPPING'
  | 'CANCELLING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'CANCELLED'
  | 'SUPERSEDED'
  | 'SKIPPED'

export type DeploymentFailure = {
  readonly step: 'QUEUED' | 'FETCHING' | 'PULLING' | 'BUILDING' | 'STARTING' | 'SWITCHING' | 'STOPPING'
  /** A code of the authenticator app, or a backup code. */
  readonly code: string
  /** What happened, in a sentence. */
  readonly message: string
}

export type GetUsersQuery = {
  /** The role of the account. */
  readonly role?: 'SUPERADMIN' | 'ADMIN' | 'USER' | undefined
  /** The state of the record. */
  readonly status?: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION' | undefined
  /** A search text: part of a name, or a whole id, address or key id. */
  readonly q?: string | undefined
  /** The number of the page, from 1 on. Only together with `pageSize`. */
  readonly page?: number | undefined
  /** The number of records in a page. Only together with `page`. */
  readonly pageSize?: number | undefined
}

export type GetUsersMeNotificationPreferencesAnswer = {
  /** Which kinds of mail the account gets. */
  readonly notifications: Readonly<
    Record<
      'NEW_DEVICE' | 'SECOND_FACTOR' | 'PASSWORD' | 'API_KEY' | 'MEMBERSHIP' | 'LICENSE' | 'SERVER' | 'GIT_PROVIDER',
      boolean
    >
  >
}

export type UserPermissionInput =
  | 'users:view'
  | 'users:manage'
  | 'projects:view'
  | 'projects:manage'
  | 'servers:view'
  | 'servers:manage'
  | 'quotas:view'
  | 'quotas:manage'
  | 'instances:view'
  | 'instances:manage'
  | 'settings:view'
  | 'settings:manage'
  | 'audit:view'
  | 'audit:manage'
  | 'backups:view'
  | 'backups:manage'
  | 'dns:view'
  | 'dns:manage'
  | 'email:view'
  | 'email:manage'
  | 'security:view'
  | 'security:manage'
  | 'monitoring:view'
  | 'monitoring:manage'
  | 'registries:view'
  | 'registries:manage'
  | 'swarm:view'
  | 'swarm:manage'
  | 'system:view'
  | 'system:manage'
  | 'license:view'
  | 'license:manage'

export type PostAuthLoginAnswer = {
  /** The bearer token of the session, valid for 15 minutes. */
  readonly accessToken: string
  /** The account name at the mail server. Null removes it. */
  readonly user: Profile
}

export type GetAuthSessionsQuery = {
  /** The number of the page, from 1 on. Only together with `pageSize`. */
  readonly page?: number | undefined
  /** The number of records in a page. Only together with `page`. */
  readonly pageSize?: number | undefined
}

export type GetApiKeysAnswer =
  | readonly ApiKey[]
  | {
      /** The records of this page. */
      readonly items: readonly ApiKey[]
      /** The number of all records, on all pages. */
      readonly total: number
      /** The number of the page, from 1 on. Only together with `pageSize`. */
      readonly page: number
      /** The number of records in a page. Only together with `page`. */
      readonly pageSize: number
    }

export type GetAdminSettingsAnswer = {
  /** The name of the setting. */
  readonly key: 'registrationOpen' | 'platformName' | 'gitHubClientId' | 'appsDomain' | 'baseImages'
  /** The value. */
  readonly value: boolean | number | string
  /** The value while none is set. */
  readonly usual: boolean | number | string
  /** What the setting decides. */
  readonly does: string
  /** When the value was set last. Null: never. */
  readonly changedAt: string | null
}

export type GetProjectsAnswer =
  | readonly Project[]
  | {
      /** The records of this page. */
      readonly items: readonly Project[]
      /** The number of all records, on all pages. */
      readonly total: number
      /** The number of the page, from 1 on. Only together with `pageSize`. */
      readonly page: number
      /** The number of records in a page. Only together with `page`. */
      readonly pageSize: number
    }

export type GetProjectsByIdMembersByMemberIdGrantsAnswer = {
  /** A role that every project has. Not together with `roleId`. */
  readonly role: string
  /** A role of this project. Not together with `role`. */
  readonly roleId: string | null
  /** The environments that the role is limited to. Null: all of them. */
  readonly environmentIds: readonly string[] | null
  /** The names of the permissions. */
  readonly permissions: readonly string[]
}

export type ProjectPermissionInput =
  | 'apps:view'
  | 'apps:create'
  | 'apps:delete'
  | 'apps:deploy'
  | 'apps:restart'
  | 'apps:env'
  | 'apps:logs'
  | 'databases:view'
  | 'databases:create'
  | 'databases:delete'
  | 'databases:manage'
  | 'domains:view'
  | 'domains:manage'
  | 'domains:delete'
  | 'backups:view'
  | 'backups:create'
  | 'backups:restore'
  | 'backups:delete'
  | 'deployments:view'
  | 'members:manage'
  | 'environments:manage'
  | 'settings:manage'

export type GetProjectsByIdResourceQuotaAnswer = {
  /** The most members of a project. Null: the default of the installation, or no limit there. */
  readonly members: number | null
  /** The most environments of a project. Null: the default of the installation, or no limit there. */
  readonly environments: number | null
  /** The most applications of the project. Null: the default of the installation, or no limit there. */
  readonly applications: number | null
  /** The most previews of the project. Null: the default of the installation, or no limit there. */
  readonly previews: number | null
  /** The limits that apply, with those of the installation where none is set. */
  readonly inEffect: {
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members: number | null
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
    readonly environments: number | null
    /** The most applications of the project. Null: the default of the installation, or no limit there. */
    readonly applications: number | null
    /** The most previews of the project. Null: the default of the installation, or no limit there. */
    readonly previews: number | null
  }
}

export type PatchProjectsByIdResourceQuotaBody = {
  /** The most members of a project. Null: the default of the installation, or no limit there. */
  readonly members?: number | null | undefined
  /** The most environments of a project. Null: the default of the installation, or no limit there. */
  readonly environments?: number | null | undefined
  /** The most applications of the project. Null: the default of the installation, or no limit there. */
  readonly applications?: number | null | undefined
  /** The most previews of the project. Null: the default of the installation, or no limit there. */
  readonly previews?: number | null | undefined
}

export type GetAdminQuotasDefaultsAnswer = {
  /** The most projects of an account. Null: the default of the installation, or no limit there. */
  readonly projects: number | null
  /** The most members of a project. Null: the default of the installation, or no limit there. */
  readonly members: number | null
  /** The most environments of a project. Null: the default of the installation, or no limit there. */
  readonly environments: number | null
  /** The most applications of a project. Null: the default of the installation, or no limit there. */
  readonly applications: number | null
  /** The most previews of a project. Null: the default of the installation, or no limit there. */
  readonly previews: number | null
}

export type GetAdminQuotasUsersByIdAnswer = {
  /** The most projects of an account. Null: the default of the installation, or no limit there. */
  readonly projects: number | null
  /** The limits that apply, with those of the installation where none is set. */
  readonly inEffect: {
    /** The most projects of an account. Null: the default of the installation, or no limit there. */
    readonly projects: number | null
  }
}

export type GetAdminQuotasServersByIdAnswer = {
  /** The most workloads of a server. Null: no limit. */
  readonly workloads: number | null
  /** The most that may be reserved, in thousandths of a CPU. Null: by the capacity of the host. */
  readonly cpuMillis: number | null
  /** The most that may be reserved, in MiB. Null: by the capacity of the host. */
  readonly memoryMiB: number | null
  /** The most that may be reserved, in MiB. Null: by the capacity of the host. */
  readonly diskMiB: number | null
  /** The most deployments that build at once on the server. Null: 2. */
  readonly builds: number | null
  /** The limits that apply, with those of the installation where none is set. */
  readonly inEffect: {
    /** The most workloads of a server. Null: no limit. */
    readonly workloads: number | null
    /** The most that may be reserved, in thousandths of a CPU. Null: by the capacity of the host. */
    readonly cpuMillis: number | null
    /** The most that may be reserved, in MiB. Null: by the capacity of the host. */
    readonly memoryMiB: number | null
    /** The most that may be reserved, in MiB. Null: by the capacity of the host. */
    readonly diskMiB: number | null
    /** The most deployments that build at once on the server. Null: 2. */
    readonly builds: number | null
  }
}

export type GetTeamsAnswer =
  | readonly Team[]
  | {
      /** The records of this page. */
      readonly items: readonly Team[]
      /** The number of all records, on all pages. */
      readonly total: number
      /** The number of the page, from 1 on. Only together with `pageSize`. */
      readonly page: number
      /** The number of records in a page. Only together with `page`. */
      readonly pageSize: number
    }

export type GetTeamsByIdAnswer = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** The colour in lists, as `#rrggbb`. Null: none. */
  readonly colour: string | null
  /** The account that owns it. */
  readonly ownerId: string | null
  /** When the record was created. */
  readonly createdAt: string
  /** The most members of a project. Null: the default of the installation, or no limit there. */
  readonly members: readonly TeamMember[]
}

export type PatchTeamsByIdBody = {
  /** The name that people read in lists. */
  readonly name?: string | undefined
  /** The colour in lists, as `#rrggbb`. Null: none. */
  readonly colour?: string | null | undefined
}

export type PostTeamsByIdMembersAnswer = {
  /** The id of the record. */
  readonly id: string
  /** The account. */
  readonly userId: string | null
  /** The e-mail address of the account. */
  readonly email: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type PostServersLocalSetupAnswer = {
  readonly taskId: string
  readonly state: 'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'EXPIRED'
  /** Null: it has not succeeded, or not yet. */
  readonly result: {
    /** The parts of the service that were checked, each with its result. */
    readonly checks: readonly {
      /** The name, once in the installation. The audit trail shows it, so it must not name a person. */
      readonly name: 'ENGINE' | 'DISK' | 'DATA_ROOT' | 'CLOCK'
      readonly ok: boolean
      readonly detail: string
    }[]
  } | null
  /** Of a task that has failed. */
  readonly error: {
    /** Why it has failed, for programs. */
    readonly code: string
    /** What happened, in a sentence. */
    readonly message: string
  } | null
}

export type GetServersByIdInstallCommandAnswer = {
  /** A shell command for root on the host; in a clone of Daybook there, if no agent is built. It opens the panel to one agent, once. */
  readonly command: string
  /** When it ends. */
  readonly expiresAt: string
}

export type PostEngineServersByServerIdContainersActionAnswer = {
  readonly taskId: string
  /** The word of the engine. */
  readonly state: 'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'EXPIRED'
  /** Null: it has not succeeded, or not yet. */
  readonly result: {
    /** The word of the engine. */
    readonly state: string
  } | null
  /** Of a task that has failed. */
  readonly error: {
    /** Why it has failed, for programs. */
    readonly code: string
    /** What happened, in a sentence. */
    readonly message: string
  } | null
}

export type DeleteEngineServersByServerIdImagesByImageIdAnswer = {
  readonly taskId: string
  /** The word of the engine. */
  readonly state: 'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'EXPIRED'
  /** Null: it has not succeeded, or not yet. */
  readonly result: {
    /** The size in bytes. */
    readonly bytes: number | null
  } | null
  /** Of a task that has failed. */
  readonly error: {
    /** Why it has failed, for programs. */
    readonly code: string
    /** What happened, in a sentence. */
    readonly message: string
  } | null
}

export type PostEngineServersByServerIdPruneAnswer = {
  readonly taskId: string
  /** The word of the engine. */
  readonly state: 'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'EXPIRED'
  /** Null: it has not succeeded, or not yet. */
  readonly result: {
    readonly removed: number
    /** The size in bytes. */
    readonly bytes: number
  } | null
  /** Of a task that has failed. */
  readonly error: {
    /** Why it has failed, for programs. */
    readonly code: string
    /** What happened, in a sentence. */
    readonly message: string
  } | null
}

export type GetGitProvidersByIdDetectQuery = {
  /** The name of the repository, as the provider spells it. */
  readonly repo: string
  /** A branch, a tag or a commit. Absent: the default branch. */
  readonly ref?: string | undefined
  /** The directory below the repository. Empty: the repository itself. */
  readonly directory?: string | undefined
}

export type AgentEngineInput = {
  /** The version. */
  readonly version: string
  /** The version of the engine’s API. */
  readonly api: string
  /** The storage driver. */
  readonly driver?: string | undefined
  /** What builds images. */
  readonly builder?: string | undefined
}

export type AgentBeatInput = {
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
        /** Whether the other server has answered with its proof. */
        readonly state: 'OK' | 'BLOCKED'
        /** The time of one round trip, in milliseconds. Null unless the state is OK. */
        readonly rttMs: number | null
        /** How long ago it was measured, in milliseconds. */
        readonly ageMs: number
      }[]
    | undefined
  /** The port of the plan mesh, while the host cannot open it. */
  readonly meshPortClosed?: number | undefined
  /** What the agent says of itself and its host: at its start, and when it has changed. */
  readonly facts?:
    | {
        /** The id that the container engine gives itself. Null: the agent finds no engine. */
        readonly engineId: string | null
        /** The version. */
        readonly version: string
        /** The name that the host gives itself. */
        readonly hostname: string
        /** The operating system. */
        readonly os: string
        /** The processor architecture. */
        readonly arch: string
        /** The version of the kernel. */
        readonly kernel: string
        /** The kinds of tasks that the agent performs, and the version of each. */
        readonly kinds: { readonly [name: string]: number }
        /** What there is on the host. */
        readonly capacity: ServerCapacity2
        /** The container engine. Null: the agent finds none. */
        readonly engine: AgentEngineInput | null
        /** The addresses of the host. */
        readonly addresses?: readonly string[] | undefined
        /** Whether the host runs systemd. */
        readonly systemd?: boolean | undefined
        /** The version of control groups. */
        readonly cgroup?: number | undefined
        /** Versions of programs on the host. Null: not installed. */
        readonly programs?: { readonly [name: string]: string | null } | undefined
      }
    | undefined
}

export type ApplicationSourceInput =
  | {
      /** An image of a registry. */
      readonly kind: 'IMAGE'
      readonly image: string
      readonly registryId?: string | null | undefined
    }
  | {
      /** A repository, from which each push can be deployed. */
      readonly kind: 'GIT'
      /** The git provider whose credentials are used. Null: none. */
      readonly providerId?: string | null | undefined
      readonly url: string
      /** The branch instead of that of the application. */
      readonly branch: string
      /** What is built, below the repository. */
      readonly directory?: string | undefined
      /** AUTO: by the Dockerfile there, or by one that is made for what is found. */
      readonly build?: 'AUTO' | 'DOCKERFILE' | 'COMPOSE' | 'STATIC' | undefined
      /** Of the Dockerfile or the Compose file, below the directory. Null: its usual name. */
      readonly path?: string | null | undefined
      /** A push that changes nothing below them deploys nothing. Empty: each push does. */
      readonly watchPaths?: readonly string[] | undefined
      /** The service of the Compose file that serves HTTP. Null: its only one. */
      readonly service?: string | null | undefined
    }
  | {
      /** A Dockerfile that is written here, without other files. */
      readonly kind: 'DOCKERFILE'
    }
  | {
      /** A Compose file that is written here. */
      readonly kind: 'COMPOSE'
      /** The service of the Compose file that serves HTTP. Null: its only one. */
      readonly service?: string | null | undefined
    }

export type ApplicationVolumeInput = {
  /** The name, once in its environment. The audit trail shows it, so it must not name a person. */
  readonly name: string
  /** Where the containers have it: an absolute path. */
  readonly mountPath: string
  /** Whether containers of two releases may use it at the same time. If not, the old one stops first. */
  readonly shared?: boolean | undefined
}

export type ApplicationHealthCheckInput = {
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

export type ApplicationSetInput = {
  /** The name, once in its environment. The audit trail shows it, so it must not name a person. */
  readonly name: string
  /** The value. The mask of a secret one keeps it. */
  readonly value: string
  /** Whether no answer shows the value again. */
  readonly secret?: boolean | undefined
  /** RUN: for its containers. BUILD: for the build of its image. BOTH: for both. */
  readonly when?: 'RUN' | 'BUILD' | 'BOTH' | undefined
}

export type PatchApplicationsByIdBindIpAnswer = {
  readonly bindIp: string | null
  readonly outboundIp: string | null
  /** Where it is reached by HTTP. Null: it has no port or no domain. */
  readonly url: string | null
}

export type GetApplicationsByIdDeploymentsAnswer = {
  /** The records of this page. */
  readonly items: readonly Deployment[]
  /** The number of all records, on all pages. */
  readonly total: number
  /** The number of the page, from 1 on. Only together with `pageSize`. */
  readonly page: number
  /** The number of records in a page. Only together with `page`. */
  readonly pageSize: number
}
