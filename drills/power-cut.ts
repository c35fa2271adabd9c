import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { eventsTold } from './ledger.ts'
import { cluster, migrated, survivor } from './postgres.ts'
import { has, mount, noLoopDevices, noMounts, system } from './privileges.ts'
import { writers } from './writers.ts'
import type { Writers } from './writers.ts'

const INNER = '1G'
const OUTER = '3G'
const ACKNOWLEDGED_MIN = 10_000
const LOAD_MIN_MS = 5_000

/**
 * Promise D3. Postgres writes to an ext4 in a file. The cut is a copy of that file as the block device holds
 * it at this moment, so it lacks what only the page cache holds. Postgres is started on the copy.
 */
export const powerCut: Drill = {
  name: 'power-cut',
  does: `the power fails under load: only what the block device holds is left (${has('mkfs.xfs') ? 'XFS reflink' : 'copy while Postgres is stopped'})`,
  breaks: 'fsync = off',
  missing: () =>
    noDisks() &&
    `${noDisks()}; the nearest drill that runs is kill-postgres, which keeps what only the page cache holds`,
  async run({ directory, isQuick, isBroken }) {
    const volumes = disks(directory)
    const settings: Record<string, string> = isBroken ? { fsync: 'off' } : {}
    try {
      const postgres = await migrated(await cluster(volumes.home, settings))
      system('sync', '-f', volumes.home)
      const load = writers(postgres.url)
      await enough(load, isQuick ? 12_000 : 60_000)
      const before = new Set(load.acknowledged)
      if (!volumes.isReflinked) postgres.signal('SIGSTOP', 'all')
      const home = volumes.cut()
      await load.stop()
      if (!volumes.isReflinked) postgres.signal('SIGCONT', 'all')
      await postgres.kill()
      const left = await survivor(home)
      try {
        const told = await eventsTold(left.url, before)
        return { ...told, note: volumes.how }
      } finally {
        await left.stop()
      }
    } finally {
      volumes.remove()
    }
  },
}

/** Runs long enough for checkpoints and writes of the kernel. */
async function enough({ acknowledged }: Writers, withinMs: number): Promise<void> {
  const [least, most] = [performance.now() + LOAD_MIN_MS, performance.now() + withinMs]
  while (performance.now() < least || (acknowledged.size < ACKNOWLEDGED_MIN && performance.now() < most))
    await pause(50)
}

const noDisks = (): string | undefined => noMounts() ?? noLoopDevices()

interface Disks {
  /** The directory of the cluster. */
  readonly home: string
  readonly isReflinked: boolean
  readonly how: string
  /** @returns where the copy is mounted */
  cut(): string
  remove(): void
}

/** Without XFS the copy takes time, so Postgres is stopped meanwhile; the kernel may go on writing. */
function disks(directory: string): Disks {
  const isReflinked = has('mkfs.xfs')
  const [outer, disk, crash] = ['outer', 'disk', 'crash'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(outer, { mode: 0o711 })
  const unmounts: (() => void)[] = []
  const attach = (file: string, path: string) => void unmounts.push(mount(path, '-o', 'loop', file))
  if (isReflinked) {
    system('truncate', '-s', OUTER, `${outer}.img`)
    system('mkfs.xfs', '-q', '-m', 'reflink=1', `${outer}.img`)
    attach(`${outer}.img`, outer)
  }
  const [image, copy] = [join(outer, 'disk.img'), join(outer, 'crash.img')]
  system('truncate', '-s', INNER, image)
  system('mkfs.ext4', '-q', '-F', image)
  attach(image, disk)
  const home = join(disk, 'home')
  mkdirSync(home, { mode: 0o711 })
  return {
    home,
    isReflinked,
    how: isReflinked
      ? 'XFS reflink of the block device'
      : 'no mkfs.xfs: copy of the block device while Postgres was stopped',
    cut() {
      system('cp', ...(isReflinked ? ['--reflink=always'] : ['--sparse=always']), image, copy)
      attach(copy, crash)
      return join(crash, 'home')
    },
    remove() {
      for (const unmount of unmounts.toReversed()) unmount()
      rmSync(copy, { force: true })
    },
  }
}
