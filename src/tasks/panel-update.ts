/** Puts the image of another version in the place of the panel's own container. */
import { z } from 'zod'
import { ContainerId, Sha256 } from './engine.ts'
import { taskKind } from './kind.ts'

const HOUR_MS = 3_600_000
const RUN_MS = 1_800_000

export const PanelReplaced = z.strictObject({
  /** READY: the new version serves. START, READINESS: where it ended. */
  step: z.enum(['START', 'READINESS', 'READY']),
  /** Whether the former container serves again. */
  rolledBack: z.boolean(),
})
export type PanelReplaced = z.output<typeof PanelReplaced>

/** Its transfer brings the file of the image, as `docker save` writes it. */
export const panelUpdate = taskKind('panel.update', 1, {
  payload: z.strictObject({
    version: z.string().max(64),
    /** Of the file. */
    sha256: Sha256,
    /** The panel's own. */
    containerId: ContainerId,
  }),
  result: PanelReplaced,
  lane: () => 'panel',
  pool: 'io',
  needs: ['engine'],
  deadlineMs: 2 * HOUR_MS,
  runMs: () => RUN_MS,
  attempts: 1,
  retryOn: [],
  onRestart: 'adopt',
  shows: ['version', 'step', 'rolledBack'],
})
