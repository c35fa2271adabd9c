import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { LINK_STATES } from '../../../tasks/mesh.ts'
import { inProjectByKey } from '../../access/project-access.ts'
import { ruledLevels } from '../../access/server-access.ts'
import { contactsOf } from '../contacts.ts'
import { usableServers } from '../usable-servers.ts'
import { Server, statusOf } from '../views.ts'
import { serverWatch } from '../watch.ts'
import { linksAmong } from './links.ts'
import { meshOf, serversUsedBy } from './meshes.ts'

/** Three measurements. */
const KNOWN_FOR_MS = 900_000

const Mesh = z
  .object({
    servers: z
      .array(
        Server.pick({ id: true, name: true, status: true }).extend({
          isUsed: z.boolean().describe('Whether it holds workloads of the project.'),
        }),
      )
      .describe('The servers that the project uses, and those that the caller may use.'),
    links: z
      .array(
        z.object({
          from: z.uuid(),
          to: z.uuid(),
          state: z
            .enum([...LINK_STATES, 'UNKNOWN'])
            .describe('BLOCKED: the measurement failed. UNKNOWN: there was none in the last 15 minutes.'),
          rttMs: z.number().nullable().describe('The time of one round trip. Null unless the state is OK.'),
          at: z.iso.datetime().nullable().describe('When it was measured last. Null: never.'),
        }),
      )
      .describe('Between the servers that the project uses and that have a meshPort, in both directions.'),
  })
  .meta({ id: 'Mesh' })

type MeshCall = HandlerContext<{ readonly id: string }>

async function serversShown({ read, telemetry, caller, params, now, service }: MeshCall) {
  const used = new Set(await serversUsedBy(read, params.id))
  const rows = await usableServers(read, await ruledLevels(read, caller), [...used])
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  const [contacts, watch] = [await contactsOf(telemetry, ids), service(serverWatch)]
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    status: statusOf(row, { contact: contacts.get(row.id), now, watch }),
    isUsed: used.has(row.id),
  }))
}

async function linksShown({ read, telemetry, params, now }: MeshCall) {
  const members = [...(await meshOf(read, params.id))]
  const known = new Map((await linksAmong(telemetry, members)).map((link) => [`${link.from}/${link.to}`, link]))
  const pairs = members.flatMap((from) => members.filter((to) => to !== from).map((to) => ({ from, to })))
  return pairs.map(({ from, to }) => {
    const link = known.get(`${from}/${to}`)
    const isFresh = link && now.getTime() - link.at.getTime() < KNOWN_FOR_MS
    const measured = isFresh ? { state: link.state, rttMs: link.rttMs } : { state: 'UNKNOWN' as const, rttMs: null }
    return { from, to, ...measured, at: link?.at.toISOString() ?? null }
  })
}

export const meshRoutes = [
  route('GET /api/projects/:id/mesh', {
    does: 'Tell which servers of a project reach each other, and list the servers that the caller may use.',
    access: inProjectByKey('platform:projects:view'),
    reply: Mesh,
    handle: async (call) => ({ servers: await serversShown(call), links: await linksShown(call) }),
  }),
]
