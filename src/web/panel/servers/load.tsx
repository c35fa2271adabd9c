/** What hosts use and what is reserved on them. Beats make no event, so it is read again at intervals. */
import { getAdminCapacity } from '#api-client/panel/capacity'
import type { ServerCapacity } from '#api-client/panel/schemas'
import { gibibytes, MIB } from '../../kit/bytes.ts'
import { useAnswerIf } from '../../session/context.tsx'

/** A beat of an agent comes about as often. */
export const BEAT_MS = 10_000

const CPU_MILLIS = 1_000
const NONE = <span className="soft">–</span>

/** By the id of the server. Empty for those who may not view servers. */
export function useLoads(): ReadonlyMap<string, ServerCapacity> {
  const { data } = useAnswerIf(true, getAdminCapacity, {}, () => true, BEAT_MS)
  const all = data && 'items' in data ? data.items : (data ?? [])
  return new Map(all.map((each) => [each.serverId, each]))
}

export const cpus = (millis: number): string => `${Number((millis / CPU_MILLIS).toFixed(2))} CPU`

export interface UsedPart {
  readonly label: string
  readonly text: string
  readonly percent: number
}

/** Undefined until the agent has told of its host. */
export function usedParts(load: ServerCapacity | undefined): readonly UsedPart[] | undefined {
  if (!load?.used || !load.capacity) return undefined
  const { used, capacity } = load
  const part = (label: string, usedMiB: number, ofMiB: number): UsedPart => ({
    label,
    text: `${gibibytes(usedMiB)} of ${gibibytes(ofMiB)}`,
    percent: ofMiB === 0 ? 0 : (usedMiB * 100) / ofMiB,
  })
  return [
    { label: 'CPU', text: `${Math.round(used.cpuPercent)} % of ${cpus(capacity.cpuMillis)}`, percent: used.cpuPercent },
    part('Memory', used.memoryUsedBytes / MIB, capacity.memoryMiB),
    part('Disk', used.diskUsedBytes / MIB, capacity.diskMiB),
  ]
}

interface UsedProps {
  readonly of: ServerCapacity | undefined
  readonly part: 'CPU' | 'Memory' | 'Disk'
}

/** One figure in a table. */
export function Used({ of, part }: UsedProps) {
  const used = usedParts(of)?.find(({ label }) => label === part)
  if (!used) return NONE
  return part === 'CPU' ? `${Math.round(used.percent)} %` : used.text
}
