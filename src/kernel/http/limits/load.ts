/**
 * What a process has in hand. A request that it works on holds one of the places in flight. A request that waits for its client holds
 * none of them: its body is still coming, or its answer is not taken yet. Those that wait have places of their own, shared by address
 * block, and a client that is too slow loses its place.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Rejection, reject } from '../../lib/rejection.ts'
import { SlowClientSlots } from './slow-client-slots.ts'

const IN_FLIGHT_MAX = 2_000
/** A body that is held has 100 KiB at most, so all of them together have 100 MB. */
const BODIES_MAX = 1_000
const UPLOADS_MAX = 200
const ANSWERS_MAX = 2_000
/**
 * For the rest of a request once its headers are there. Those may take 4.5 s, see listener.ts, and the last words take
 * 0.25 s: so a slow client is gone after 8 s.
 */
const PATIENCE_MS = 3_250
/** What has come in the meantime is read, however long a request has waited for others. */
const LAST_LOOK_MS = 250
/** What an upload must send on average. 1,000 bytes a second is less than any line that people use. */
const UPLOAD_BYTES_PER_MS = 1
/** For so long after a request was turned away, readiness tells of it. */
const NOTE_SHOWN_MS = 10_000

export interface LoadLimits {
  /** Requests being worked on at once; one more is answered 503. Default 2,000. */
  readonly inFlightMax?: number
  /** Bodies that are still coming; one more costs the oldest of the fullest address block its place. Default 1,000. */
  readonly bodiesMax?: number
  /**
   * In ms, how long the body of a request may take, and how long a client may send nothing of an upload or take nothing
   * of an answer. Default 4,000.
   */
  readonly patienceMs?: number
}

export interface LoadDependencies extends LoadLimits {
  /** Monotonic, in ms. */
  readonly nowMs?: () => number
}

export class LoadLimiter {
  readonly bodies: SlowClientSlots
  readonly uploads = new SlowClientSlots(UPLOADS_MAX)
  readonly answers = new SlowClientSlots(ANSWERS_MAX)
  readonly patienceMs: number
  readonly #inFlightMax: number
  readonly #nowMs: () => number
  #inFlight = 0
  #turnedAwayMs = -Infinity

  constructor({ inFlightMax, bodiesMax, patienceMs, nowMs }: LoadDependencies = {}) {
    this.#inFlightMax = inFlightMax ?? IN_FLIGHT_MAX
    this.bodies = new SlowClientSlots(bodiesMax ?? BODIES_MAX)
    this.patienceMs = patienceMs ?? PATIENCE_MS
    this.#nowMs = nowMs ?? (() => performance.now())
  }

  /** @param even whether the request is answered also while there is no place. @returns false when there is none */
  begin(even: boolean): boolean {
    this.#inFlight += 1
    const isIn = even || this.#inFlight <= this.#inFlightMax
    if (!isIn) this.recordTurnedAway()
    return isIn
  }

  end(): void {
    this.#inFlight -= 1
  }

  recordTurnedAway(): void {
    this.#turnedAwayMs = this.#nowMs()
  }

  /** What readiness shows while requests are turned away; undefined otherwise. */
  readinessNote(): string | undefined {
    if (this.#nowMs() - this.#turnedAwayMs > NOTE_SHOWN_MS) return undefined
    return `requests are turned away: ${this.#inFlight} in flight, ${this.bodies.size} with a body that is still coming`
  }
}

/** The places of one request, from its arrival until its answer is taken. */
export class RequestSlots {
  readonly patienceMs: number
  readonly #load: LoadLimiter
  readonly #ip: string | undefined
  readonly #even: boolean
  #isInFlight = false
  #isOver = false
  /** When its headers were there, or an upload was over: an upload has times of its own. */
  #sinceMs = performance.now()

  constructor(load: LoadLimiter, ip: string | undefined, even: boolean) {
    this.#load = load
    this.patienceMs = load.patienceMs
    this.#ip = ip
    this.#even = even
  }

  /** @throws Rejection 503 when too many are in flight */
  begin(): void {
    if (!this.#enter(this.#even))
      reject('unavailable', 'Too many requests at once, try again', 'BUSY', { 'Retry-After': '1' })
  }

  /** It goes on without a place in flight. */
  pause(): void {
    if (this.#isInFlight) this.#load.end()
    this.#isInFlight = false
  }

  /** Its client has the answer, or is gone. */
  end(): void {
    this.pause()
    this.#isOver = true
  }

  /** @throws Rejection 408 when the body does not come in time · 503 when its place is needed, or there is none in flight afterwards */
  async body<Result>(read: () => Promise<Result>): Promise<Result> {
    this.pause()
    const lost = this.#lost(this.#load.bodies)
    const cancel = afterArrivals(() => lost.to(tooSlowRejection()), this.#leftMs())
    try {
      const result = await lost.or(read())
      this.begin()
      return result
    } finally {
      cancel()
      lost.no()
    }
  }

  /**
   * The pieces of an upload, as they come. It may take long, but not be slow: a piece buys the time in which so much must come.
   * @throws Rejection 408 · 503 when its place is needed
   */
  async *upload(pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
    const { patienceMs } = this
    this.pause()
    const lost = this.#lost(this.#load.uploads)
    let leftMs = patienceMs
    try {
      for (;;) {
        const startedMs = performance.now()
        const cancel = afterArrivals(() => lost.to(tooSlowRejection()), leftMs)
        const next = await lost.or(pieces.next()).finally(cancel)
        if (next.done) return
        const waitedMs = performance.now() - startedMs
        leftMs = Math.min(patienceMs, leftMs - waitedMs + next.value.length / UPLOAD_BYTES_PER_MS)
        yield next.value
      }
    } finally {
      lost.no()
      this.#sinceMs = performance.now()
      void pieces.return?.()
      // It was let in before it came, and there are few of them.
      this.#enter(true)
    }
  }

  /** What is left of a body that is not wanted: its connection is cut when it takes too long, or its place is needed. */
  limitDiscard(request: IncomingMessage): void {
    const { socket } = request
    const cut = (): void => void socket.destroy()
    const giveBack = this.#load.bodies.take(this.#ip, () => {
      this.#load.recordTurnedAway()
      cut()
    })
    const cancel = afterArrivals(cut, this.#leftMs())
    const over = (): void => {
      cancel()
      giveBack()
      socket.off('close', over)
    }
    // Once it is answered, a request is no longer told that its connection has closed.
    socket.once('close', over)
    request.once('end', over)
  }

  /** The answer leaves. Most are taken at once: only one that is not, needs a place. @param isWhole whether all of it is there already */
  startResponse(response: ServerResponse, isWhole: boolean): void {
    this.pause()
    setImmediate(() => {
      if (this.#isOver) return
      response.once(
        'close',
        this.#load.answers.take(this.#ip, () => response.destroy()),
      )
      if (isWhole) response.socket?.setTimeout(this.patienceMs)
    })
  }

  /** One deadline for all of a request, so that what comes after a slow body has no time of its own. */
  #leftMs(): number {
    return Math.max(LAST_LOOK_MS, this.#sinceMs + this.patienceMs - performance.now())
  }

  #enter(even: boolean): boolean {
    if (this.#isOver) return true
    this.#isInFlight = true
    return this.#load.begin(even)
  }

  #lost(shares: SlowClientSlots) {
    const { promise, reject: to } = Promise.withResolvers<never>()
    promise.catch(() => {})
    const no = shares.take(this.#ip, () => {
      this.#load.recordTurnedAway()
      to(bodiesBusyRejection())
    })
    return { to, no, or: <Result>(work: Promise<Result>) => Promise.race([work, promise]) }
  }
}

/** The rest of the request is not waited for, so its connection can carry no other. */
const CLOSE = { Connection: 'close' }

const tooSlowRejection = (): Rejection =>
  new Rejection('tooSlow', 'The body of the request came too slowly', 'REQUEST_TIMEOUT', CLOSE)

const bodiesBusyRejection = (): Rejection =>
  new Rejection('unavailable', 'Too many requests with a body that is still coming, try again', 'BODIES_BUSY', {
    ...CLOSE,
    'Retry-After': '1',
  })

/**
 * Calls `act` after `ms`, but not before what has arrived in the meantime is read: a process that was busy for longer does not blame
 * its clients for it.
 * @returns cancels the call
 */
function afterArrivals(act: () => void, ms: number): () => void {
  let read: NodeJS.Immediate | undefined
  const timer = setTimeout(() => (read = setImmediate(act)), ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(read)
  }
}
