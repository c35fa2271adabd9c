/**
 * Runs a command of the bin in the test's own process, one at a time, and keeps its output. That saves the
 * start of a process, which is most of the cost of a short command. Commands that serve, or that are ended by
 * signals, need a process of their own.
 */
import { format } from 'node:util'
import { vi } from 'vitest'
import { commandLine } from '../../../src/cli/command-line.ts'
import type { ProcessResult } from './process.ts'

export type CommandOutput = Pick<ProcessResult, 'code' | 'said' | 'complained'>

/** @param env all variables that the command sees, apart from PATH */
export async function command(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandOutput> {
  const [said, complained]: [string[], string[]] = [[], []]
  const lineInto =
    (texts: string[]) =>
    (...words: unknown[]) =>
      void texts.push(`${format(...words)}\n`)
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(lineInto(said)),
    vi.spyOn(console, 'error').mockImplementation(lineInto(complained)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => complained.push(String(text)) > 0),
  ]
  const own = process.env
  process.env = { PATH: own['PATH'], ...env }
  try {
    const code = await commandLine(args)
    return { code, said: said.join(''), complained: complained.join('') }
  } finally {
    process.env = own
    spies.forEach((spy) => spy.mockRestore())
  }
}
