import { key, readModel } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { serverQuotas } from '#panel/quotas/records'
import { serverEvents } from '#panel/servers/events'

/** Quotas of servers, for lists of many of them. A server without a row has none of its own. */
export const serverQuotaTable = readModel('serverQuotas', 1, { serverId: key, ...columnsOf(serverQuotas.fields) })
  .on(serverQuotas.Changed, (table, quota) => {
    table.remove({ serverId: quota.serverId })
    return table.insert(quota)
  })
  .from(serverEvents, { ServerRemoved: (table, { serverId }) => table.remove({ serverId }) })
