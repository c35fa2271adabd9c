/** Load over HTTP: shops that order licenses and, if no answer arrives, repeat the order with the same reference. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Ledger } from './ledger.ts'
import { call, SLUG } from './site.ts'

const LANES = 16
/** Four orders each, so that repeated calls also compete for one address. */
const ORDERS_A_CUSTOMER = 4
const RETRY_MS = 50
/**
 * In ms. No request may hang for more than ten seconds, whatever the database does. On a busy machine timers
 * are late.
 */
const HANGING_MS = 12_000
const FINISH_WITHIN_MS = 60_000
const SILENT_AT_MOST_MS = 60_000

export interface Orders {
  readonly ledger: Ledger
  /** Answers by status, and `none` if the connection broke. */
  readonly answers: Record<string, number>
  /** The time of each acknowledgement, by performance.now(). */
  readonly at: number[]
  slowestMs(): number
  /** Takes no new orders; resolves when each earlier order has been acknowledged. */
  finish(): Promise<void>
  /** Sends every acknowledged order once more. */
  repeat(): Promise<void>
  /** A summary, and the broken promises. */
  note(): string
  broken(): string[]
}

/** @param port returns the current port of the service */
export function takeOrders(port: () => number, shop: string, lanes = LANES): Orders {
  const ledger = new Ledger()
  const answers: Record<string, number> = {}
  const at: number[] = []
  const run = randomUUID()
  let [next, slowest, finishing, givenUp] = [0, 0, false, 0]
  let until = Infinity

  async function acknowledged(reference: string, nth: number): Promise<boolean> {
    const body = { email: `c${Math.floor(nth / ORDERS_A_CUSTOMER)}@customer.test`, planSlug: SLUG, reference }
    const asked = performance.now()
    const reply = await call(port(), 'POST', '/api/admin/provisioning', shop, body).catch(() => undefined)
    slowest = Math.max(slowest, performance.now() - asked)
    const status = reply?.status ?? 'none'
    answers[status] = (answers[status] ?? 0) + 1
    if (reply?.status !== 200 && reply?.status !== 201) return false
    at.push(performance.now())
    ledger.note(reference, reply.body.license.keyId)
    return true
  }

  async function order(nth: number): Promise<void> {
    while (!(await acknowledged(`${run}-${nth}`, nth))) {
      if (performance.now() > until) return void (givenUp += 1)
      await pause(RETRY_MS)
    }
  }

  const lane = async (): Promise<void> => {
    while (!finishing) await order(next++)
  }
  const working = Promise.all(Array.from({ length: lanes }, lane))
  working.catch(() => {})

  return {
    ledger,
    answers,
    at,
    slowestMs: () => slowest,
    async finish() {
      finishing = true
      until = performance.now() + FINISH_WITHIN_MS
      await working
    },
    async repeat() {
      until = performance.now() + FINISH_WITHIN_MS
      const all = Array.from({ length: next }, (_, nth) => nth)
      const again = async () => {
        for (let nth = all.pop(); nth !== undefined; nth = all.pop()) await order(nth)
      }
      await Promise.all(Array.from({ length: lanes }, again))
    },
    note: () =>
      `answers ${Object.entries(answers)
        .map(([status, number]) => `${status}: ${number}`)
        .join(', ')}; slowest ${Math.round(slowest)} ms`,
    broken: () => [
      ...Object.keys(answers)
        .filter((status) => !['200', '201', '503', 'none'].includes(status))
        .map((status) => `${answers[status]} answers ${status}`),
      ...(givenUp > 0 ? [`${givenUp} orders were never acknowledged`] : []),
      ...(slowest > HANGING_MS ? [`a request hung for ${Math.round(slowest)} ms`] : []),
    ],
  }
}

/**
 * Waits for the first acknowledgement after the fault. @returns how long no order was acknowledged, in ms;
 * Infinity after a minute
 */
export async function silenceAfter({ at }: Orders, fault: number): Promise<number> {
  const first = () => at.find((each) => each > fault)
  while (first() === undefined && performance.now() < fault + SILENT_AT_MOST_MS) await pause(20)
  return Math.round((first() ?? Infinity) - fault)
}
