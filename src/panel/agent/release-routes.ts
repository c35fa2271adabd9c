/** What brings the agent to a host. */
import { z } from 'zod'
import { fileAnswer, OK_OR_PARTIAL } from '#kernel/http/file-answer'
import { answer, bytesReply, route } from '#kernel/http/route'
import { AGENT_ARCHITECTURES } from '../../tasks/agent-release.ts'
import { byAgentOrInstall } from './agent-or-install.ts'
import { agentReleases } from './release.ts'

export const releaseRoutes = [
  route('GET /api/agent/binary', {
    does: 'Download the executable of the agent, compressed by gzip: all, or with Range a part. The ETag is its SHA-256.',
    access: byAgentOrInstall,
    query: z.strictObject({ arch: z.enum(AGENT_ARCHITECTURES) }),
    status: OK_OR_PARTIAL,
    reply: bytesReply('application/gzip'),
    async handle(call) {
      const releases = call.service(agentReleases)
      const { body, status, headers } = fileAnswer(call, await releases.file(call.query.arch))
      return answer(releases.download(body), status, headers)
    },
  }),
]
