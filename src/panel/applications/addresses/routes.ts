/** Where an application is reached: its URL, its ports on the server, and the address that it leaves from. */
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { settingOf } from '#projections/panel/settings'
import { creatorInProject, inApplication } from '../../access/application-access.ts'
import { changeApplication } from '../../access/application-routes.ts'
import { localServer } from '../../servers/local-server.ts'
import { serverPorts } from '../../servers/ports/decider.ts'
import { panelPort } from '../../servers/ports/panel-port.ts'
import { freeUrlPort } from '../../servers/ports/rules.ts'
import {
  addressApplication,
  addressOfServer,
  closePort,
  mustBeRemote,
  openPort,
  remapPorts,
} from '../../workflows/application-addresses.ts'
import { mustUseServer } from '../../workflows/server-access.ts'
import { reservedPorts } from '../../workflows/server-ports.ts'
import { applications } from '../decider.ts'
import { MovedPorts, NewIp, NewPort, NewUrlMode } from './input.ts'
import { portsOf, PortView, toPort, url, withUrl } from './views.ts'

const create = inApplication('apps:create')

const loaded = async (unit: UnitOfWork, id: string) => (await unit.load(applications, id))!

const Ips = z.object({ bindIp: z.string().nullable(), outboundIp: z.string().nullable(), url })

export const addressRoutes = [
  changeApplication('PATCH /api/applications/:id/bind-ip', create, {
    does: 'Bind the port of the URL to one address of the server, at once. Null or empty: to all of them.',
    refuses: [409],
    body: NewIp,
    reply: Ips,
    async decide({ unit, application: { id, serverId }, body, read, service }) {
      const bindIp = await addressOfServer(unit, serverId, body.ip)
      await addressApplication(unit, id, service(panelPort), { bindIp })
      return withUrl(read, await loaded(unit, id))
    },
  }),

  changeApplication('PATCH /api/applications/:id/outbound-ip', create, {
    does: 'Set from which address of the server its connections leave. Null or empty: the server chooses.',
    refuses: [409],
    body: NewIp,
    reply: Ips,
    async decide({ unit, application: { id, serverId }, body, read, service }) {
      await mustBeRemote(unit, serverId)
      const outboundIp = await addressOfServer(unit, serverId, body.ip)
      await addressApplication(unit, id, service(panelPort), { outboundIp })
      return withUrl(read, await loaded(unit, id))
    },
  }),

  changeApplication('PATCH /api/applications/:id/url-mode', create, {
    does: 'Set whether the URL names a port of the server or a name under the domain of the installation, at once.',
    refuses: [409],
    body: NewUrlMode,
    reply: z.object({ url }),
    async decide({ unit, application: { id }, body: { mode: urlMode }, read, service }) {
      if (urlMode === 'CLEAN' && (await settingOf(read, 'appsDomain')) === '')
        reject('conflict', 'The installation has no domain for applications: set appsDomain first', 'NO_BASE_DOMAIN')
      await addressApplication(unit, id, service(panelPort), { urlMode })
      return withUrl(read, await loaded(unit, id))
    },
  }),

  route('GET /api/applications/:id/ports', {
    does: 'List the ports of the server that lead to an application.',
    access: inApplication('apps:view'),
    reply: z.array(PortView),
    async handle({ run, ruleResult: { application } }) {
      const known = await run((unit) => unit.look(applications, application.id))
      return known ? portsOf(known) : []
    },
  }),

  changeApplication('PATCH /api/applications/:id/ports', create, {
    does: 'Move ports of an application to other ports of its server, all at once.',
    refuses: [409],
    body: MovedPorts,
    reply: z.array(PortView),
    async decide({ unit, application, body: { ports }, service }) {
      await remapPorts(unit, application, ports, service(panelPort))
      return portsOf(await loaded(unit, application.id))
    },
  }),

  changeApplication('POST /api/applications/:id/host-ports', create, {
    does: 'Open a port of the server that leads to an application without HTTP.',
    refuses: [409],
    status: 201,
    body: NewPort,
    reply: PortView,
    decide: async ({ unit, application, body, service }) =>
      toPort(await openPort(unit, application, body, service(panelPort))),
  }),

  changeApplication('DELETE /api/applications/:id/host-ports/:portId', create, {
    does: 'Close a port of the server that leads to an application.',
    decide: ({ unit, application, params: { portId } }) => closePort(unit, application, portId),
  }),

  route('GET /api/applications/next-free-port/:projectId', {
    does: 'Tell a port of a server that is free now, for an application of the project. It is not kept.',
    access: creatorInProject,
    refuses: [403, 409],
    query: z.strictObject({ serverId: uuid.optional() }),
    reply: z.object({ port: z.int() }),
    async handle({ run, read, caller, params: { projectId }, query, service }) {
      const serverId = query.serverId ?? (await localServer(read))
      return run(async (unit) => {
        await mustUseServer(unit, caller, { serverId, projectId })
        const reserved = await reservedPorts(unit, serverId, service(panelPort))
        return { port: freeUrlPort(await unit.look(serverPorts, serverId), reserved) }
      })
    },
  }),
]
