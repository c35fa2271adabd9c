import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { serverTable } from '#projections/panel/servers'
import { platform } from '../../access/access.ts'
import { runAsCaller } from '../../access/accounts.ts'
import { contactsOf } from '../../servers/contacts.ts'
import { staleMs } from '../../servers/silence-rules.ts'
import { askAgentUpdate, rejectRunningUpdate } from '../../workflows/update-agents.ts'
import { agentReleases } from '../release.ts'
import { serversOfAgents } from '../servers-of-agents.ts'
import { chooseServers, SKIPPED_WHY } from './candidates.ts'

const AgentUpdate = z
  .object({
    updateId: z.uuid(),
    first: z.object({ serverId: z.uuid(), taskId: z.uuid() }),
    then: z.array(z.uuid()).describe('The servers that follow once the first one has told the new version.'),
    skipped: z.array(z.object({ serverId: z.uuid(), reason: z.enum(SKIPPED_WHY) })),
  })
  .meta({ id: 'AgentUpdate' })

async function serversIn({ read }: Pick<HandlerContext, 'read'>, serverId: string | undefined) {
  const all = serverTable
    .queryIn(read)
    .select(['id', 'kind', 'facts', 'isConflicted'])
    .orderBy('createdAt')
    .orderBy('id')
  if (serverId === undefined) return all.execute()
  return [found(await all.where('id', '=', serverId).executeTakeFirst())]
}

async function reachableIn({ telemetry, service, now }: HandlerContext, ids: readonly string[]) {
  const contacts = await contactsOf(telemetry, ids)
  const silentMs = staleMs({ beatMs: service(serversOfAgents).nextBeatMs() })
  return (id: string): boolean => {
    const contact = contacts.get(id)
    return contact !== undefined && now.getTime() - contact.at.getTime() < silentMs
  }
}

export const agentUpdateRoutes = [
  route('POST /api/admin/agents/update', {
    does: 'Update the agents of all servers that are online, or of one: one first, the others once it has told the version.',
    access: platform('servers:manage'),
    refuses: [404, 409],
    body: z.strictObject({ serverId: uuid.optional() }).default({}),
    status: 202,
    reply: AgentUpdate,
    async handle(call) {
      const release = await call.service(agentReleases).find()
      if (!release) return reject('conflict', 'No agent is built: run "npm run agent:build" first', 'NOT_BUILT')
      const { version, executables } = release
      const all = await serversIn(call, call.body.serverId)
      const ids = all.map(({ id }) => id)
      const { servers, skipped } = chooseServers(all, { release, isReachable: await reachableIn(call, ids) })
      if (servers.length === 0) return rejectNothing(skipped)
      const signed = Object.fromEntries(
        Object.entries(executables).map(([arch, { sha256, signature }]) => [arch, { sha256, signature }]),
      )
      const asked = await runAsCaller(call, (unit) =>
        askAgentUpdate(unit, { version, executables: signed, servers }),
      ).catch(rejectRunningUpdate)
      return { ...asked, then: servers.slice(1).map(({ serverId }) => serverId), skipped }
    },
  }),
]

/** @throws Rejection 409 NOTHING_TO_UPDATE */
function rejectNothing(skipped: readonly { readonly reason: string }[]): never {
  const counts = Object.entries(Object.groupBy(skipped, ({ reason }) => reason))
  const reasons = counts.map(([reason, all = []]) => `${all.length} ${reason}`).join(', ')
  return reject('conflict', `No agent takes the update: ${reasons || 'there is no server'}`, 'NOTHING_TO_UPDATE')
}
