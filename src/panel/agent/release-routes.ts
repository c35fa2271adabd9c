/** What brings the agent to a host. */
import { z } from 'zod'
import { fileAnswer, OK_OR_PARTIAL } from '#kernel/http/file-answer'
import { answer, bytesReply, route, textReply } from '#kernel/http/route'
import { AGENT_ARCHITECTURES } from '../../tasks/agent-release.ts'
import { agentInstallScript } from '../adapters/agent-install-script.ts'
import { configuration, effectivePanelUrl } from '../config/effective-config.ts'
import { byAgentOrInstall } from './agent-or-install.ts'
import { byInstall } from './install-caller.ts'
import { agentReleases, rejectNotBuilt } from './release.ts'

export const releaseRoutes = [
  route('GET /api/agent/install.sh', {
    does: 'A POSIX shell script that installs the agent on the host: the panel shows the command that runs it.',
    access: byInstall,
    reply: textReply('text/x-shellscript'),
    async handle({ service }) {
      const release = (await service(agentReleases).find()) ?? rejectNotBuilt()
      const { environment, decided } = service(configuration)
      return agentInstallScript({ panelUrl: effectivePanelUrl(environment, await decided()), release })
    },
  }),

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
