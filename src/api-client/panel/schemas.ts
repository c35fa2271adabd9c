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
  readonly refusal: {
    /** When it happened. */
    readonly at: string
    /** Why the license is not in effect, for programs. Null: it is. */
    readonly code: string | null
    /** What happened, in a sentence. */
    readonly message: string
  } | null
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
  readonly kind: 'NEW_DEVICE' | 'SECOND_FACTOR' | 'PASSWORD' | 'API_KEY' | 'MEMBERSHIP' | 'LICENSE'
  /** The heading. */
  readonly title: string
  /** The project. Null: the notice is about something else. */
  readonly projectId: string | null
  /** The team. */
  readonly teamId: string | null
  /** The API key. Null: the notice is about something else. */
  readonly apiKeyId: string | null
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
