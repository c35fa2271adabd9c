/** Bounds how many streams of logs are open in this process. Each holds a socket and asks the database again and again. */
import { reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'

const OF_ACCOUNT_MAX = 10
const ALL_MAX = 1_000

/** By account. */
export const openLogStreams = serviceKey<Map<string, number>>('open streams of logs', new Map())

/** Given back when `ended` is aborted. @throws Rejection 429 TOO_MANY_STREAMS · 503 BUSY */
export function takeStreamPlace(open: Map<string, number>, accountId: string, ended: AbortSignal): void {
  const own = open.get(accountId) ?? 0
  const later = { 'Retry-After': '5' }
  if (own >= OF_ACCOUNT_MAX)
    reject(
      'tooMany',
      `You have ${own} streams of logs open already: close one and try again`,
      'TOO_MANY_STREAMS',
      later,
    )
  if ([...open.values()].reduce((sum, count) => sum + count, 0) >= ALL_MAX)
    reject('unavailable', 'Too many streams of logs are open: try again later', 'BUSY', later)
  if (ended.aborted) return
  open.set(accountId, own + 1)
  ended.addEventListener('abort', () => {
    const left = open.get(accountId)! - 1
    if (left === 0) open.delete(accountId)
    else open.set(accountId, left)
  })
}
