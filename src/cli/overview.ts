import { columns } from './columns.ts'
import { PANEL_SERVICE } from './commands.ts'
import type { Commands } from './commands.ts'

const BOTH = ' *'

/** Lists all commands. */
export function overview(commands: Commands): string {
  const all = Object.entries(commands).map(([name, { usage, does }]) => {
    const isForBoth = Object.hasOwn(PANEL_SERVICE.commands, name)
    return [`daybook ${usage.length === 1 ? usage[0] : `${name} …`}`, `${does}${isForBoth ? BOTH : ''}`] as const
  })
  return ['Usage:', ...columns(all, '  '), '', '  * as "daybook panel COMMAND" on the panel'].join('\n')
}
