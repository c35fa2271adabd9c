/** What an entry of a list shares with those beside it. */
import type { AuditEntry, Checkpoint } from './audit-entry.ts'

interface Knot {
  readonly place?: 'first' | 'inside'
  /** The number of entries, counted at the first one. */
  readonly size: number
}

/** Entries of one request hang together, such as the four of a provisioning. */
export function knotAt(nth: number, all: readonly AuditEntry[]): Knot {
  const { requestId } = all[nth]!
  const isSame = (other: number): boolean => requestId !== undefined && all[other]?.requestId === requestId
  if (isSame(nth - 1)) return { place: 'inside', size: 0 }
  let size = 1
  while (isSame(nth + size)) size += 1
  return size > 1 ? { place: 'first', size } : { size }
}

/** Whether the log has entries between this one and the next that the list does not show. */
export function isGapBelow(nth: number, all: readonly AuditEntry[]): boolean {
  const next = all[nth + 1]
  return next !== undefined && Math.abs(all[nth]!.position - next.position) > 1
}

/** @returns the checkpoint whose cover begins with this entry, in a list of the newest first */
export function sealAt(nth: number, all: readonly AuditEntry[]): Checkpoint | undefined {
  const { checkpoint, position } = all[nth]!
  const newer = all[nth - 1]
  if (!checkpoint || (newer && newer.position < position)) return undefined
  return newer?.checkpoint?.position === checkpoint.position ? undefined : checkpoint
}
