/** The rules of an operation, and what one declaration makes. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sealed } from '#kernel/events/event'
import { operation } from '#kernel/resource/operation'
import { operationTable } from '#kernel/resource/operation-table'
import { AT, given } from '#test/support/decider-spec'

const [ID, OTHER, HOUSE] = [1, 2, 3].map((nth) => `01890000-0000-7000-8000-00000000000${nth}`) as [
  string,
  string,
  string,
]
const MINUTE_MS = 60_000

const paintJobs = operation('PaintJob', {
  of: { houseId: z.uuid() },
  stream: 'paintJobs',
  fields: { colour: sealed(z.string()) },
  result: { litres: z.int(), remark: sealed(z.string().nullable()) },
  timeoutSeconds: 60,
  sealedFor: ({ houseId }) => `house/${houseId}`,
})
const [Requested, Started, Finished, Failed] = paintJobs.stream.types
const about = { paintJobId: ID, houseId: HOUSE }
const result = { litres: 3, remark: null }
const requested = Requested({ ...about, colour: 'green' })
const started = Started(about)
const finished = Finished({ ...about, ...result })
const failed = Failed({ ...about, code: 'DRY', message: 'No paint is left: buy some' })
const timedOut = Failed({ ...about, code: 'TIMEOUT', message: 'The operation did not end in time: try again' })

test('the names of events, audit entries, columns and seals follow from the noun and the fields', () => {
  const types = paintJobs.stream.types
  expect(types.map(({ type }) => type)).toEqual([
    'PaintJobRequested',
    'PaintJobStarted',
    'PaintJobFinished',
    'PaintJobFailed',
  ])
  expect(types.map(({ action }) => action)).toEqual([
    'paint_job.requested',
    'paint_job.started',
    'paint_job.finished',
    'paint_job.failed',
  ])
  expect([Requested.sentence(requested.data), Failed.sentence(failed.data)]).toEqual([
    `requested paint job ${ID} of house ${HOUSE}`,
    `failed paint job ${ID} of house ${HOUSE} with DRY`,
  ])
  expect(types.map(({ sealedFields }) => sealedFields)).toEqual([['colour'], [], ['remark'], []])
  expect(Requested.options.sealedFor!(requested.data)).toBe(`house/${HOUSE}`)
  expect(paintJobs.snapshot!.sealedFor(HOUSE)).toBe(`house/${HOUSE}`)
  const { table, columns } = operationTable(paintJobs)
  expect(table).toBe('paint_jobs')
  expect(Object.entries(columns).map(([name, { sql, sealed }]) => [name, sql, sealed?.field])).toEqual([
    ['id', 'uuid NOT NULL', undefined],
    ['houseId', 'uuid NOT NULL', undefined],
    ['colour', 'text NOT NULL', 'colour'],
    ['status', 'text COLLATE "C" NOT NULL', undefined],
    ['createdAt', 'timestamptz NOT NULL', undefined],
    ['startedAt', 'timestamptz', undefined],
    ['finishedAt', 'timestamptz', undefined],
    ['errorCode', 'text COLLATE "C"', undefined],
    ['errorMessage', 'text COLLATE "C"', undefined],
    ['litres', 'bigint', undefined],
    ['remark', 'text', 'remark'],
  ])
})

test.each(['id', 'status', 'houseId', 'litres'])('a field may not have the name %s of another value', (name) => {
  const declared = { of: { houseId: z.uuid() }, result: { litres: z.int() }, timeoutSeconds: 1, sealedFor: () => 'x' }
  expect(() => operation('PaintJob', { ...declared, stream: 'paintJobs', fields: { [name]: z.string() } })).toThrow(
    'Two values of PaintJob have the same name',
  )
})

test('an operation is requested, started and finished, and the next one may be requested', () => {
  given(paintJobs).when('Request', requested.data).then([requested])
  given(paintJobs, [requested]).when('Start', { id: ID }).then([started])
  given(paintJobs, [requested, started]).when('Finish', { id: ID, result }).then([finished])
  for (const end of [finished, failed])
    given(paintJobs, [requested, started, end]).when('Request', requested.data).then([requested])
})

test('a subject has one operation at a time', () => {
  const next = { ...requested.data, paintJobId: OTHER }
  for (const before of [[requested], [requested, started]])
    given(paintJobs, before)
      .when('Request', next)
      .refused(409, 'Another paint job of this house has not ended: wait for it')
})

test('an operation starts once and ends once', () => {
  given(paintJobs, [requested, started]).when('Start', { id: ID }).then([])
  for (const end of [finished, failed]) {
    const ended = given(paintJobs, [requested, started, end])
    ended.when('Start', { id: ID }).then([])
    ended.when('Finish', { id: ID, result }).then([])
    ended.when('Fail', { id: ID, code: 'DRY', message: 'late' }).then([])
    ended.when('TimeOut', { id: ID }, { at: new Date(AT.getTime() + MINUTE_MS) }).then([])
  }
})

test('an operation finishes after its start only, and may fail before', () => {
  given(paintJobs, [requested]).when('Finish', { id: ID, result }).then([])
  const { code, message } = failed.data
  for (const before of [[requested], [requested, started]])
    given(paintJobs, before).when('Fail', { id: ID, code, message }).then([failed])
})

test('commands about another operation than the current one decide nothing', () => {
  const current = given(paintJobs, [requested, started])
  current.when('Start', { id: OTHER }).then([])
  current.when('Finish', { id: OTHER, result }).then([])
  current.when('Fail', { id: OTHER, code: 'DRY', message: 'other' }).then([])
  current.when('TimeOut', { id: OTHER }, { at: new Date(AT.getTime() + MINUTE_MS) }).then([])
  given(paintJobs, [Requested({ ...requested.data, paintJobId: OTHER })])
    .when('Start', { id: ID })
    .then([])
})

test('the time runs from the request and again from the start', () => {
  const startedAt = new Date(AT.getTime() + MINUTE_MS - 1)
  const after = (from: Date, ms: number) => ({ at: new Date(from.getTime() + ms) })
  const waiting = given(paintJobs, [requested])
  waiting.when('TimeOut', { id: ID }, after(AT, MINUTE_MS - 1)).then([])
  waiting.when('TimeOut', { id: ID }, after(AT, MINUTE_MS)).then([timedOut])
  const running = given(paintJobs, [requested, [started, startedAt]])
  running.when('TimeOut', { id: ID }, after(startedAt, MINUTE_MS - 1)).then([])
  running.when('TimeOut', { id: ID }, after(startedAt, MINUTE_MS)).then([timedOut])
})
