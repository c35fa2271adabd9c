import { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import { listRoute } from '#kernel/resource/list-route'
import { serverTable } from '#projections/panel/servers'
import type { ServerRow } from '#projections/panel/servers'
import { platform } from '../access/access.ts'
import { panelLists } from '../access/panel-lists.ts'
import { contactsOf, usedBy, usedFields } from '../servers/contacts.ts'
import { capacityFields } from '../servers/events.ts'
import { loadStandings } from '../servers/load/standings.ts'
import { SERVER_STATUSES, statusOf } from '../servers/views.ts'
import { serverWatch } from '../servers/watch.ts'

const limit = z.int().nullable()

const Capacity = z
  .object({
    serverId: z.uuid(),
    status: z.enum(SERVER_STATUSES),
    capacity: z.object(capacityFields).nullable().describe('What there is on the host. Null: no agent has told it.'),
    quota: z
      .object({ workloads: limit, cpuMillis: limit, memoryMiB: limit, diskMiB: limit })
      .describe('What may be reserved. Null: no limit.'),
    reserved: z.object({ workloads: z.int(), cpuMillis: z.int(), memoryMiB: z.int(), diskMiB: z.int() }),
    used: z.object(usedFields).nullable().describe('What the host uses by its newest beat. Null: it has told nothing.'),
  })
  .meta({ id: 'ServerCapacity' })

async function withStandings(rows: readonly ServerRow[], { read, telemetry, now, service }: HandlerContext) {
  const ids = rows.map(({ id }) => id)
  const [standings, contacts] = await Promise.all([loadStandings(read, rows), contactsOf(telemetry, ids)])
  return rows.map((row) => {
    const contact = contacts.get(row.id)
    const capacity = row.facts?.capacity ?? null
    const status = statusOf(row, { contact, now, watch: service(serverWatch) })
    return { serverId: row.id, status, capacity, ...standings.get(row.id)!, used: usedBy(contact) }
  })
}

export const capacityRoutes = [
  listRoute('GET /api/admin/capacity', serverTable, panelLists, {
    does: 'Compare for each server what is reserved with its quota, and what is used with its capacity.',
    access: platform('servers:view'),
    item: Capacity,
    shown: withStandings,
  }),
]
