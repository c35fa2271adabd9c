/** What one attempt says: lines and pieces of output, without the secrets of the task. */
import type { LogLine } from '../tasks/protocol.ts'
import { secretFilter } from './secret-filter.ts'
import type { Spool } from './spool.ts'

export interface TaskLog {
  say(text: string, of?: LogLine['of']): Promise<void>
  write(of: 'OUT' | 'ERR', piece: string): Promise<void>
  /** The text without the secrets. */
  plain(text: string): string
  /** Says what is left of the output. */
  end(): Promise<void>
}

/**
 * @param onSaid called when there is something to send
 * @param hidden what is taken out of what it says
 */
export function taskLog(
  spool: Spool,
  secrets: readonly string[],
  onSaid: () => void,
  hidden: readonly string[] = secrets,
): TaskLog {
  const output = { OUT: lineSplitter(hidden), ERR: lineSplitter(hidden) }

  async function keep(of: LogLine['of'], texts: readonly string[]): Promise<void> {
    if (texts.length === 0) return
    await spool.say(texts.map((text) => ({ of, text })))
    onSaid()
  }

  const without = (texts: readonly string[], text: string): string => {
    const filter = secretFilter(texts)
    return filter.push(text) + filter.end()
  }

  return {
    plain: (text) => without(secrets, text),
    say: (text, of = 'STEP') => keep(of, without(hidden, text).split('\n')),
    write: (of, piece) => keep(of, output[of].push(piece)),
    async end() {
      await keep('OUT', output.OUT.end())
      await keep('ERR', output.ERR.end())
      await spool.end()
      onSaid()
    },
  }
}

/** Whole lines of output that arrives in pieces. A line without an end becomes one when it is as long as a piece. */
function lineSplitter(secrets: readonly string[]) {
  const LINE_CHARACTERS_MAX = 65_536
  const filter = secretFilter(secrets)
  let begun = ''
  const split = (text: string): string[] => {
    const lines = (begun + text).split('\n')
    begun = lines.pop()!
    if (begun.length < LINE_CHARACTERS_MAX) return lines
    const long = begun
    begun = ''
    return [...lines, long]
  }
  return {
    push: (piece: string): string[] => split(filter.push(piece)),
    end(): string[] {
      const lines = split(filter.end())
      const last = begun
      begun = ''
      return last === '' ? lines : [...lines, last]
    },
  }
}
