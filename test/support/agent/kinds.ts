/** Kinds that no release has: what they do can be counted. */
import { z } from 'zod'
import { askKind, followKind, planKind, taskKind } from '../../../src/tasks/kind.ts'

const HOUR_MS = 3_600_000

const usual = { pool: 'quick', needs: [], lane: () => null, deadlineMs: HOUR_MS, runMs: () => 60_000 } as const

/** Its effect has the name of the task, so that a second one is found. */
export const echo = taskKind('test.echo', 1, {
  ...usual,
  payload: z.strictObject({ text: z.string().max(60_000), lane: z.string().optional() }),
  result: z.strictObject({ text: z.string() }),
  lane: ({ lane }) => lane ?? null,
  attempts: 3,
  retryOn: ['TRY_AGAIN'],
  onRestart: 'adopt',
  shows: ['text'],
})

/** Its effect has no name: done twice, it is there twice. */
export const append = taskKind('test.append', 1, {
  ...usual,
  payload: z.strictObject({ text: z.string() }),
  result: z.strictObject({}),
  attempts: 1,
  retryOn: [],
  onRestart: 'report',
  shows: [],
})

export const sleep = taskKind('test.sleep', 1, {
  ...usual,
  payload: z.strictObject({ ms: z.int().min(0) }),
  result: z.strictObject({}),
  runMs: ({ ms }) => ms + 1_000,
  attempts: 1,
  retryOn: [],
  onRestart: 'repeat',
  shows: [],
})

/** Says lines, a few at a time. After a kill it goes on after the last line that was kept. */
export const lines = taskKind('test.lines', 1, {
  ...usual,
  pool: 'io',
  payload: z.strictObject({ count: z.int().min(0), everyMs: z.int().min(0) }),
  result: z.strictObject({ count: z.int() }),
  attempts: 1,
  retryOn: [],
  onRestart: 'adopt',
  shows: ['count'],
})

/** Ends the agent's process in the middle, as often as it is asked to. */
export const crash = taskKind('test.crash', 1, {
  ...usual,
  payload: z.strictObject({ times: z.int().min(0) }),
  result: z.strictObject({ starts: z.int() }),
  attempts: 1,
  retryOn: [],
  onRestart: 'adopt',
  shows: [],
})

/** A read, which may take its time, fail, or answer much. */
export const look = askKind('test.look', 1, {
  params: z.strictObject({ at: z.string(), afterMs: z.int().min(0).optional() }),
  answer: z.strictObject({ seen: z.string(), secrets: z.json() }),
  needs: [],
  waitMs: 2_000,
})

/** A plan that a file shows. */
export const sign = planKind('test.sign', 1, {
  body: z.strictObject({ text: z.string() }),
  result: z.strictObject({ length: z.int() }),
  needs: [],
  deadlineMs: HOUR_MS,
  runMs: 10_000,
})

const sent = z.strictObject({ bytes: z.int(), sha256: z.string() })

/** Uploads so many bytes, which are the same each time. */
export const send = taskKind('test.send', 1, {
  ...usual,
  pool: 'io',
  payload: z.strictObject({ bytes: z.int().min(0) }),
  result: sent,
  attempts: 1,
  retryOn: [],
  onRestart: 'repeat',
  shows: [],
})

/** Downloads what its transfer brings. */
export const take = taskKind('test.take', 1, {
  ...usual,
  pool: 'io',
  payload: z.strictObject({}),
  result: sent,
  attempts: 1,
  retryOn: [],
  onRestart: 'repeat',
  shows: [],
})

/** Its output is shown while it runs. */
export const shout = taskKind('test.shout', 1, {
  ...usual,
  pool: 'exec',
  payload: z.strictObject({ count: z.int().min(0), characters: z.int().min(1) }),
  result: z.strictObject({ heard: z.string() }),
  attempts: 1,
  retryOn: [],
  onRestart: 'report',
  shows: [],
  isLive: true,
})

/** Answers so many characters, and how many its secrets have. */
export const answerMuch = taskKind('test.much', 1, {
  ...usual,
  payload: z.strictObject({ characters: z.int().min(0) }),
  result: z.strictObject({ text: z.string(), heard: z.int() }),
  attempts: 1,
  retryOn: [],
  onRestart: 'repeat',
  shows: [],
})

/** Counts until its viewers leave, or to the end. */
export const count = followKind('test.count', 1, {
  params: z.strictObject({ to: z.int().min(0), everyMs: z.int().min(0), characters: z.int().min(1) }),
  needs: [],
})

export const TEST_KINDS = [echo, append, sleep, lines, crash, send, take, shout, answerMuch]
