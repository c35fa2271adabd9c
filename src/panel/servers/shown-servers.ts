/** Servers of the read model, with what their agents told last. */
import type { HandlerContext } from '#kernel/http/route'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { serverAccessTable, serverTable } from '#projections/panel/servers'
import type { ServerRow } from '#projections/panel/servers'
import { contactsOf } from './contacts.ts'
import { toServer } from './views.ts'
import { serverWatch } from './watch.ts'

type Reading = Pick<HandlerContext, 'read' | 'telemetry' | 'vault' | 'now' | 'service'>

async function closedOf(read: ReadDatabase, serverIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (serverIds.length === 0) return new Set()
  const rules = serverAccessTable.queryIn(read).select('serverId').distinct()
  return new Set((await rules.where('serverId', 'in', serverIds).execute()).map(({ serverId }) => serverId))
}

export async function shownServers({ read, telemetry, vault, now, service }: Reading, rows: readonly ServerRow[]) {
  const ids = rows.map(({ id }) => id)
  const [opened, contacts, closed] = await Promise.all([
    serverTable.open(vault, rows),
    contactsOf(telemetry, ids),
    closedOf(read, ids),
  ])
  const watch = service(serverWatch)
  return opened.map((row) => toServer(row, { contact: contacts.get(row.id), now, watch, isOpen: !closed.has(row.id) }))
}
