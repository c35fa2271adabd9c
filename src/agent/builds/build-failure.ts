/** Why a build has failed. Its output is in its log alone: who sees that it failed may not be one who reads logs. */
import { TaskFailure } from '../performer.ts'

const REASON_MAX = 200

/** @param reason of the engine */
export function buildFailure(reason: string): TaskFailure {
  const [, code] = /(?:exit code: |returned a non-zero code: )(\d+)/.exec(reason) ?? []
  const short = reason.length <= REASON_MAX ? reason.trim() : 'The build failed: its log says why'
  const why = code === undefined ? short : `A step of the build ended with exit code ${code}: its log says why`
  return new TaskFailure('BUILD_FAILED', why)
}

export const builderClassic = (): TaskFailure =>
  new TaskFailure(
    'BUILDER_CLASSIC',
    'The builds of this application have secrets or mounts, which need BuildKit: enable it in the container engine',
  )
