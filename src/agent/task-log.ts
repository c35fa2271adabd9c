/** What one attempt says: lines and pieces of output, without the secrets of the task. */
import type { LogLine } from '../tasks/protocol.ts'
import { secretFilters } from './secret-filter.ts'
import type { SecretFilter } from './secret-filter.ts'
import type { Spool } from './spool.ts'

export interface TaskLog {
  say(text: string, of?: LogLine['of']): Promise<void>
  write(of: 'OUT' | 'ERR', piece: string): Promise<void>
  /** The text without the secrets. */
  plain(text: string): string
  /** Says what is left of the output. */
  end(): Promise<void>
}

/** @param onSaid called when there is something to send */
export function taskLog(spool: Spool, secrets: readonly string[], onSaid: () => void): TaskLog {
  const filters = secretFilters(secrets)
  const output = { OUT: lineSplitter(filters()), ERR: lineSplitter(filters()) }

  async function keep(of: LogLine['of'], texts: readonly string[]): Promise<void> {
    if (texts.length === 0) return
    await spool.say(texts.map((text) => ({ of, text })))
    onSaid()
  }

  const plain = (text: string): string => {
    const filter = filters()
    return filter.push(text) + filter.end()
  }

  return {
    plain,
    say: (text, of = 'STEP') => keep(of, plain(text).split('\n')),
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
function lineSplitter(filter: SecretFilter) {
  const LINE_CHARACTERS_MAX = 65_536
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
