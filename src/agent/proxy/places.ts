/** What the configuration of the proxy needs to know of its host. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { configOf } from './config-text.ts'
import { accountOfProxy } from './program.ts'

export type Places = Parameters<typeof configOf>[1]

export async function placesOf({ directory, httpPort }: Pick<Places, 'directory' | 'httpPort'>): Promise<Places> {
  const [account, hasIpv6] = await Promise.all([accountOfProxy(), hasIpv6Here()])
  return { directory, httpPort, account, hasIpv6 }
}

async function hasIpv6Here(): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(0, '::')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
