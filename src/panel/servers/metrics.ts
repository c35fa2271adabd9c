import type { Section } from '#kernel/resource/section'
import { serverTable } from '#projections/panel/servers'
import { contactsOf } from './contacts.ts'
import { SERVER_STATUSES, statusOf } from './views.ts'
import { serverWatch } from './watch.ts'

export const serverMetrics: NonNullable<Section['metrics']> = [
  {
    name: 'servers',
    help: 'Servers by status',
    label: 'status',
    async ask({ read, telemetry, service, now }) {
      const rows = await serverTable.queryIn(read).select(['id', 'facts', 'isOffline']).execute()
      const [contacts, watch] = [
        await contactsOf(
          telemetry,
          rows.map(({ id }) => id),
        ),
        service(serverWatch),
      ]
      const statuses = rows.map((row) => statusOf(row, { contact: contacts.get(row.id), now, watch }))
      return Object.fromEntries(
        SERVER_STATUSES.map((status) => [status, statuses.filter((each) => each === status).length]),
      )
    },
  },
]
