/** HAProxy as a service of systemd, where the installation of the agent has made one. */
import { readFile } from 'node:fs/promises'
import { TaskFailure } from '../performer.ts'
import { runProgram } from '../run-program.ts'

const NAME = 'daybook-proxy.service'
const START_MS = 60_000

export interface ServicePlaces {
  readonly unit: string
  readonly systemctl: string
}

export const SYSTEM: ServicePlaces = { unit: `/etc/systemd/system/${NAME}`, systemctl: '/usr/bin/systemctl' }

/** Whether the service is the one of this configuration. Another agent of the host may have made it. */
export async function isService(config: string, { unit }: ServicePlaces): Promise<boolean> {
  const text = await readFile(unit, 'utf8').catch(() => '')
  return text.split('\n').some((line) => line.startsWith('ExecStart=') && line.endsWith(` -f ${config}`))
}

/** Resolves when it serves. @throws TaskFailure PROXY_DOWN */
export async function startService({ systemctl }: ServicePlaces): Promise<void> {
  const work = { signal: AbortSignal.timeout(START_MS), write: async () => {} }
  const code = await runProgram({ command: systemctl, args: ['start', NAME] }, work).catch(() => null)
  if (code !== 0)
    throw new TaskFailure('PROXY_DOWN', `The proxy of the host does not start: look at journalctl -u ${NAME}`)
}
