/** The command that makes a host a server, as those see it who may add servers. */
import { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { isSafePanelUrl } from '../../tasks/panel-url.ts'
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

type ToCommand = (token: InstallToken) => z.input<typeof InstallCommand>

/**
 * Called before the token is made, so that a refusal changes nothing. The agent of a clone refuses such an address itself.
 * @throws Rejection 409 PANEL_URL_NOT_HTTPS
 */
export async function installCommands({ service }: Pick<HandlerContext, 'service'>): Promise<ToCommand> {
  const { environment, decided } = service(configuration)
  const panelUrl = effectivePanelUrl(environment, await decided())
  const isBuilt = (await service(agentReleases).find()) !== undefined
  if (isBuilt && !isSafePanelUrl(panelUrl))
    reject(
      'conflict',
      'Hosts run what they download from the panel, so its address must begin with https://: change PANEL_URL or urls.panel',
      'PANEL_URL_NOT_HTTPS',
    )
  const commandOf = isBuilt ? installCommandOf : cloneCommandOf
  return ({ token, expiresAt }) => ({ command: commandOf(panelUrl, token), expiresAt })
}
