/** Copies of volumes on one host. */
import { z } from 'zod'
import { uuid } from '#kernel/lib/uuid'
import { Sha256, VolumeName } from './engine.ts'
import { taskKind } from './kind.ts'
import { deployed, installation, laneOf } from './releases.ts'

const HOUR_MS = 3_600_000
export const COPIED_VOLUMES_MAX = 100

/**
 * The volumes of a workload are copied into new ones of another workload: bytes, owners, modes, times, and links. With
 * `pause`, the containers that use them stand still meanwhile, so that the copies are of one moment.
 * All copies are there and equal, or none is left.
 * Fails with DISK_LOW, NO_VOLUME; VOLUME_TAKEN: something else has the name; NOT_EQUAL: what was read again differs;
 * RESTARTING: a container that writes is started again and again.
 */
export const volumeCopy = taskKind('volume.copy', 1, {
  payload: z.strictObject({
    installation,
    from: deployed,
    to: deployed,
    /** Of the other workload. */
    projectId: uuid,
    environmentId: uuid,
    volumes: z
      .array(z.strictObject({ from: VolumeName, to: VolumeName }))
      .min(1)
      .max(COPIED_VOLUMES_MAX),
    pause: z.boolean(),
  }),
  result: z.strictObject({
    /** Of the archives of all, one after the other. */
    bytes: z.int().min(0),
    sha256: Sha256,
    /** How long the containers stood still. */
    pausedMs: z.int().min(0),
  }),
  // Nothing that uses the volumes is started, stopped or removed meanwhile.
  lane: ({ from }) => laneOf(from),
  pool: 'io',
  needs: ['engine'],
  deadlineMs: 2 * HOUR_MS,
  runMs: () => HOUR_MS,
  attempts: 3,
  retryOn: ['ENGINE_DOWN', 'INTERRUPTED'],
  onRestart: 'report',
  shows: ['volumes', 'bytes', 'sha256', 'pausedMs'],
})
