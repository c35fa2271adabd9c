import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { withoutKey } from '#kernel/lib/without-key'
import { serverLoadEvents } from './events.ts'
import { mustFit, NO_LOAD } from './rules.ts'
import type { LoadSums, Reservation, ServerQuota } from './rules.ts'

type Placed = DataOf<typeof serverLoadEvents.WorkloadPlaced>
type WorkloadRef = Placed['workload']
export type Workload = Omit<Placed, 'serverId'>

interface ServerLoad {
  readonly sums: LoadSums
  /** By kind and id. */
  readonly workloads: Readonly<Record<string, Workload>>
}

const EMPTY: ServerLoad = { sums: NO_LOAD, workloads: {} }

export const serverLoad = decider(serverLoadEvents, {
  initial: EMPTY,
  snapshot: { version: 1, everyEvents: 500, sealedFor: () => 'installation' },
  evolve: {
    WorkloadPlaced: (load, { serverId: _id, ...workload }) => withWorkload(load, workload),
    WorkloadResized: (load, { serverId: _id, ...change }) =>
      withWorkload(load, { ...workloadIn(load, change.workload)!, ...change }),
    WorkloadLifted: (load, { workload }) => withoutWorkload(load, workload),
  },
  commands: {
    Place: (load, { quota, ...ask }: Placed & { quota: ServerQuota }) => {
      const { serverId: _id, ...workload } = ask
      if (workloadIn(load, ask.workload)) reject('conflict', 'The server holds this workload already', 'ALREADY_PLACED')
      mustFit(load.sums, withWorkload(load, workload).sums, quota)
      return [serverLoadEvents.WorkloadPlaced(ask)]
    },
    Resize: (load, ask: { serverId: string; workload: WorkloadRef; quota: ServerQuota } & Reservation) => {
      const { quota, serverId, ...change } = ask
      const present = found(workloadIn(load, change.workload))
      if (sameSize(present, change)) return []
      mustFit(load.sums, withWorkload(load, { ...present, ...change }).sums, quota)
      return [serverLoadEvents.WorkloadResized({ serverId, ...change })]
    },
    /** What it needs no more. It never grows by that, and nothing happens if it is not there. */
    GiveBack: (load, { serverId, ...ask }: { serverId: string; workload: WorkloadRef } & Reservation) => {
      const present = workloadIn(load, ask.workload)
      if (!present) return []
      const change = {
        workload: ask.workload,
        cpuMillis: Math.min(present.cpuMillis, ask.cpuMillis),
        memoryMiB: Math.min(present.memoryMiB, ask.memoryMiB),
        diskMiB: Math.min(present.diskMiB, ask.diskMiB),
      }
      return sameSize(present, change) ? [] : [serverLoadEvents.WorkloadResized({ serverId, ...change })]
    },
    /** It goes on as it is, for another project: nothing more is reserved. @throws Rejection 404 */
    HandOver: (load, { serverId, workload, projectId }: Pick<Placed, 'serverId' | 'workload' | 'projectId'>) => {
      const present = found(workloadIn(load, workload))
      return [
        serverLoadEvents.WorkloadLifted({ serverId, workload, projectId: present.projectId }),
        serverLoadEvents.WorkloadPlaced({ ...present, serverId, projectId }),
      ]
    },
    /** Nothing happens if it is not there. */
    Lift: (load, { serverId, workload }: { serverId: string; workload: WorkloadRef }) => {
      const present = workloadIn(load, workload)
      return present ? [serverLoadEvents.WorkloadLifted({ serverId, workload, projectId: present.projectId })] : []
    },
    /** Before the server is removed. */
    MustBeEmpty: (load, _ask: object) => {
      const kinds = Map.groupBy(Object.values(load.workloads), ({ workload: { kind } }) => kind)
      const counts = [...kinds].map(([kind, all]) => `${all.length} ${kind}`).toSorted()
      if (counts.length > 0)
        reject('conflict', `The server is in use (${counts.join(', ')}): delete or move that first`, 'IN_USE')
      return []
    },
  },
})

const keyOf = ({ kind, id }: WorkloadRef): string => `${kind}/${id}`

const workloadIn = ({ workloads }: ServerLoad, workload: WorkloadRef): Workload | undefined =>
  workloads[keyOf(workload)]

const sameSize = (one: Reservation, other: Reservation): boolean =>
  one.cpuMillis === other.cpuMillis && one.memoryMiB === other.memoryMiB && one.diskMiB === other.diskMiB

function withWorkload(load: ServerLoad, workload: Workload): ServerLoad {
  const { sums, workloads } = withoutWorkload(load, workload.workload)
  return { sums: added(sums, workload, 1), workloads: { ...workloads, [keyOf(workload.workload)]: workload } }
}

function withoutWorkload(load: ServerLoad, workload: WorkloadRef): ServerLoad {
  const present = workloadIn(load, workload)
  if (!present) return load
  return { sums: added(load.sums, present, -1), workloads: withoutKey(load.workloads, keyOf(workload)) }
}

const added = (sums: LoadSums, { cpuMillis, memoryMiB, diskMiB }: Reservation, times: 1 | -1): LoadSums => ({
  workloads: sums.workloads + times,
  cpuMillis: sums.cpuMillis + times * cpuMillis,
  memoryMiB: sums.memoryMiB + times * memoryMiB,
  diskMiB: sums.diskMiB + times * diskMiB,
})
