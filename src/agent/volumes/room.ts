/** Whether the engine has room for copies of volumes. */
import { statfs } from 'node:fs/promises'
import { z } from 'zod'
import type { AskEngine } from '../engine/ask-engine.ts'
import { TaskFailure } from '../performer.ts'

const GIB = 1_024 ** 3
/** What stays free: two GiB, or a tenth of the disk. */
const FREE_BYTES_MIN = 2 * GIB
const FREE_SHARE_MIN = 0.1

const Info = z.object({ DockerRootDir: z.string() })
const Usage = z.object({
  Volumes: z.array(z.object({ Name: z.string(), UsageData: z.object({ Size: z.number() }).nullish() })).nullish(),
})

/** What an agent cannot see refuses nothing. @throws TaskFailure DISK_LOW */
export async function mustHaveRoom(ask: AskEngine, volumes: readonly string[]): Promise<void> {
  const { DockerRootDir: root } = Info.parse((await ask('GET', '/info')).body)
  const disk = await statfs(root).catch(() => undefined)
  if (!disk) return
  const { Volumes: all } = Usage.parse((await ask('GET', '/system/df')).body)
  const sizes = (all ?? []).filter(({ Name }) => volumes.includes(Name)).map(({ UsageData }) => UsageData?.Size ?? 0)
  const needed = sizes.reduce((sum, size) => sum + Math.max(0, size), 0)
  const left = disk.bavail * disk.bsize - needed
  if (left < Math.max(FREE_BYTES_MIN, disk.blocks * disk.bsize * FREE_SHARE_MIN))
    throw new TaskFailure('DISK_LOW', `Copies of ${needed} bytes would leave too little room on the disk of the server`)
}
