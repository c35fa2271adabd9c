import { id, integer, key, nullable, oneOf, readModel, text, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { taskEvents } from '#panel/agent/events'

const columns = {
  id: key,
  serverId: id,
  projectId: nullable(id),
  kind: text,
  kindVersion: integer,
  lane: nullable(text),
  /** JSON. */
  payload: text,
  causeType: text,
  causeId: text,
  state: oneOf<'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'EXPIRED'>(),
  attempt: integer,
  notBefore: nullable(timestamptz),
  /** JSON. */
  result: nullable(text),
  errorCode: nullable(text),
  errorMessage: nullable(text),
  /** Its place among the tasks of the server: two of one request have the same time. */
  queuedAt: integer,
  createdAt: timestamptz,
  startedAt: nullable(timestamptz),
  endedAt: nullable(timestamptz),
  expiresAt: timestamptz,
}

export type TaskRow = RowOf<typeof columns>

const indexes = [
  '(server_id, queued_at) WHERE ended_at IS NULL',
  '(expires_at) WHERE ended_at IS NULL',
  "(server_id, lane, queued_at DESC) WHERE kind = 'plan.apply'",
  '(cause_id, queued_at)',
]

export const taskTable = readModel('tasks', 2, columns, indexes).from(taskEvents, {
  TaskQueued: (table, { taskId, ...task }, { at, position }) =>
    table.insert({
      ...task,
      id: taskId,
      state: 'QUEUED',
      attempt: 0,
      notBefore: null,
      result: null,
      errorCode: null,
      errorMessage: null,
      queuedAt: position,
      createdAt: at,
      startedAt: null,
      endedAt: null,
    }),
  TaskStarted: (table, { taskId, attempt }, { at }) =>
    table.update({ id: taskId }, { state: 'RUNNING', attempt, notBefore: null, startedAt: at }),
  TaskRetried: (table, { taskId, notBefore }) => table.update({ id: taskId }, { state: 'QUEUED', notBefore }),
  TaskCancelRequested: (table, { taskId }) => table.update({ id: taskId }, { state: 'CANCELLING' }),
  TaskSucceeded: (table, { taskId, attempt, result }, { at }) =>
    table.update({ id: taskId }, { state: 'SUCCEEDED', attempt, result, endedAt: at }),
  TaskFailed: (table, { taskId, attempt, code, message }, { at }) =>
    table.update({ id: taskId }, { state: 'FAILED', attempt, errorCode: code, errorMessage: message, endedAt: at }),
  TaskCancelled: (table, { taskId }, { at }) => table.update({ id: taskId }, { state: 'CANCELLED', endedAt: at }),
  TaskExpired: (table, { taskId }, { at }) => table.update({ id: taskId }, { state: 'EXPIRED', endedAt: at }),
})
