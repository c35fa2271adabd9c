/** The `--help` text of a command. */
import { columns, wrapped } from './columns.ts'
import { variablesOf } from './command-variables.ts'
import type { Command, CliService } from './commands.ts'
import { usageOf } from './usage.ts'

const REQUIRED = '* '
const OPTIONAL = '  '

export function helpOf(service: CliService, command: Command): string {
  const rows = variablesOf(service.name, command.variables).map(
    ({ name, must, isRequired }) => [`${isRequired ? REQUIRED : OPTIONAL}${name}`, must] as const,
  )
  return [
    usageOf(service.commandPrefix, command.usage),
    '',
    ...wrapped(`To ${command.does}.`),
    ...(rows.length === 0 ? [] : ['', ...wrapped(headingOf(service, command)), ...columns(rows, '  ')]),
  ].join('\n')
}

function headingOf({ name, variable }: CliService, { variables }: Command): string {
  const needed = variablesOf(name, variables).some(({ isRequired }) => isRequired)
  if (needed) return 'Environment variables; those with * must be set:'
  if (variables === 'evaluation') return 'Environment variables; each has a default:'
  const without = `Environment variables. Without ${variable} the command uses the evaluation in DAYBOOK_DATA_DIR`
  if (variables === 'database') return `${without}:`
  const production = variablesOf(name, 'production').filter(({ isRequired }) => isRequired)
  const others = production.map((each) => each.name).filter((each) => each !== variable)
  return `${without}. With it, ${others.join(' and ')} must be set too:`
}
