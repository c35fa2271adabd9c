/** How much a server can hold, and how much of it is reserved. */
import type { z } from 'zod'
import { reject } from '#kernel/lib/rejection'
import type { capacityFields } from '../events.ts'
import type { reservedFields } from './events.ts'

export type Reservation = z.output<z.ZodObject<typeof reservedFields>>
type Capacity = z.output<z.ZodObject<typeof capacityFields>>

/** Sums over all workloads of a server. */
export interface LoadSums extends Reservation {
  readonly workloads: number
}

/** Null: no limit. */
export type LoadLimits = { readonly [Name in keyof LoadSums]: LoadSums[Name] | null }

/** The quota that administrators set, and what holds where a field of it is null. */
export interface ServerQuota {
  readonly own: LoadLimits
  readonly usual: LoadLimits
}

export const NO_LOAD: LoadSums = { workloads: 0, cpuMillis: 0, memoryMiB: 0, diskMiB: 0 }

/** Containers seldom use their CPU at the same time, so it may be reserved four times. */
const CPU_TIMES = 4
/** The host keeps this much memory for itself, or a tenth of it if that is more. */
const HOST_MEMORY_MIB_MIN = 512
const HOST_SHARE = 0.1

const NOTHING_FITS: Capacity = { cpuMillis: 0, memoryMiB: 0, diskMiB: 0 }

/** @param capacity undefined while no agent has told it */
export function usualLimits({ cpuMillis, memoryMiB, diskMiB }: Capacity = NOTHING_FITS): LoadLimits {
  const hostMemory = Math.max(HOST_MEMORY_MIB_MIN, Math.ceil(memoryMiB * HOST_SHARE))
  return {
    workloads: null,
    cpuMillis: cpuMillis * CPU_TIMES,
    memoryMiB: Math.max(0, memoryMiB - hostMemory),
    diskMiB: Math.floor(diskMiB * (1 - HOST_SHARE)),
  }
}

const FIELDS = ['workloads', 'cpuMillis', 'memoryMiB', 'diskMiB'] as const satisfies readonly (keyof LoadSums)[]
const WORDS: Readonly<Record<keyof LoadSums, string>> = {
  workloads: 'workloads',
  cpuMillis: 'CPU millis',
  memoryMiB: 'MiB of memory',
  diskMiB: 'MiB of disk',
}

const eachField = <Value>(of: (field: keyof LoadSums) => Value) =>
  Object.fromEntries(FIELDS.map((field) => [field, of(field)])) as { readonly [Name in keyof LoadSums]: Value }

export const limitsInEffect = ({ own, usual }: ServerQuota): LoadLimits =>
  eachField((field) => own[field] ?? usual[field])

/** Null: no limit. Not below zero, although a quota may shrink below what is reserved. */
export const freeOf = (limits: LoadLimits, sums: LoadSums): LoadLimits =>
  eachField((field) => {
    const limit = limits[field]
    return limit === null ? null : Math.max(0, limit - sums[field])
  })

/**
 * A sum that does not grow is never refused, so that a quota may shrink below what is there.
 * @throws Rejection 409 QUOTA_REACHED for a limit that was set · CAPACITY for a usual one
 */
export function mustFit(before: LoadSums, after: LoadSums, { own, usual }: ServerQuota): void {
  for (const field of FIELDS) {
    const limit = own[field] ?? usual[field]
    if (limit === null || after[field] <= limit || after[field] <= before[field]) continue
    const left = `${Math.max(0, limit - before[field])} of ${limit} ${WORDS[field]} are free`
    if (own[field] === null) reject('conflict', `It does not fit on this server: ${left}`, 'CAPACITY')
    reject('conflict', `The quota of this server allows no more: ${left}`, 'QUOTA_REACHED')
  }
}
