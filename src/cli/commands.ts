/** Every command. Each is one file of this folder and is loaded when it runs, so that no other pays for what it needs. */
import type { VariableSet } from './command-variables.ts'
import { AUDIT_USAGE, ROOT_KEY_USAGE } from './usage.ts'
import type { ServiceProfile } from './service-profile.ts'

export interface Command {
  /** Each way of typing it, without what comes before. */
  readonly usage: readonly string[]
  /** How many words may follow the command; by default none, so that no mistyped option is taken for agreement. */
  readonly words?: number
  readonly does: string
  /** Which environment variables. */
  readonly variables: VariableSet
  /** @returns the exit code; nothing means 0. @throws Error with a text for people */
  readonly run: (args: readonly string[], which: () => Promise<ServiceProfile>) => Promise<number | void>
}

export type Commands = Readonly<Record<string, Command>>

/** Of a service: those that are alike for both are told which of them is meant. */
export interface CliService {
  readonly name: ServiceProfile['name']
  /** What is typed before a command's own name. */
  readonly commandPrefix: ServiceProfile['commandPrefix']
  /** The variable that names its database. */
  readonly variable: ServiceProfile['variable']
  readonly commands: Commands
  profile(): Promise<ServiceProfile>
}

const SHARED_COMMANDS: Commands = {
  migrate: {
    usage: ['migrate'],
    does: 'bring the database to this version',
    variables: 'database',
    run: async (args, which) => (await import('./migrate.ts')).migrateDatabase(args, await which()),
  },
  rebuild: {
    usage: ['rebuild [NAME]'],
    words: 1,
    does: 'fill one read model, or all, from the events again',
    variables: 'installation',
    run: async (args, which) => (await import('./rebuild.ts')).rebuild(args, await which()),
  },
  audit: {
    usage: AUDIT_USAGE,
    words: 100,
    does: 'verify the history, sign where it stands, show the key that signs',
    variables: 'installation',
    run: async (args, which) => (await import('./audit.ts')).audit(args, await which()),
  },
  projections: {
    usage: ['projections [retry [NAME]]'],
    words: 2,
    does: 'show how far the read models are and what they have parked, or apply that again',
    variables: 'installation',
    run: async (args, which) => (await import('./projections.ts')).projections(args, await which()),
  },
  work: {
    usage: ['work'],
    does: 'show what waits to be done, and what fails and why',
    variables: 'installation',
    run: async (args, which) => (await import('./work.ts')).work(args, await which()),
  },
  backup: {
    usage: ['backup DIR'],
    words: 1,
    does: 'copy everything that cannot be rebuilt into a new directory',
    variables: 'installation',
    run: async (args, which) => (await import('./backup.ts')).backup(args, await which()),
  },
  restore: {
    usage: ['restore DIR'],
    words: 1,
    does: 'bring a backup back, into an empty database',
    variables: 'production',
    run: async (args, which) => (await import('./restore.ts')).restore(args, await which()),
  },
  routes: {
    usage: ['routes'],
    does: 'list every route with what it needs',
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
      does: 'take away a lost second factor and lift the locks',
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
      does: 'try Daybook: everything in one process, on an embedded Postgres',
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
      does: 'run the panel in production, or one of the commands marked with * on it, or reset-2fa EMAIL',
      variables: 'panel production',
      run: async () => (await import('./panel.ts')).runPanel(),
    },
    worker: {
      usage: ['worker'],
      does: 'do what follows events and times: mails, webhooks, expiries',
      variables: 'production',
      run: async () => (await import('./worker.ts')).runWorker(),
    },
    projector: {
      usage: ['projector'],
      does: 'fill the read models, and nothing else',
      variables: 'production',
      run: async () => (await import('./projector.ts')).runProjector(),
    },
    ...SHARED_COMMANDS,
    'root-key': {
      usage: ROOT_KEY_USAGE,
      words: 4,
      does: 'keep the key that vouches for the signing keys where no server is',
      variables: 'root key',
      run: async (args) => (await import('./root-key.ts')).rootKey(args),
    },
    staff: {
      usage: ['staff reset-password EMAIL'],
      words: 2,
      does: 'set a new password, show it once and lift the locks',
      variables: 'installation',
      run: async (args) => (await import('./staff.ts')).staff(args),
    },
  },
}
