/** Commands of applications, which events keep sealed as texts. */
import type { ApplicationValues, KeptValues } from './events.ts'

type Commands = Pick<ApplicationValues, 'command' | 'healthCheck'>
type KeptCommands = Pick<KeptValues, 'command' | 'healthCheck' | 'healthCommand'>

const textOf = (command: readonly string[] | null): string | null => command && JSON.stringify(command)

/** An erased one is no list. */
const commandIn = (text: string | null): string[] | null =>
  text?.startsWith('[') ? (JSON.parse(text) as string[]) : null

export function toKept<Values extends Commands>(values: Values): Omit<Values, keyof Commands> & KeptCommands {
  const {
    command,
    healthCheck: { command: healthCommand, ...healthCheck },
    ...rest
  } = values
  return { ...rest, command: textOf(command), healthCheck, healthCommand: textOf(healthCommand) }
}

export function fromKept<Values extends KeptCommands>(values: Values): Omit<Values, keyof KeptCommands> & Commands {
  const {
    command,
    healthCheck: { kind, path, ...healthCheck },
    healthCommand,
    ...rest
  } = values
  return {
    ...rest,
    command: commandIn(command),
    healthCheck: { kind, path, command: commandIn(healthCommand), ...healthCheck },
  }
}
