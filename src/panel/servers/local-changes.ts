/** Changes of the panel's own host. */
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { hostSetup } from '../../tasks/host.ts'
import { platform } from '../access/access.ts'
import { runAsCaller } from '../access/accounts.ts'
import { CHANGE_STATUSES, outcomeOf } from '../agent/answer-of-task.ts'
import { changeServer } from '../agent/change-server.ts'
import { limitsOf } from '../license/limits.ts'
import { installLocalAgent, localServerIn, rejectTakenServerName } from '../workflows/servers.ts'
import { installCommands } from './install-command.ts'
import { localAgentStarter } from './local-agent.ts'
import { serverRoster } from './roster/decider.ts'

const NAME = 'local'
const manage = platform('servers:manage')

const LocalInstall = z.object({
  state: z.enum(['STARTED', 'COMMAND']).describe('COMMAND: run the command on the panel’s own host.'),
  command: z.string().nullable(),
  expiresAt: z.iso.datetime().nullable(),
})

export const localServerChanges = [
  route('POST /api/servers/local/install-agent', {
    does: 'Start the agent of the panel’s own host. A panel that cannot start programs answers the command that does.',
    access: manage,
    isLimited: true,
    refuses: [409],
    status: 202,
    reply: LocalInstall,
    shownOnce: ['command'],
    async handle(call) {
      const { service, vault, waitFor } = call
      const starter = service(localAgentStarter)
      if (!starter) {
        const toCommand = await installCommands(call)
        const token = await runAsCaller(call, (unit) => installLocalAgent(unit, vault, NAME)).catch(
          rejectTakenServerName,
        )
        return { state: 'COMMAND' as const, ...toCommand(token) }
      }
      await runAsCaller(call, async (unit) => {
        const serverId = await localServerIn(unit)
        await unit.decide(serverRoster, undefined, 'MustHaveRoom', { serverId, ...(await limitsOf(unit)) })
      })
      const problem = await waitFor(() => starter.start())
      if (problem) reject('unavailable', `${problem.message}. ${problem.remedy}.`, 'NO_ENGINE')
      return { state: 'STARTED' as const, command: null, expiresAt: null }
    },
  }),

  route('POST /api/servers/local/setup', {
    does: 'Check whether the panel’s own host can run what is asked of it: engine, disks and clock.',
    access: manage,
    refuses: [404, 409],
    status: CHANGE_STATUSES,
    reply: outcomeOf(hostSetup),
    async handle(call) {
      const serverId = found(await call.run(localServerIn))
      return changeServer(call, { kind: hostSetup, serverId, payload: {} })
    },
  }),
]
