import { once } from 'node:events'
import { createServer } from 'node:net'
import { isEverywhere } from './address.ts'

/** The prefix of the variables for a service's address and port. */
type PortVariablePrefix = 'LICENSING' | 'PANEL'

/**
 * Checked before anything is created that is shown only once.
 * @throws Error for the user if the service could not listen there
 */
export async function refuseTakenPort(port: number, host: string, of: PortVariablePrefix = 'LICENSING'): Promise<void> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw portError(error, port, host, of)
  }
  server.close()
  await once(server, 'close')
}

interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** @throws Error for the user if the two services of an evaluation have the same address and port */
export function refuseSamePort(licensing: ListenAddress, panel: ListenAddress): void {
  const hosts = [licensing.host, panel.host]
  const isShared = licensing.host === panel.host || hosts.some(isEverywhere)
  if (licensing.port !== panel.port || !isShared) return
  throw new Error(`Both services use port ${panel.port}: set LICENSING_PORT or PANEL_PORT to another port.`)
}

/** @returns the error of `listen` with advice for the user */
export function portError(error: unknown, port: number, host: string, of: PortVariablePrefix = 'LICENSING'): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(
      `Port ${port} is in use on ${host}: stop the program that uses it, or set ${of}_PORT to another port.`,
    )
  if (code === 'EACCES') return new Error(`This user may not use port ${port}: set ${of}_PORT to a port above 1023.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Error(`${of}_HOST ${host} is not an address of this machine: set it to one of its addresses.`)
  return error
}
