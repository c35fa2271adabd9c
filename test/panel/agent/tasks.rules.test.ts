/** The states of a task, one by one. */
import { describe, expect, test } from 'vitest'
import { tasks } from '#panel/agent/decider'
import { taskEvents } from '#panel/agent/events'
import { AT, given } from '#test/support/decider-spec'

const about = {
  taskId: '01890000-0000-7000-8000-000000000001',
  serverId: '01890000-0000-7000-8000-00000000000a',
  projectId: null,
}
const run = '01890000-0000-7000-8000-00000000000b'
const after = (ms: number) => new Date(AT.getTime() + ms)
const HOUR_MS = 3_600_000
const asked = {
  ...about,
  kind: 'test.echo',
  kindVersion: 1,
  lane: null,
  payload: '{"text":"hello"}',
  causeType: 'test',
  causeId: '1',
  expiresAt: after(HOUR_MS).toISOString(),
}
const retry = { attempts: 3, retryOn: ['TRY_AGAIN'] }
const never = { attempts: 1, retryOn: [] }
const known = { run, isKnown: true }

const queued = taskEvents.TaskQueued(asked)
const started = (attempt = 1) => taskEvents.TaskStarted({ ...about, attempt, run })
const retried = taskEvents.TaskRetried({
  ...about,
  attempt: 1,
  code: 'TRY_AGAIN',
  notBefore: after(2_000).toISOString(),
})
const cancelling = taskEvents.TaskCancelRequested(about)
const success = { outcome: 'SUCCEEDED', attempt: 1, result: '{}' } as const
const failure = { outcome: 'FAILED', attempt: 1, code: 'TRY_AGAIN', message: 'Try again' } as const
const succeeded = taskEvents.TaskSucceeded({ ...about, attempt: 1, result: '{}' })
const failed = taskEvents.TaskFailed({ ...about, attempt: 1, code: 'TRY_AGAIN', message: 'Try again' })
const cancelled = (attempt: number) => taskEvents.TaskCancelled({ ...about, attempt })
const expired = taskEvents.TaskExpired(about)

test('a task is queued once, whatever a second request says', () => {
  given(tasks).when('Queue', asked).then([queued])
  given(tasks, [queued])
    .when('Queue', { ...asked, payload: '{}' })
    .then([])
  given(tasks, [queued, started(), succeeded]).when('Queue', asked).then([])
})

describe('hand-out', () => {
  test('starts an attempt once, and hands out what runs again', () => {
    given(tasks, [queued]).when('HandOut', known).then([started()])
    given(tasks, [queued, started()]).when('HandOut', known).then([])
    given(tasks, [queued, started(), cancelling]).when('HandOut', known).then([])
  })

  test('waits before another attempt, and counts it', () => {
    const again = given(tasks, [queued, started(), retried])
    again.when('HandOut', known, { at: after(1_999) }).then([])
    again.when('HandOut', known, { at: after(2_000) }).then([started(2)])
  })

  test('fails a kind that the agent does not know, and starts nothing after its time', () => {
    const old = given(tasks, [queued]).when('HandOut', { run, isKnown: false }).events()
    expect(old).toMatchObject([{ type: 'TaskFailed', data: { attempt: 0, code: 'AGENT_TOO_OLD' } }])
    given(tasks, [queued])
      .when('HandOut', known, { at: after(HOUR_MS + 1) })
      .then([expired])
    given(tasks, [queued, started()])
      .when('HandOut', known, { at: after(HOUR_MS + 1) })
      .then([expired])
    given(tasks, [queued, started()]).when('HandOut', { run, isKnown: false }).then([])
  })

  test('hands out nothing that is over or unknown', () => {
    for (const events of [[], [queued, started(), succeeded], [queued, cancelled(0)], [queued, expired]])
      given(tasks, events).when('HandOut', known).then([])
  })
})

describe('cancel', () => {
  test('ends what is queued at once, and asks for the end of what runs, once', () => {
    given(tasks, [queued])
      .when('Cancel', {})
      .then([cancelled(0)])
    given(tasks, [queued, started(), retried])
      .when('Cancel', {})
      .then([cancelled(1)])
    given(tasks, [queued, started()]).when('Cancel', {}).then([cancelling])
    given(tasks, [queued, started(), cancelling]).when('Cancel', {}).then([])
    given(tasks, [queued, started(), succeeded]).when('Cancel', {}).then([])
    given(tasks).when('Cancel', {}).then([])
  })

  test('what was asked to stop may end in any way, and is not tried again', () => {
    const stopping = given(tasks, [queued, started(), cancelling])
    stopping.when('End', { outcome: 'CANCELLED', attempt: 1, retry }).then([cancelled(1)])
    stopping.when('End', { ...success, retry }).then([succeeded])
    stopping.when('End', { ...failure, retry }).then([failed])
  })
})

describe('the end that an agent tells', () => {
  test('is taken once, and answered the same when it is told again', () => {
    given(tasks, [queued, started()])
      .when('End', { ...success, retry: never })
      .then([succeeded])
    given(tasks, [queued, started(), succeeded])
      .when('End', { ...success, retry: never })
      .then([])
    given(tasks, [queued, started(), failed])
      .when('End', { ...failure, retry: never })
      .then([])
    given(tasks)
      .when('End', { ...success, retry: never })
      .then([])
  })

  test('ends a task that was not handed out yet: a restored panel has forgotten that', () => {
    given(tasks, [queued])
      .when('End', { ...success, retry: never })
      .then([succeeded])
  })

  test('is tried again only with such a code, and only so often', () => {
    given(tasks, [queued, started()])
      .when('End', { ...failure, retry })
      .then([retried])
    given(tasks, [queued, started()])
      .when('End', { ...failure, code: 'OTHER', retry })
      .then([taskEvents.TaskFailed({ ...about, attempt: 1, code: 'OTHER', message: 'Try again' })])
    given(tasks, [queued, started(), retried, started(2)])
      .when('End', { ...failure, attempt: 3, retry })
      .then([taskEvents.TaskFailed({ ...about, attempt: 3, code: 'TRY_AGAIN', message: 'Try again' })])
    given(tasks, [queued, started()])
      .when('End', { ...failure, retry: never })
      .then([failed])
  })

  test('of a failed attempt does not end the task when it is told again after the retry', () => {
    given(tasks, [queued, started(), retried])
      .when('End', { ...failure, retry })
      .then([])
    given(tasks, [queued, started(), retried, started(2)])
      .when('End', { ...failure, retry })
      .then([])
  })

  test('after the end is late, once', () => {
    const late = taskEvents.TaskEndedLate({ ...about, attempt: 1, outcome: 'SUCCEEDED' })
    for (const end of [expired, cancelled(1), failed]) {
      given(tasks, [queued, started(), end])
        .when('End', { ...success, retry })
        .then([late])
      given(tasks, [queued, started(), end, late])
        .when('End', { ...success, retry })
        .then([])
    }
  })

  test('is noted so often at most, whatever an agent tells of attempts', () => {
    const late = Array.from({ length: 20 }, (_none, nth) =>
      taskEvents.TaskEndedLate({ ...about, attempt: nth + 2, outcome: 'SUCCEEDED' }),
    )
    given(tasks, [queued, started(), failed, ...late])
      .when('End', { ...success, attempt: 99, retry })
      .then([])
  })
})

test('what nothing has taken expires at its time', () => {
  given(tasks, [queued])
    .when('Expire', {}, { at: after(HOUR_MS - 1) })
    .then([])
  given(tasks, [queued])
    .when('Expire', {}, { at: after(HOUR_MS) })
    .then([expired])
  given(tasks, [queued, started()])
    .when('Expire', {}, { at: after(HOUR_MS) })
    .then([])
  given(tasks, [queued, expired])
    .when('Expire', {}, { at: after(HOUR_MS) })
    .then([])
  given(tasks).when('Expire', {}).then([])
})

test('what no agent will tell the end of fails', () => {
  const why = { code: 'SERVER_REMOVED', message: 'The server was removed' }
  const gone = (attempt: number) => [taskEvents.TaskFailed({ ...about, attempt, ...why })]
  given(tasks, [queued]).when('Abandon', why).then(gone(0))
  given(tasks, [queued, started()]).when('Abandon', why).then(gone(1))
  given(tasks, [queued, started(), cancelling]).when('Abandon', why).then(gone(1))
  given(tasks, [queued, started(), succeeded]).when('Abandon', why).then([])
  given(tasks).when('Abandon', why).then([])
})
