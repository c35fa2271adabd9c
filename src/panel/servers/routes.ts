import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { inState } from '#kernel/http/in-state'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { listRoute } from '#kernel/resource/list-route'
import { serverTable } from '#projections/panel/servers'
import { platform, session } from '../access/access.ts'
import { runAsCaller } from '../access/accounts.ts'
import { panelLists } from '../access/panel-lists.ts'
import { ruledLevels, seesAll, serverManager, serverUser } from '../access/server-access.ts'
import { limitsOf } from '../license/limits.ts'
import { removeServer } from '../workflows/remove-server.ts'
import { mustManageServer } from '../workflows/server-access.ts'
import {
  addServer,
  issueInstallToken,
  rejectTakenServerName,
  resetServer,
  showInstallToken,
} from '../workflows/servers.ts'
import type { InstallToken } from '../workflows/servers.ts'
import { serverAccess } from './access/decider.ts'
import { SERVER_LEVELS } from './access/events.ts'
import type { ServerLevel } from './access/events.ts'
import { contactsOf } from './contacts.ts'
import { REMOTE_SERVER, servers } from './decider.ts'
import { NewServer, ServerChange, withCanonicalIps } from './input.ts'
import { InstallCommand, installCommands } from './install-command.ts'
import { freeOf } from './load/rules.ts'
import { loadStandings } from './load/standings.ts'
import { serverRoster } from './roster/decider.ts'
import { shownServers } from './shown-servers.ts'
import { usableServers } from './usable-servers.ts'
import { SeenServer, Server, shownState, toServer, toUsableServer, UsableServer } from './views.ts'
import { serverWatch } from './watch.ts'

const AddedServer = z.object({ server: Server, installCommand: z.string(), expiresAt: z.iso.datetime() })

const amount = z.int().nullable()
const Allowance = z.object({
  servers: z
    .object({ used: z.int(), max: z.int().nullable() })
    .nullable()
    .describe('How many servers there are, and how many the license allows (null: no limit). Needs servers:manage.'),
  each: z
    .array(
      z.object({
        serverId: z.uuid(),
        level: z.enum(SERVER_LEVELS),
        free: z
          .object({ workloads: amount, cpuMillis: amount, memoryMiB: amount, diskMiB: amount })
          .describe('What can be reserved yet. Null: no limit.'),
      }),
    )
    .describe('The servers that the caller may use.'),
})

const manage = platform('servers:manage')

/** Callers that see less of a server have another representation of it. */
const version = recordVersion(
  Server.pick({
    name: true,
    description: true,
    publicAddress: true,
    allowedIps: true,
    labels: true,
    meshPort: true,
    cordoned: true,
  }).partial(),
  (unit, { params }) => unit.look(servers, params['id']),
)

/** The server as this unit of work leaves it. */
async function loadServer(
  unit: UnitOfWork,
  { telemetry, now, service }: Pick<HandlerContext, 'telemetry' | 'now' | 'service'>,
  id: string,
) {
  const server = (await unit.load(servers, id))!
  const isOpen = Object.keys(await unit.look(serverAccess, id)).length === 0
  const contact = (await contactsOf(telemetry, [id])).get(id)
  return toServer(shownState(server), { contact, now, watch: service(serverWatch), isOpen })
}

const levelIn = (levels: ReadonlyMap<string, ServerLevel> | undefined, id: string): ServerLevel =>
  levels ? (levels.get(id) ?? 'USE') : 'MANAGE'

type TokenWork = (unit: UnitOfWork, vault: HandlerContext['vault'], serverId: string) => Promise<InstallToken>

const commandFrom = (work: TokenWork) => async (call: HandlerContext<{ readonly id: string }>) => {
  const toCommand = await installCommands(call)
  return toCommand(await runAsCaller(call, (unit) => work(unit, call.vault, call.params.id)))
}

export const wholeServerRoutes = [
  listRoute('GET /api/servers', serverTable, panelLists, {
    does: 'List all servers, with what is known of their agents.',
    access: platform('servers:view'),
    item: Server,
    shown: (rows, call) => shownServers(call, rows),
  }),

  route('POST /api/servers', {
    does: 'Add a server. Run the install command on its host as root, within a day.',
    access: manage,
    isLimited: true,
    status: 201,
    body: NewServer,
    reply: AddedServer,
    shownOnce: ['installCommand'],
    async handle(call) {
      const toCommand = await installCommands(call)
      const fields = { ...call.body, ...withCanonicalIps(call.body), meshPort: null, cordoned: false }
      const added = await runAsCaller(call, async (unit) => {
        const { serverId, ...token } = await addServer(unit, call.vault, { kind: 'REMOTE', ...fields })
        return { server: await loadServer(unit, call, serverId), token }
      }).catch(rejectTakenServerName)
      const { command, expiresAt } = toCommand(added.token)
      return { server: added.server, installCommand: command, expiresAt }
    },
  }),

  route('GET /api/servers/mine', {
    does: 'List the servers that the caller may use: open ones, and those with a rule for it, its teams or projects.',
    access: session,
    query: panelLists.query,
    reply: panelLists.reply(UsableServer),
    async handle({ read, telemetry, caller, query, now, service }) {
      const watch = service(serverWatch)
      const levels = await ruledLevels(read, caller)
      return panelLists.answer(usableServers(read, levels), query, async (rows) => {
        const contacts = await contactsOf(
          telemetry,
          rows.map(({ id }) => id),
        )
        return rows.map((row) =>
          toUsableServer(row, levelIn(levels, row.id), { contact: contacts.get(row.id), now, watch }),
        )
      })
    },
  }),

  route('GET /api/servers/my-allowance', {
    does: 'Tell what is free on each server that the caller may use and, with servers:manage, how many there may be.',
    access: session,
    reply: Allowance,
    async handle({ read, run, caller }) {
      const levels = await ruledLevels(read, caller)
      const rows = await usableServers(read, levels).orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
      const standings = await loadStandings(read, rows)
      const each = rows.map(({ id }) => {
        const { quota, reserved } = standings.get(id)!
        return { serverId: id, level: levelIn(levels, id), free: freeOf(quota, reserved) }
      })
      if (!caller.can('servers:manage')) return { servers: null, each }
      const number = await run(async (unit) => {
        const { serversMax = null } = await limitsOf(unit)
        return { used: (await unit.look(serverRoster)).size, max: serversMax }
      })
      return { servers: number, each }
    },
  }),

  route('GET /api/servers/:id', {
    does: 'Get a server. Callers that may only use it see its name, status, labels and their level.',
    access: serverUser,
    version,
    reply: SeenServer,
    async handle(call) {
      const { server, level = null } = call.ruleResult
      const [shown] = await shownServers(call, [server])
      const { id, name, status, labels } = shown!
      return seesAll(call.ruleResult, call.caller) ? { ...shown!, level } : { id, name, status, labels, level }
    },
  }),

  route('PATCH /api/servers/:id', {
    does: 'Change a server. A cordoned one takes no new workload; what is there runs on.',
    access: serverManager,
    version,
    body: ServerChange,
    reply: Server,
    handle: (call) =>
      runAsCaller(call, async (unit) => {
        const { id } = call.params
        await mustManageServer(unit, call.caller, id)
        await unit.decide(servers, id, 'ChangeServer', { changes: withCanonicalIps(call.body) })
        return loadServer(unit, call, id)
      }).catch(rejectTakenServerName),
  }),

  route('DELETE /api/servers/:id', {
    does: 'Delete a server that holds no workload. The token of its agent is void at once; the host stays as it is.',
    access: manage,
    from: inState(Server, REMOTE_SERVER),
    handle: (call) => runAsCaller(call, (unit) => removeServer(unit, call.params.id)),
  }),

  route('GET /api/servers/:id/install-command', {
    does: 'Get the install command of a server until it is used or has expired. Each showing is recorded.',
    access: manage,
    refuses: [409],
    reply: InstallCommand,
    handle: commandFrom(showInstallToken),
  }),

  route('POST /api/servers/:id/regen-token', {
    does: 'Make a new install command; the one before is void. The present agent runs on until another registers.',
    access: manage,
    reply: InstallCommand,
    shownOnce: ['command'],
    handle: commandFrom(issueInstallToken),
  }),

  route('POST /api/servers/:id/reset', {
    does: 'Make the token of the agent void at once, and make a new install command.',
    access: manage,
    reply: InstallCommand,
    shownOnce: ['command'],
    handle: commandFrom(resetServer),
  }),
]
