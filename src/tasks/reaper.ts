/** Finding and removing what a panel has left on a host. */
import { z } from 'zod'
import { askKind, taskKind } from './kind.ts'

export const LEFT_KINDS = ['CONTAINER', 'NETWORK', 'IMAGE', 'VOLUME'] as const
/** Volumes hold data: they are listed and never removed. */
export const REAPED_KINDS = ['CONTAINER', 'NETWORK', 'IMAGE'] as const

/** What is younger may be in the making. By the clock of the host, which made it. */
export const AGE_SECONDS_MIN = 3_600
export const INVENTORY_ITEMS_MAX = 2_000
export const REAPED_AT_ONCE_MAX = 400

export const LABEL_MAX = 200
export const NAME_MAX = 300

/** A longer one is none. */
const label = z.string().max(LABEL_MAX).nullable()
const installation = z.string().min(1).max(100)

/** The engine's id of a container, a network or an image, and the name of a volume. */
const engineId = z.string().regex(/^(?:sha256:[0-9a-f]{64}|[0-9a-f]{64}|[A-Za-z0-9][A-Za-z0-9_.-]{0,254})$/)

export const LeftItem = z.strictObject({
  kind: z.enum(LEFT_KINDS),
  id: engineId,
  name: z.string().max(NAME_MAX),
  /** Null: the host does not know it. */
  ageSeconds: z.int().min(0).nullable(),
  bytes: z.int().min(0).nullable(),
  /** The labels of the same names. */
  task: label,
  workload: label,
  project: label,
})
export type LeftItem = z.output<typeof LeftItem>

/** All objects that an installation has made on the host. */
export const inventory = askKind('inventory', 1, {
  params: z.strictObject({ installation }),
  answer: z.strictObject({
    items: z.array(LeftItem).max(INVENTORY_ITEMS_MAX),
    /** Whether there are more. */
    isCut: z.boolean(),
  }),
  needs: ['engine'],
  waitMs: 10_000,
})

const ReapItem = z.strictObject({ kind: z.enum(REAPED_KINDS), id: engineId, workload: label })
export type ReapItem = z.output<typeof ReapItem>

/**
 * GONE: it is not there. OTHERS: another installation, or none, has made it. WORKLOAD: it belongs to another workload than
 * the scan saw. YOUNG: it may be in the making. IN_USE: the engine refuses it.
 */
export const KEPT_WHY = ['GONE', 'OTHERS', 'WORKLOAD', 'YOUNG', 'IN_USE'] as const
export type KeptWhy = (typeof KEPT_WHY)[number]

const HOUR_MS = 3_600_000
const HALF_HOUR_MS = HOUR_MS / 2

export const reaperReap = taskKind('reaper.reap', 1, {
  payload: z.strictObject({
    installation,
    items: z.array(ReapItem).max(REAPED_AT_ONCE_MAX),
    pruneBuildCache: z.boolean(),
    truncateLogs: z.boolean(),
  }),
  result: z.strictObject({
    removed: z.int(),
    kept: z.array(z.strictObject({ id: engineId, why: z.enum(KEPT_WHY) })).max(REAPED_AT_ONCE_MAX),
    bytes: z.int().min(0),
  }),
  lane: () => 'reaper',
  pool: 'io',
  needs: ['engine'],
  deadlineMs: HOUR_MS,
  runMs: () => HALF_HOUR_MS,
  attempts: 3,
  retryOn: ['ENGINE_DOWN'],
  onRestart: 'repeat',
  shows: ['removed', 'bytes'],
})
