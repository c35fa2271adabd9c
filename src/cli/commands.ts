/** All commands. Each has its own file, which is loaded only when the command runs. */
import type { VariableSet } from './command-variables.ts'
import type { ServiceProfile } from './service-profile.ts'
import { AUDIT_USAGE, ROOT_KEY_USAGE } from './usage.ts'

export interface Command {
  /** Each form of the command, without the program name. */
  readonly usage: readonly string[]
  /** The maximum number of arguments. The default is none, so that a mistyped option is an error. */
  readonly words?: number
  readonly does: string
  /** The environment variables that it reads. */
  readonly variables: VariableSet
  /**
   * @returns the exit code; undefined means 0
   * @throws Error with a text for the user
   */
  readonly run: (args: readonly string[], which: () => Promise<ServiceProfile>) => Promise<number | void>
}

export type Commands = Readonly<Record<string, Command>>

/** The commands of one service. Shared commands receive the profile of the service. */
export interface CliService {
  readonly name: ServiceProfile['name']
  /** The program name before a command's own name. */
  readonly commandPrefix: ServiceProfile['commandPrefix']
  /** The variable with the URL of its database. */
  readonly variable: ServiceProfile['variable']
  readonly commands: Commands
  profile(): Promise<ServiceProfile>
}

const SHARED_COMMANDS: Commands = {
  migrate: {
    usage: ['migrate'],
    does: 'migrate the database to this version',
    variables: 'database',
    run: async (args, which) => (await import('./migrate.ts')).migrateDatabase(args, await which()),
  },
  rebuild: {
    usage: ['rebuild [NAME]'],
    words: 1,
    does: 'rebuild one read model, or all, from the events',
    variables: 'installation',
    run: async (args, which) => (await import('./rebuild.ts')).rebuild(args, await which()),
  },
  audit: {
    usage: AUDIT_USAGE,
    words: 100,
    does: 'verify the history, sign its current position, show the key that signs',
    variables: 'installation',
    run: async (args, which) => (await import('./audit.ts')).audit(args, await which()),
  },
  projections: {
    usage: ['projections [retry [NAME]]'],
    words: 2,
    does: 'show the progress and the parked events of the read models, or retry parked events',
    variables: 'installation',
    run: async (args, which) => (await import('./projections.ts')).projections(args, await which()),
  },
  work: {
    usage: ['work'],
    does: 'show waiting and failing jobs, with the errors',
    variables: 'installation',
    run: async (args, which) => (await import('./work.ts')).work(args, await which()),
  },
  backup: {
    usage: ['backup DIR'],
    words: 1,
    does: 'back up all data that cannot be rebuilt into a new directory',
    variables: 'installation',
    run: async (args, which) => (await import('./backup.ts')).backup(args, await which()),
  },
  restore: {
    usage: ['restore DIR'],
    words: 1,
    does: 'restore a backup into an empty database',
    variables: 'production',
    run: async (args, which) => (await import('./restore.ts')).restore(args, await which()),
  },
  routes: {
    usage: ['routes'],
    does: 'list all routes with the access that each needs',
    variables: 'nothing',
    run: async (args, which) => (await import('./routes.ts')).listRoutes(args, await which()),
  },
  doctor: {
    usage: ['doctor'],
    does: 'check configuration, database, clock and keys',
    variables: 'installation',
    run: async (args, which) => (await import('./doctor.ts')).doctor(args, await which()),
  },
}

export const PANEL_SERVICE: CliService = {
  name: 'panel',
  commandPrefix: 'daybook panel',
  variable: 'PANEL_DATABASE_URL',
  profile: async () => (await import('./panel-profile.ts')).PANEL_PROFILE,
  commands: {
    ...SHARED_COMMANDS,
    'reset-2fa': {
      usage: ['reset-2fa EMAIL'],
      words: 1,
      does: 'remove a lost second factor and unlock the account',
      variables: 'installation',
      run: async (args, which) => (await import('./reset-2fa.ts')).resetTwoFactor(args, await which()),
    },
  },
}

export const LICENSING_SERVICE: CliService = {
  name: 'licensing',
  commandPrefix: 'daybook',
  variable: 'DATABASE_URL',
  profile: async () => (await import('./service-profile.ts')).LICENSING_PROFILE,
  commands: {
    start: {
      usage: ['start'],
      does: 'try Daybook: all services in one process, on an embedded Postgres',
      variables: 'evaluation',
      run: async () => (await import('./begin-start.ts')).beginStart(),
    },
    licensing: {
      usage: ['licensing'],
      does: 'run the licensing service in production',
      variables: 'production',
      run: async () => (await import('./licensing.ts')).licensing(),
    },
    panel: {
      usage: ['panel', 'panel COMMAND'],
      does: 'run the panel in production, or a command marked with * for the panel, or reset-2fa EMAIL',
      variables: 'panel production',
      run: async () => (await import('./panel.ts')).runPanel(),
    },
    worker: {
      usage: ['worker'],
      does: 'run background jobs: mails, webhooks, expiries',
      variables: 'production',
      run: async () => (await import('./worker.ts')).runWorker(),
    },
    projector: {
      usage: ['projector'],
      does: 'update the read models, without serving requests',
      variables: 'production',
      run: async () => (await import('./projector.ts')).runProjector(),
    },
    agent: {
      usage: ['agent DIR [PANEL_URL]'],
      words: 2,
      does: 'make this host a server of a panel; with PANEL_URL it reads the install token from its standard input',
      variables: 'agent',
      run: async (args) => (await import('./agent.ts')).agent(args),
    },
    ...SHARED_COMMANDS,
    pages: {
      usage: ['pages DIR'],
      words: 1,
      does: 'build the pages for people into a directory, for PAGES_DIR of the services',
      variables: 'nothing',
      run: async (args) => (await import('./pages.ts')).buildPages(args),
    },
    'root-key': {
      usage: ROOT_KEY_USAGE,
      words: 4,
      does: 'manage the offline root key, which signs the list of signing keys',
      variables: 'root key',
      run: async (args) => (await import('./root-key.ts')).rootKey(args),
    },
    staff: {
      usage: ['staff reset-password EMAIL'],
      words: 2,
      does: 'set a new password, show it once and unlock the account',
      variables: 'installation',
      run: async (args) => (await import('./staff.ts')).staff(args),
    },
  },
}
