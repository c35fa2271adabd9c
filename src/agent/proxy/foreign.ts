/** What listens on the host, and which of its addresses HAProxy can listen on. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Listener } from './conflicts.ts'
import { canonical } from './conflicts.ts'

const LISTENS = '0A'

/** All that listens on TCP. Source: proc(5), `/proc/net/tcp`. */
export async function listening(): Promise<Listener[]> {
  const files = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => ''))
  return (await Promise.all(files)).flatMap(listenersIn)
}

export const listenersIn = (text: string): Listener[] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === LISTENS)
    .map(([, local = '']) => {
      const [address = '', port = ''] = local.split(':')
      return { ip: addressOf(address), port: Number.parseInt(port, 16) }
    })

/** The kernel writes words of 32 bits in the order of the machine, which is little-endian on amd64 and arm64. */
function addressOf(hex: string): string | null {
  const bytes = (hex.match(/.{8}/g) ?? [])
    .flatMap((word) => word.match(/../g)!.toReversed())
    .map((each) => Number.parseInt(each, 16))
  if (bytes.every((each) => each === 0)) return null
  if (bytes.length === 4) return bytes.join('.')
  const isMapped = bytes.slice(0, 10).every((each) => each === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  if (isMapped) return bytes.slice(12).join('.')
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[2 * at]! << 8) | bytes[2 * at + 1]!).toString(16))
  return canonical(groups.join(':'))
}

/** Whether the host has this address. */
export async function isHere(ip: string): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(0, ip)
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
