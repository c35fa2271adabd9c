import { once } from 'node:events'
import { createServer } from 'node:net'
import { isEverywhere } from './address.ts'

/** Of the variables that say where a service listens. */
type PortVariablePrefix = 'LICENSING' | 'PANEL'

/** Asked before anything is made that is shown only once. @throws Error for people when the service could not listen there */
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

/** @throws Error for people when the two services of an evaluation could not both listen */
export function refuseSamePort(licensing: ListenAddress, panel: ListenAddress): void {
  const hosts = [licensing.host, panel.host]
  const isShared = licensing.host === panel.host || hosts.some(isEverywhere)
  if (licensing.port !== panel.port || !isShared) return
  throw new Error(`Both services are to listen on port ${panel.port}: set LICENSING_PORT or PANEL_PORT to another one.`)
}

/** @returns the error of a `listen` in words that say what to do */
export function portError(error: unknown, port: number, host: string, of: PortVariablePrefix = 'LICENSING'): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is in use on ${host}: end what listens there, or set ${of}_PORT to another one.`)
  if (code === 'EACCES') return new Error(`Port ${port} is not open to this user: set ${of}_PORT to one above 1023.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Error(`${of}_HOST ${host} is no address of this machine.`)
  return error
}
