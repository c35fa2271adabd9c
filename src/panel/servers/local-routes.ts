/** The server that is the panel's own host. */
import { isIPv4, isIPv6 } from 'node:net'
import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { serverTable } from '#projections/panel/servers'
import { Beat } from '../../tasks/protocol.ts'
import { platform, session } from '../access/access.ts'
import { contactsOf } from './contacts.ts'
import { shownServers } from './shown-servers.ts'
import { problemFields, Server, SERVER_STATUSES, statusOf } from './views.ts'
import { serverWatch } from './watch.ts'

const LocalServer = z.object({
  server: Server.nullable().describe('Null: no agent of this host has ever been installed.'),
  problem: z.object(problemFields).nullable().describe('What is missing for it to get work. Null: nothing is known.'),
})

const LocalFacts = z.object({
  name: z.string(),
  status: z.enum(SERVER_STATUSES),
  publicAddress: z.string().nullable(),
  ipv4: z.string().nullable().describe('The first address of the host. Null: its agent has told none.'),
  ipv6: z.string().nullable().describe('As `ipv4`.'),
})

const { facts: _facts, ...figures } = Beat.shape
const LocalStats = z.object({ ...figures, at: z.iso.datetime(), ageSeconds: z.int() })

const NO_AGENT = {
  code: 'NO_AGENT' as const,
  message: 'No agent runs on the panel’s own host',
  remedy: 'Install a container engine on it, and start an agent with the install command',
}

const localRow = ({ read }: Pick<HandlerContext, 'read'>) =>
  serverTable.queryIn(read).selectAll().where('kind', '=', 'LOCAL').executeTakeFirst()

export const localServerRoutes = [
  route('GET /api/servers/local', {
    does: 'Get the server that is the panel’s own host, with what it lacks and what helps.',
    access: platform('servers:view'),
    reply: LocalServer,
    async handle(call) {
      const row = await localRow(call)
      if (!row) return { server: null, problem: NO_AGENT }
      const [server] = await shownServers(call, [row])
      return { server: server!, problem: server!.agent === null ? NO_AGENT : server!.problem }
    },
  }),

  route('GET /api/servers/local-public', {
    does: 'Tell the name, the status and the addresses of the panel’s own host.',
    access: session,
    refuses: [404],
    reply: LocalFacts,
    async handle(call) {
      const row = found(await localRow(call))
      const contact = (await contactsOf(call.telemetry, [row.id])).get(row.id)
      const addresses = row.facts?.addresses ?? []
      return {
        name: row.name,
        status: statusOf(row, { contact, now: call.now, watch: call.service(serverWatch) }),
        publicAddress: row.publicAddress,
        ipv4: addresses.find(isIPv4) ?? null,
        ipv6: addresses.find(isIPv6) ?? null,
      }
    },
  }),

  route('GET /api/servers/local/stats', {
    does: 'Get the newest figures of the panel’s own host, and their age.',
    access: platform('servers:view'),
    refuses: [404],
    reply: LocalStats,
    async handle(call) {
      const row = found(await localRow(call))
      const contact = (await contactsOf(call.telemetry, [row.id])).get(row.id)
      const beat = Beat.omit({ facts: true }).safeParse(contact?.beat)
      if (!contact || !beat.success) return reject('unavailable', 'The agent has told no figures yet', 'SERVER_OFFLINE')
      const ageSeconds = Math.max(0, Math.round((call.now.getTime() - contact.at.getTime()) / 1_000))
      return { ...beat.data, at: contact.at.toISOString(), ageSeconds }
    },
  }),
]
