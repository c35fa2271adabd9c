/**
 * The command line. Commands print text for people and log JSON. Only the code of the given command is
 * loaded.
 */
import packageJson from '../../package.json' with { type: 'json' }
import { LICENSING_SERVICE, PANEL_SERVICE } from './commands.ts'
import type { Command, CliService } from './commands.ts'
import { usageOf } from './usage.ts'

const HELP = ['help', '--help', '-h']

/**
 * Runs the command that the arguments name.
 * @returns the exit code
 */
export async function commandLine([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (HELP.includes(name)) {
    console.log(await help())
    return 0
  }
  if (name === '--version') {
    console.log(packageJson.version)
    return 0
  }
  const [first, ...more] = args
  // A command of the panel handles its own arguments.
  if (name === 'panel' && first !== undefined && !HELP.includes(first)) return run(PANEL_SERVICE, first, more)
  return run(LICENSING_SERVICE, name, args)
}

const help = async (): Promise<string> => (await import('./overview.ts')).overview(LICENSING_SERVICE.commands)

async function run(service: CliService, name: string, args: readonly string[]): Promise<number> {
  const command = Object.hasOwn(service.commands, name) ? service.commands[name] : undefined
  if (!command) {
    console.error(`There is no command ${JSON.stringify(name)}.\n${await help()}`)
    return 2
  }
  if (args.some((word) => HELP.includes(word))) {
    console.log((await import('./help.ts')).helpOf(service, command))
    return 0
  }
  if (args.length > (command.words ?? 0)) {
    console.error(usageOf(service.commandPrefix, command.usage))
    return 2
  }
  try {
    await warnOfNearMisses(command)
    return (await command.run(args, service.profile)) ?? 0
  } catch (error) {
    console.error((await import('./reason.ts')).reasonOf(error))
    return 1
  }
}

/** Written to standard error, because logs and results go to standard output. */
async function warnOfNearMisses({ variables }: Command): Promise<void> {
  if (variables === 'nothing') return
  const [{ nearMisses }, { ALL_VARIABLES: VARIABLES }] = await Promise.all([
    import('./near-misses.ts'),
    import('./command-variables.ts'),
  ])
  for (const { found, meant } of nearMisses(process.env, VARIABLES))
    console.error(`Daybook has no environment variable ${found}. Did you mean ${meant}?`)
}
