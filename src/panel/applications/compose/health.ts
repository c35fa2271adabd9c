/** Health checks of Compose files. */
import { z } from 'zod'
import type { ReleaseHealth } from '../../../tasks/releases.ts'
import { argv } from '../input.ts'
import { seconds } from './forms.ts'
import { issue } from './refusals.ts'

const SECONDS_MAX = 600
/** Where the file says nothing. */
const USUAL = { interval: 2, timeout: 5, start_period: 0, retries: 12 }

/** By the shell of the container, as `CMD-SHELL`. */
const inShell = (text: string): string[] => ['/bin/sh', '-c', text]

/** Null: no check. */
const test = z.union([
  z.string().min(1).max(4_096).transform(inShell),
  argv.transform(([first, ...words], context) => {
    if (first === 'NONE' && words.length === 0) return null
    if (first === 'CMD-SHELL' && words.length === 1) return inShell(words[0]!)
    if (first === 'CMD' && words.length > 0) return words
    return issue(context, 'FORM', 'must begin with CMD, CMD-SHELL or NONE')
  }),
])

const NO_CHECK = {
  path: null,
  command: null,
  intervalSeconds: USUAL.interval,
  timeoutSeconds: USUAL.timeout,
  startSeconds: 60,
  successes: 1,
} as const
export const UNCHECKED: ReleaseHealth = { ...NO_CHECK, kind: 'NONE' }
/** What the image itself says. */
export const BY_IMAGE: ReleaseHealth = { ...NO_CHECK, kind: 'IMAGE' }

const atLeastOne = (amount: number | undefined, usual: number): number => Math.max(1, Math.min(60, amount ?? usual))

export const health = z
  .strictObject({
    test: test.optional(),
    interval: seconds.optional(),
    timeout: seconds.optional(),
    start_period: seconds.optional(),
    start_interval: seconds.optional(),
    retries: z.int().min(0).max(1_000).default(USUAL.retries),
    disable: z.boolean().default(false),
  })
  .transform(({ test, interval, timeout, start_period = USUAL.start_period, retries, disable }): ReleaseHealth => {
    if (disable || test === null) return UNCHECKED
    const intervalSeconds = atLeastOne(interval, USUAL.interval)
    const timeoutSeconds = atLeastOne(timeout, USUAL.timeout)
    // As many checks may fail as the file says, from its start on.
    const startSeconds = Math.min(SECONDS_MAX, start_period + Math.max(1, retries) * (intervalSeconds + timeoutSeconds))
    const times = { intervalSeconds, timeoutSeconds, startSeconds, successes: 1, path: null }
    return test === undefined
      ? { ...times, kind: 'IMAGE', command: null }
      : { ...times, kind: 'COMMAND', command: test }
  })
