/** A scan asks each source of jobs, also when another one fails. */
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { scanDueJobs } from '#kernel/jobs/due-job-scanner'
import type { JobScannerDependencies } from '#kernel/jobs/due-job-scanner'
import type { QueuedJob } from '#kernel/jobs/queue'
import { timer } from '#kernel/jobs/timer'
import { manualClock } from '#kernel/lib/clock'

const NOW = new Date('2027-01-01T00:00:00Z')
const due = timer('ring', { due: async () => [{ key: 'bell', at: NOW }], run: async () => {} })
const broken = timer('break', { due: () => Promise.reject(new Error('no rows')), run: async () => {} })

/** @param failing part of the statement that fails */
async function scanned(failing: string) {
  const [enqueued, errors]: [QueuedJob[], string[]] = [[], []]
  const query = async (text: string) => {
    if (text.includes(failing)) throw new Error('canceled')
    return { rows: [] }
  }
  await scanDueJobs({
    reactions: [],
    timers: [broken, due],
    read: {} as JobScannerDependencies['read'],
    pool: { query } as unknown as Pool,
    clock: manualClock(NOW),
    enqueue: async (jobs) => void enqueued.push(...jobs),
    onError: (_error, name) => errors.push(name),
  })
  return { enqueued: enqueued.map(({ name }) => name), errors }
}

test.each([
  ['the other timers', 'nothing', ['break']],
  ['the reactions', 'FROM telemetry.work_pending', ['reactions', 'break']],
  ['the figures', 'INTO telemetry.work_look', ['break', 'the figures']],
])('a timer is asked although %s failed', async (_what, failing, errors) => {
  expect(await scanned(failing)).toEqual({ enqueued: ['ring'], errors })
})
