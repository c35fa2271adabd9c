/** The volumes of applications, as their servers have them now. */
import { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { volumesList } from '../../../tasks/engine.ts'
import { COPIED_VOLUMES_MAX } from '../../../tasks/volumes.ts'
import { ask } from '../../agent/asks.ts'
import { installationOf } from '../../agent/installation.ts'
import { contactsOf } from '../../servers/contacts.ts'
import { APPLICATION } from '../../workflows/applications.ts'

type Call = Parameters<typeof ask>[0] & Pick<HandlerContext, 'vault'>

interface OnServer {
  readonly id: string
  readonly serverId: string
}

/** Names of volumes by the id of their application. */
export type VolumesOf = ReadonlyMap<string, readonly string[]>

export const NO_VOLUMES: VolumesOf = new Map()

/** Those of its releases have the number 1. */
const NUMBER = /-1$/
const GIB = 1_024 ** 3
/** What stays free: two GiB, or a tenth of the disk. */
const FREE_BYTES_MIN = 2 * GIB
const FREE_SHARE_MIN = 0.1

/**
 * What copies of the applications take with them.
 * @throws Rejection 409 DISK_LOW | TOO_MANY, and as `ask`
 */
export async function volumesToCopy(call: Call, applications: readonly OnServer[]): Promise<VolumesOf> {
  const all = new Map<string, string[]>()
  for (const [serverId, there] of Map.groupBy(applications, (each) => each.serverId)) {
    const { items } = await ask(call, volumesList, serverId, { installation: await installationOf(call.vault) })
    const own = items.filter(({ name, workload }) => workload?.kind === APPLICATION && NUMBER.test(name))
    const copied = own.filter(({ workload }) => there.some(({ id }) => id === workload?.id))
    await mustHaveRoom(
      call,
      serverId,
      copied.reduce((sum, { size }) => sum + (size ?? 0), 0),
    )
    for (const { id } of there) all.set(id, namesFor(id, copied))
  }
  return all
}

interface Listed {
  readonly name: string
  readonly workload: { readonly id: string } | null
}

function namesFor(applicationId: string, volumes: readonly Listed[]): string[] {
  const names = volumes.filter(({ workload }) => workload?.id === applicationId).map(({ name }) => name)
  if (names.length > COPIED_VOLUMES_MAX)
    reject('conflict', `An application with more than ${COPIED_VOLUMES_MAX} volumes is not copied`, 'TOO_MANY')
  return names.toSorted()
}

const Disk = z.object({ diskBytes: z.number(), diskUsedBytes: z.number() })

/** As the newest beat of its agent says. The agent looks again at the disk of the engine. */
async function mustHaveRoom({ telemetry }: Call, serverId: string, bytes: number): Promise<void> {
  if (bytes === 0) return
  const told = Disk.safeParse((await contactsOf(telemetry, [serverId])).get(serverId)?.beat)
  if (!told.success) return
  const { diskBytes, diskUsedBytes } = told.data
  if (diskBytes - diskUsedBytes - bytes < Math.max(FREE_BYTES_MIN, diskBytes * FREE_SHARE_MIN))
    reject('conflict', 'Copies of the volumes would leave too little room on the disk of the server', 'DISK_LOW')
}
