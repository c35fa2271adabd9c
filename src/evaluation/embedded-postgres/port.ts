import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/**
 * The previous port of this data directory if it is free, so that stored URLs still work. Otherwise any
 * free port of 127.0.0.1.
 */
export async function freePort(dataDir: string): Promise<number> {
  const remembered = recall(join(dataDir, 'postgres-port'))
  return (remembered && (await listenable(remembered))) || (await listenable(0))!
}

export function rememberPort(dataDir: string, port: number): void {
  writeFileSync(join(dataDir, 'postgres-port'), `${port}\n`, { mode: 0o600 })
}

function recall(path: string): number | undefined {
  try {
    const port = Number(readFileSync(path, 'utf8'))
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined
  } catch {
    return undefined
  }
}

function listenable(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })
}
