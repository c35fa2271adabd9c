/** Has everything done that follows, here and now: what a worker and its queue do, without either and without waiting. */
import type { Mail } from '#kernel/mail/mail'
import type { Mailer } from '#kernel/mail/mailer'
import { look, reactionWakeUp } from '#kernel/jobs/due-job-scanner'
import { perform } from '#kernel/jobs/job-runner'
import type { PerformingParts } from '#kernel/jobs/job-runner'
import { jobId } from '#kernel/jobs/queue'
import type { WakeUp } from '#kernel/jobs/queue'
import { tell } from '#kernel/jobs/reaction-subscriber'

const ROUNDS_MAX = 100

/** @param catchUp brings the read models up to date. @throws what a reaction or a timer throws. @returns how much was done */
export async function settle(parts: Omit<PerformingParts, 'wake'>, catchUp: () => Promise<void>): Promise<number> {
  const done = new Set<string>()
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    await catchUp()
    const found = new Map<string, WakeUp>()
    const enqueue = async (wakeUps: readonly WakeUp[]) => wakeUps.forEach((each) => found.set(jobId(each), each))
    const onPending = (pending: readonly { reaction: PerformingParts['reactions'][number]; position: number }[]) =>
      enqueue(pending.map(({ reaction, position }) => reactionWakeUp(reaction, position)))
    const thrown: unknown[] = []
    await tell({ ...parts, onPending })
    await look({ ...parts, enqueue, onError: (error) => thrown.push(error) }, 0)
    if (thrown.length > 0) throw thrown[0]
    const left = [...found].filter(([id, { atMs }]) => !done.has(id) && atMs <= parts.clock.now().getTime())
    if (left.length === 0) return done.size
    for (const [id, wakeUp] of left) {
      done.add(id)
      await perform({ ...parts, wake: enqueue }, wakeUp, AbortSignal.timeout(60_000))
    }
  }
  throw new Error('What follows is followed by more, without an end')
}

/** Keeps what it is given to send. */
export function outbox(): Mailer & { readonly mails: readonly (Mail & { readonly id: string })[] } {
  const mails: (Mail & { id: string })[] = []
  return { mails, send: async (mail, id) => void mails.push({ ...mail, id }) }
}
