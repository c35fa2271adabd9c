/** The container in which this process runs. */
import { readFile } from 'node:fs/promises'

/** An engine puts files of its own there, from a directory that has the id of the container. */
const OWN_FILES = ['/etc/hostname', '/etc/hosts', '/etc/resolv.conf']
const ID = /\/containers\/([0-9a-f]{64})\//

/** @param mounts as /proc/self/mountinfo has them. Source: proc(5) @returns undefined outside of a container */
export function containerIdIn(mounts: string): string | undefined {
  for (const line of mounts.split('\n')) {
    const [, , , root = '', mountPoint = ''] = line.split(' ')
    const id = OWN_FILES.includes(mountPoint) ? ID.exec(root)?.[1] : undefined
    if (id !== undefined) return id
  }
  return undefined
}

/** @returns undefined outside of a container, and where the system does not tell */
export const ownContainerId = async (): Promise<string | undefined> =>
  containerIdIn(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''))
