import type { ReadDatabase } from '#kernel/projections/read-database'
import { serverAccessTable, serverTable } from '#projections/panel/servers'
import type { ServerLevel } from './access/events.ts'

/**
 * The servers that a caller may use: those with such a rule, and those without any.
 * @param levels by rules, by the id of the server; undefined: all servers
 * @param more servers that are included
 */
export function usableServers(
  read: ReadDatabase,
  levels: ReadonlyMap<string, ServerLevel> | undefined,
  more: readonly string[] = [],
) {
  const all = serverTable.queryIn(read).selectAll()
  if (!levels) return all
  const closed = serverAccessTable.queryIn(read).select('serverId')
  const named = [...levels.keys(), ...more]
  return all.where((is) =>
    named.length === 0 ? is('id', 'not in', closed) : is.or([is('id', 'not in', closed), is('id', 'in', named)]),
  )
}
