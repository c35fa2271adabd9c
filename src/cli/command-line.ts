/** The command line. Each command is one file of this folder; what it prints is for people, what it logs is JSON. */
import { audit, AUDIT_USAGE } from './audit.ts'
import { backup } from './backup.ts'
import { beginStart } from './begin-start.ts'
import { doctor } from './doctor.ts'
import { licensing } from './licensing.ts'
import { migrateDatabase } from './migrate.ts'
import { projections } from './projections.ts'
import { runProjector } from './projector.ts'
import { rebuild } from './rebuild.ts'
import { reasonOf } from './reason.ts'
import { restore } from './restore.ts'
import { ROOT_KEY_USAGE, rootKey } from './root-key.ts'
import { listRoutes } from './routes.ts'
import { staff } from './staff.ts'
import { work } from './work.ts'
import { LICENSING } from './which.ts'
import type { Which } from './which.ts'
import { runWorker } from './worker.ts'
import packageJson from '../../package.json' with { type: 'json' }

interface Command {
  readonly usage: string
  /** How many words may follow the command; by default none, so that no mistyped option is taken for agreement. */
  readonly words?: number
  readonly does: string
  /** @returns the exit code; nothing means 0. @throws Error with a text for people */
  readonly run: (args: readonly string[], which: Which) => Promise<number | void>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { usage: 'start', does: 'try Daybook: everything in one process, on an embedded Postgres', run: beginStart },
  licensing: { usage: 'licensing', does: 'run the licensing service in production', run: licensing },
  panel: {
    usage: 'panel [COMMAND]',
    words: 100,
    does: 'run the panel in production, or one of the commands marked with * on it, or reset-2fa EMAIL',
    run: panel,
  },
  worker: { usage: 'worker', does: 'do what follows events and times: mails, webhooks, expiries', run: runWorker },
  projector: { usage: 'projector', does: 'fill the read models, and nothing else', run: runProjector },
  migrate: { usage: 'migrate', does: 'bring the database to this version', run: migrateDatabase },
  rebuild: {
    usage: 'rebuild [NAME]',
    words: 1,
    does: 'fill one read model, or all, from the events again',
    run: rebuild,
  },
  audit: {
    usage: AUDIT_USAGE,
    words: 100,
    does: 'verify the history, sign where it stands, show the key that signs',
    run: audit,
  },
  projections: {
    usage: 'projections [retry [NAME]]',
    words: 2,
    does: 'show how far the read models are and what they have parked, or apply that again',
    run: projections,
  },
  work: { usage: 'work', does: 'show what waits to be done, and what fails and why', run: work },
  backup: {
    usage: 'backup DIR',
    words: 1,
    does: 'copy everything that cannot be rebuilt into a new directory',
    run: backup,
  },
  restore: {
    usage: 'restore DIR',
    words: 1,
    does: 'bring a backup back, into an empty database',
    run: restore,
  },
  'root-key': {
    usage: ROOT_KEY_USAGE,
    words: 4,
    does: 'keep the key that vouches for the signing keys where no server is',
    run: rootKey,
  },
  staff: { usage: 'staff reset-password EMAIL', words: 2, does: 'set a new password and show it once', run: staff },
  routes: { usage: 'routes', does: 'list every route with what it needs', run: listRoutes },
  doctor: { usage: 'doctor', does: 'check configuration, database, clock and keys', run: doctor },
}

/** Those that are alike for both services, and what only the panel has. */
const OF_THE_PANEL: Readonly<Record<string, Command>> = Object.fromEntries([
  ...['migrate', 'rebuild', 'audit', 'projections', 'work', 'backup', 'restore', 'routes', 'doctor'].map(
    (name) => [name, COMMANDS[name]!] as const,
  ),
  [
    'reset-2fa',
    { usage: 'reset-2fa EMAIL', words: 1, does: 'take away a second factor that was lost', run: resetTwoFactor },
  ],
])

/** What a process of the licensing service needs nothing of is loaded only here. */
async function panel([name, ...args]: readonly string[]): Promise<number | void> {
  if (name === undefined) return (await import('./panel.ts')).runPanel()
  return run(OF_THE_PANEL, (await import('./which-panel.ts')).PANEL, name, args)
}

async function resetTwoFactor(args: readonly string[], which: Which): Promise<number> {
  return (await import('./reset-2fa.ts')).resetTwoFactor(args, which)
}

const HELP = ['help', '--help', '-h']

function help(): string {
  const width = Math.max(...Object.values(COMMANDS).map(({ usage }) => usage.length))
  const lines = Object.entries(COMMANDS).map(([name, { usage, does }]) => {
    const both = Object.hasOwn(OF_THE_PANEL, name) ? ' *' : ''
    return `  daybook ${usage.padEnd(width)}   ${does}${both}`
  })
  return ['Usage:', ...lines, '', '  * as "daybook panel COMMAND" on the panel'].join('\n')
}

/** @param args the words after the program's name @returns the exit code */
export async function commandLine([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (HELP.includes(name)) {
    console.log(help())
    return 0
  }
  if (name === '--version') {
    console.log(packageJson.version)
    return 0
  }
  return run(COMMANDS, LICENSING, name, args)
}

/** @param all of which `name` may be one */
async function run(all: typeof COMMANDS, which: Which, name: string, args: readonly string[]): Promise<number> {
  const command = Object.hasOwn(all, name) ? all[name] : undefined
  if (!command) {
    console.error(`There is no command ${JSON.stringify(name)}.\n${help()}`)
    return 2
  }
  // What is asked of a command of the panel is for that command to answer.
  if (args.some((word) => HELP.includes(word)) && (command !== COMMANDS['panel'] || HELP.includes(args[0]!))) {
    console.log(`Usage: ${which.called} ${command.usage}\n\nTo ${command.does}.`)
    return 0
  }
  if (args.length > (command.words ?? 0)) {
    console.error(`Usage: ${which.called} ${command.usage}`)
    return 2
  }
  try {
    return (await command.run(args, which)) ?? 0
  } catch (error) {
    console.error(reasonOf(error))
    return 1
  }
}
