/** Empties the large logs of containers. The engine keeps them open and goes on at their new end. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { EngineCall } from '../engine-call.ts'

const LARGE_BYTES = 100 * 1_024 ** 2

const Info = z.object({ DockerRootDir: z.string() })
const Containers = z.array(z.object({ Id: z.string().regex(/^[0-9a-f]{64}$/) }))

/** @returns the bytes that were freed */
export async function truncateLargeLogs(call: EngineCall, signal: AbortSignal): Promise<number> {
  const { DockerRootDir: root } = Info.parse((await call('GET', '/info', signal)).body)
  const containers = Containers.parse((await call('GET', '/containers/json?all=true', signal)).body)
  let bytes = 0
  for (const { Id: id } of containers) {
    signal.throwIfAborted()
    bytes += await truncateLarge(join(root, 'containers', id, `${id}-json.log`))
  }
  return bytes
}

const NOT_A_FILE = ['ENOENT', 'ELOOP', 'EISDIR', 'ENXIO']

/** A link is not followed: what it names may be a file of the host. */
export async function truncateLarge(path: string, least = LARGE_BYTES): Promise<number> {
  const flags = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (NOT_A_FILE.includes(error.code ?? '')) return undefined
    throw error
  })
  if (!file) return 0
  try {
    const found = await file.stat()
    // A second name may be that of a file of the host.
    if (!found.isFile() || found.nlink !== 1 || found.size < least) return 0
    await file.truncate(0)
    return found.size
  } finally {
    await file.close()
  }
}
