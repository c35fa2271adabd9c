/**
 * The usage lines of commands. It imports nothing, so that `daybook --version` and `--help` respond at
 * once.
 */

export const AUDIT_USAGE = ['audit verify [--checkpoint FILE]…', 'audit checkpoint', 'audit key']

export const ROOT_KEY_USAGE = [
  'root-key',
  'root-key make FILE',
  'root-key request FILE',
  'root-key sign KEY REQUEST FILE',
  'root-key import FILE',
  'root-key adopt PUBLIC FILE',
]

/** @param called the program name before a command, `daybook` or `daybook panel` */
export const usageOf = (called: string, usage: readonly string[]): string =>
  usage.map((each, nth) => `${nth === 0 ? 'Usage:' : '      '} ${called} ${each}`).join('\n')
