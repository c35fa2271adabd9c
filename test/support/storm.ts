/** Many calls at once, and what became of each of them. */
import { expect } from 'vitest'

/** How long a request waits for a connection of the service's pool before it is answered 503. */
const CONNECTION_WITHIN_MS = 5_000

interface Answered {
  readonly status: number
  readonly headers: Headers
}

export interface Storm<Reply> {
  /** Of each call, the first that is not 503. */
  readonly replies: readonly Reply[]
  /** How often 503 was answered: what was asked then may have happened all the same. */
  readonly unavailable: number
}

/**
 * Whoever is answered 503 asks again, as Retry-After says. That is excused on a machine that is so busy that the storm takes longer than
 * anybody waits for a connection; a storm that is over sooner has none.
 */
export async function storm<Reply extends Answered>(
  calls: number,
  ask: (nth: number) => Promise<Reply>,
): Promise<Storm<Reply>> {
  const began = performance.now()
  const first = await Promise.all(Array.from({ length: calls }, (_none, nth) => ask(nth)))
  const tookMs = performance.now() - began
  let unavailable = 0
  const replies: Reply[] = []
  for (const nth of first.keys()) {
    let reply: Reply = first[nth]!
    for (; reply.status === 503; unavailable += 1) {
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/)
      reply = await ask(nth)
    }
    replies.push(reply)
  }
  if (unavailable > 0) expect(tookMs, `${unavailable} answers 503`).toBeGreaterThan(CONNECTION_WITHIN_MS)
  return { replies, unavailable }
}

/** Exactly one, but for one whose answer was 503 and that happened all the same. */
export const exactly = (number: number, { unavailable }: Pick<Storm<unknown>, 'unavailable'>): readonly number[] =>
  Array.from({ length: 1 + Math.min(number, unavailable) }, (_none, fewer) => number - fewer)
