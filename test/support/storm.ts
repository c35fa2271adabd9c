/** Many calls at once, and the answer to each of them. */
import { expect } from 'vitest'

/** How long a request waits for a connection of the service's pool before it is answered 503. */
const CONNECTION_WITHIN_MS = 5_000

const TRIES_MAX = 10

/**
 * A client that is busy with a storm may send a body later than the service waits for it. Such a request is answered 408, has no effect,
 * and is repeated.
 */
export async function sentInTime<Reply extends { readonly status: number }>(ask: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await ask()
    if (reply.status !== 408 || tries === TRIES_MAX) return reply
  }
}

/** How many answers have each status. */
export const statusesOf = (answers: readonly { readonly status: number }[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]))

interface Answered {
  readonly status: number
  readonly headers: Headers
}

export interface Storm<Reply> {
  /** For each call, the first answer that is not 503. */
  readonly replies: readonly Reply[]
  /** The number of 503 answers. Such a request may have had its effect all the same. */
  readonly unavailable: number
}

/**
 * A call that is answered 503 is repeated, as Retry-After says. 503 is accepted only if the storm takes
 * longer than a request waits for a connection, as on a busy machine. A shorter storm must have none.
 */
export async function storm<Reply extends Answered>(
  calls: number,
  ask: (nth: number) => Promise<Reply>,
): Promise<Storm<Reply>> {
  const began = performance.now()
  const first = await Promise.all(Array.from({ length: calls }, (_none, nth) => sentInTime(() => ask(nth))))
  const tookMs = performance.now() - began
  let unavailable = 0
  const replies: Reply[] = []
  for (const nth of first.keys()) {
    let reply: Reply = first[nth]!
    for (; reply.status === 503; unavailable += 1) {
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/)
      reply = await sentInTime(() => ask(nth))
    }
    replies.push(reply)
  }
  if (unavailable > 0) expect(tookMs, `${unavailable} answers 503`).toBeGreaterThan(CONNECTION_WITHIN_MS)
  return { replies, unavailable }
}

/** The accepted counts: this number, or one fewer for each 503 whose request had its effect all the same. */
export const exactly = (number: number, { unavailable }: Pick<Storm<unknown>, 'unavailable'>): readonly number[] =>
  Array.from({ length: 1 + Math.min(number, unavailable) }, (_none, fewer) => number - fewer)
