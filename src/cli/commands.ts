/** Every command. Each is one file of this folder and is loaded when it runs, so that no other pays for what it needs. */
import type { Reads } from './command-variables.ts'
import { AUDIT_USAGE, ROOT_KEY_USAGE } from './usage.ts'
import type { Which } from './which.ts'

export interface Command {
  /** Each way of typing it, without what comes before. */
  readonly usage: readonly string[]
  /** How many words may follow the command; by default none, so that no mistyped option is taken for agreement. */
  readonly words?: number
  readonly does: string
  /** Which environment variables. */
  readonly reads: Reads
  /** @returns the exit code; nothing means 0. @throws Error with a text for people */
  readonly run: (args: readonly string[], which: () => Promise<Which>) => Promise<number | void>
}

export type Commands = Readonly<Record<string, Command>>

/** Of a service: those that are alike for both are told which of them is meant. */
export interface Service {
  readonly name: Which['name']
  /** What is typed before a command's own name. */
  readonly called: Which['called']
  /** The variable that names its database. */
  readonly variable: Which['variable']
  readonly commands: Commands
  which(): Promise<Which>
}

const ALIKE: Commands = {
  migrate: {
    usage: ['migrate'],
    does: 'bring the database to this version',
    reads: 'database',
    run: async (args, which) => (await import('./migrate.ts')).migrateDatabase(args, await which()),
  },
  rebuild: {
    usage: ['rebuild [NAME]'],
    words: 1,
    does: 'fill one read model, or all, from the events again',
    reads: 'installation',
    run: async (args, which) => (await import('./rebuild.ts')).rebuild(args, await which()),
  },
  audit: {
    usage: AUDIT_USAGE,
    words: 100,
    does: 'verify the history, sign where it stands, show the key that signs',
    reads: 'installation',
    run: async (args, which) => (await import('./audit.ts')).audit(args, await which()),
  },
  projections: {
    usage: ['projections [retry [NAME]]'],
    words: 2,
    does: 'show how far the read models are and what they have parked, or apply that again',
    reads: 'installation',
    run: async (args, which) => (await import('./projections.ts')).projections(args, await which()),
  },
  work: {
    usage: ['work'],
    does: 'show what waits to be done, and what fails and why',
    reads: 'installation',
    run: async (args, which) => (await import('./work.ts')).work(args, await which()),
  },
  backup: {
    usage: ['backup DIR'],
    words: 1,
    does: 'copy everything that cannot be rebuilt into a new directory',
    reads: 'installation',
    run: async (args, which) => (await import('./backup.ts')).backup(args, await which()),
  },
  restore: {
    usage: ['restore DIR'],
    words: 1,
    does: 'bring a backup back, into an empty database',
    reads: 'production',
    run: async (args, which) => (await import('./restore.ts')).restore(args, await which()),
  },
  routes: {
    usage: ['routes'],
    does: 'list every route with what it needs',
    reads: 'nothing',
    run: async (args, which) => (await import('./routes.ts')).listRoutes(args, await which()),
  },
  doctor: {
    usage: ['doctor'],
    does: 'check configuration, database, clock and keys',
    reads: 'installation',
    run: async (args, which) => (await import('./doctor.ts')).doctor(args, await which()),
  },
}

export const PANEL_SERVICE: Service = {
  name: 'panel',
  called: 'daybook panel',
  variable: 'PANEL_DATABASE_URL',
  which: async () => (await import('./which-panel.ts')).PANEL,
  commands: {
    ...ALIKE,
    'reset-2fa': {
      usage: ['reset-2fa EMAIL'],
      words: 1,
      does: 'take away a lost second factor and lift the locks',
      reads: 'installation',
      run: async (args, which) => (await import('./reset-2fa.ts')).resetTwoFactor(args, await which()),
    },
  },
}

export const LICENSING_SERVICE: Service = {
  name: 'licensing',
  called: 'daybook',
  variable: 'DATABASE_URL',
  which: async () => (await import('./which.ts')).LICENSING,
  commands: {
    start: {
      usage: ['start'],
      does: 'try Daybook: everything in one process, on an embedded Postgres',
      reads: 'evaluation',
      run: async () => (await import('./begin-start.ts')).beginStart(),
    },
    licensing: {
      usage: ['licensing'],
      does: 'run the licensing service in production',
      reads: 'production',
      run: async () => (await import('./licensing.ts')).licensing(),
    },
    panel: {
      usage: ['panel', 'panel COMMAND'],
      does: 'run the panel in production, or one of the commands marked with * on it, or reset-2fa EMAIL',
      reads: 'panel production',
      run: async () => (await import('./panel.ts')).runPanel(),
    },
    worker: {
      usage: ['worker'],
      does: 'do what follows events and times: mails, webhooks, expiries',
      reads: 'production',
      run: async () => (await import('./worker.ts')).runWorker(),
    },
    projector: {
      usage: ['projector'],
      does: 'fill the read models, and nothing else',
      reads: 'production',
      run: async () => (await import('./projector.ts')).runProjector(),
    },
    ...ALIKE,
    'root-key': {
      usage: ROOT_KEY_USAGE,
      words: 4,
      does: 'keep the key that vouches for the signing keys where no server is',
      reads: 'root key',
      run: async (args) => (await import('./root-key.ts')).rootKey(args),
    },
    staff: {
      usage: ['staff reset-password EMAIL'],
      words: 2,
      does: 'set a new password, show it once and lift the locks',
      reads: 'installation',
      run: async (args) => (await import('./staff.ts')).staff(args),
    },
  },
}
