/** The command that makes a host a server, as those see it who may add servers. */
import { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import { configuration, effectivePanelUrl } from '../config/effective-config.ts'
import { installCommandOf } from '../workflows/servers.ts'
import type { InstallToken } from '../workflows/servers.ts'

export const InstallCommand = z.object({
  command: z
    .string()
    .describe(
      'A shell command for root in a clone of Daybook on the host. It opens the panel to one agent, once, until it expires.',
    ),
  expiresAt: z.iso.datetime(),
})

export async function toInstallCommand(
  { service }: Pick<HandlerContext, 'service'>,
  { token, expiresAt }: InstallToken,
): Promise<z.input<typeof InstallCommand>> {
  const { environment, decided } = service(configuration)
  const panelUrl = effectivePanelUrl(environment, await decided())
  return { command: installCommandOf(panelUrl, token), expiresAt }
}
