/** A task as callers see it. */
import { z } from 'zod'
import type { TaskRow } from '#projections/panel/agent'
import type { TaskKind } from '../../tasks/kind.ts'
import { LogLine, TASK_STATES } from '../../tasks/protocol.ts'
import type { ReadLog } from './task-log.ts'

const moment = z.iso.datetime()
const contents = z.record(z.string(), z.json())

export const TaskView = z
  .object({
    id: z.uuid(),
    serverId: z.uuid(),
    projectId: z.uuid().nullable(),
    kind: z.string(),
    state: z.enum(TASK_STATES),
    attempt: z.int(),
    cause: z.object({ type: z.string(), id: z.string() }),
    createdAt: moment,
    startedAt: moment.nullable(),
    endedAt: moment.nullable(),
    expiresAt: moment,
    percent: z.number().nullable(),
    payload: contents.nullable(),
    result: contents.nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    log: z.object({ lines: z.array(z.object(LogLine.shape)), next: z.int(), cut: z.int() }).nullable(),
  })
  .meta({ id: 'Task' })

export interface TaskSight {
  /** All of payload and result, not only what the kind shows to all. */
  readonly contents: boolean
  readonly log: boolean
}

type Contents = z.output<typeof contents>

function shownOf(text: string | null, sight: TaskSight, shows: readonly string[]): Contents | null {
  if (text === null) return null
  const all = JSON.parse(text) as Contents
  if (sight.contents) return all
  const shown = Object.entries(all).filter(([name]) => shows.includes(name))
  return shown.length === 0 ? null : Object.fromEntries(shown)
}

/** @param after the last line that the caller has */
export function taskView(
  row: TaskRow,
  kind: TaskKind | undefined,
  { lines, cut, percent }: ReadLog,
  sight: TaskSight,
  after: number,
): z.input<typeof TaskView> {
  const { payload, result, causeType, causeId, errorCode, errorMessage, ...rest } = row
  const shows = kind?.shows ?? []
  return {
    ...rest,
    percent,
    cause: { type: causeType, id: causeId },
    payload: shownOf(payload, sight, shows),
    result: shownOf(result, sight, shows),
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    log: sight.log ? { lines, next: lines.at(-1)?.seq ?? after, cut } : null,
  }
}
