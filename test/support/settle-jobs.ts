/** Runs all due jobs at once, without a worker, a queue or a wait. */
import { scanDueJobs, reactionJob } from '#kernel/jobs/due-job-scanner'
import { runJob } from '#kernel/jobs/job-runner'
import type { JobRunnerDependencies } from '#kernel/jobs/job-runner'
import { jobId } from '#kernel/jobs/queue'
import type { QueuedJob } from '#kernel/jobs/queue'
import { notifyReactions } from '#kernel/jobs/reaction-subscriber'
import type { Mail } from '#kernel/mail/mail'
import type { Mailer } from '#kernel/mail/mailer'

const ROUNDS_MAX = 100

/**
 * @param catchUp brings the read models up to date. @throws what a reaction or a timer throws. @returns the
 * number of jobs
 */
export async function settle(
  parts: Omit<JobRunnerDependencies, 'enqueue'>,
  catchUp: () => Promise<void>,
): Promise<number> {
  const done = new Set<string>()
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    await catchUp()
    const found = new Map<string, QueuedJob>()
    const enqueue = async (wakeUps: readonly QueuedJob[]) => wakeUps.forEach((each) => found.set(jobId(each), each))
    const onPending = (
      pending: readonly { reaction: JobRunnerDependencies['reactions'][number]; position: number }[],
    ) => enqueue(pending.map(({ reaction, position }) => reactionJob(reaction, position)))
    const thrown: unknown[] = []
    await notifyReactions({ ...parts, onPending })
    await scanDueJobs({ ...parts, enqueue, onError: (error) => thrown.push(error) }, 0)
    if (thrown.length > 0) throw thrown[0]
    const left = [...found].filter(([id, { atMs }]) => !done.has(id) && atMs <= parts.clock.now().getTime())
    if (left.length === 0) return done.size
    for (const [id, wakeUp] of left) {
      done.add(id)
      await runJob({ ...parts, enqueue: enqueue }, wakeUp, AbortSignal.timeout(60_000))
    }
  }
  throw new Error('What follows is followed by more, without an end')
}

/** A mailer that keeps the mails. */
export function outbox(): Mailer & { readonly mails: readonly (Mail & { readonly id: string })[] } {
  const mails: (Mail & { id: string })[] = []
  return { mails, send: async (mail, id) => void mails.push({ ...mail, id }) }
}
