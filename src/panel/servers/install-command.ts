/** The command that makes a host a server, as those see it who may add servers. */
import { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import { agentReleases } from '../agent/release.ts'
import { configuration, effectivePanelUrl } from '../config/effective-config.ts'
import { cloneCommandOf, installCommandOf } from '../workflows/servers.ts'
import type { InstallToken } from '../workflows/servers.ts'

export const InstallCommand = z.object({
  command: z
    .string()
    .describe(
      'A shell command for root on the host; in a clone of Daybook there, if no agent is built. It opens the panel to one agent, once.',
    ),
  expiresAt: z.iso.datetime(),
})

export async function toInstallCommand(
  { service }: Pick<HandlerContext, 'service'>,
  { token, expiresAt }: InstallToken,
): Promise<z.input<typeof InstallCommand>> {
  const { environment, decided } = service(configuration)
  const panelUrl = effectivePanelUrl(environment, await decided())
  const commandOf = (await service(agentReleases).find()) ? installCommandOf : cloneCommandOf
  return { command: commandOf(panelUrl, token), expiresAt }
}
