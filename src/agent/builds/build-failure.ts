/** Why a build has failed, with its last lines. Nothing is cut within a line, because half a secret is none that is found. */
import { TaskFailure } from '../performer.ts'

const REASON_MAX = 200
const LINES_MAX = 280

/** @param reason of the engine */
export function buildFailure(reason: string, lines: readonly string[]): TaskFailure {
  const [, code] = /(?:exit code: |returned a non-zero code: )(\d+)/.exec(reason) ?? []
  const short = reason.length <= REASON_MAX ? reason.trim() : 'The build failed: its log says why'
  const why = code === undefined ? short : `A step of the build ended with exit code ${code}`
  const last = lastOf(lines)
  return new TaskFailure('BUILD_FAILED', last.length === 0 ? why : `${why}: ${last.join(' | ')}`)
}

function lastOf(lines: readonly string[]): string[] {
  const kept: string[] = []
  let characters = 0
  for (const line of lines.map((each) => each.trim()).toReversed()) {
    characters += line.length + 3
    if (characters > LINES_MAX) break
    kept.unshift(line)
  }
  return kept
}

export const builderClassic = (): TaskFailure =>
  new TaskFailure(
    'BUILDER_CLASSIC',
    'The builds of this application have secrets or mounts, which need BuildKit: enable it in the container engine',
  )
