/**
 * Limits the concurrent work of a process.
 *
 * A request that the process works on occupies one slot in flight. A request that waits for its client
 * (for the rest of its body, or until its response is read) occupies a slow-client slot instead.
 * Slow-client slots are shared by address block, and a client that is too slow loses its slot.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Rejection, reject } from '../../lib/rejection.ts'
import { SlowClientSlots } from './slow-client-slots.ts'

const IN_FLIGHT_MAX = 2_000
/**
 * A buffered body has at most 100 KiB, so all of them together have about 100 MB. Where the route has a `bodyMax`, it may have
 * more: log lines of an agent 256 KiB, which makes 256 MB where all are such, and results and a few forms about 1 MiB.
 */
const BODIES_MAX = 1_000
/** Bodies of up to 8 MiB, so all of them together have about 32 MB. */
const LARGE_BODIES_MAX = 4
const UPLOADS_MAX = 200
const ANSWERS_MAX = 2_000
/**
 * For the rest of a request after its headers. Headers may take 3.5 s (see listener.ts) and the final
 * response 0.25 s. A slow client is therefore disconnected after 7.75 s; the documented bound is 8 s.
 */
const PATIENCE_MS = 3_250
/** After a delay, data that has already arrived is still read within this time. */
const LAST_LOOK_MS = 250
/** The minimum average speed of an upload: 1 byte per ms is 1,000 bytes a second. */
const UPLOAD_BYTES_PER_MS = 1
/** Readiness reports rejected requests for this long after the last one. */
const NOTE_SHOWN_MS = 10_000

export interface LoadLimits {
  /** Concurrent requests in work; further ones get 503. Default 2,000. */
  readonly inFlightMax?: number
  /** Bodies being received; one more evicts the oldest of the fullest address block. Default 1,000. */
  readonly bodiesMax?: number
  /**
   * In ms: the time for a body, and the longest pause of a client in an upload or in reading a
   * response. Default 4,000.
   */
  readonly patienceMs?: number
}

export interface LoadDependencies extends LoadLimits {
  /** Monotonic, in ms. */
  readonly nowMs?: () => number
}

export class LoadLimiter {
  readonly bodies: SlowClientSlots
  /** For routes whose bodies may be much larger than most. */
  readonly largeBodies = new SlowClientSlots(LARGE_BODIES_MAX)
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

  /**
   * @param even whether the route is answered even when the process is full
   * @returns false if the request must be rejected
   */
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

  /** The note that readiness shows while requests are rejected; otherwise undefined. */
  readinessNote(): string | undefined {
    if (this.#nowMs() - this.#turnedAwayMs > NOTE_SHOWN_MS) return undefined
    return `requests are rejected: ${this.#inFlight} in flight, ${this.bodies.size} with an incomplete body`
  }
}

/** The slots of one request, from its arrival until the client has read the response. */
export class RequestSlots {
  readonly patienceMs: number
  readonly #load: LoadLimiter
  readonly #ip: string | undefined
  readonly #even: boolean
  #isInFlight = false
  #isOver = false
  /**
   * Start of the deadline: when the headers were complete, or when an upload ended, since uploads have
   * limits of their own.
   */
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
      reject('unavailable', 'Too many concurrent requests: try again', 'BUSY', { 'Retry-After': '1' })
  }

  /** Releases the slot in flight; the request continues without it. */
  pause(): void {
    if (this.#isInFlight) this.#load.end()
    this.#isInFlight = false
  }

  /** The client has read the response or has disconnected. */
  end(): void {
    this.pause()
    this.#isOver = true
  }

  /**
   * @param isLarge whether it takes one of the few slots for large bodies
   * @throws Rejection 408 if the body is too slow · 503 if its slot is needed, or no slot in flight is
   * free afterwards
   */
  async body<Result>(read: () => Promise<Result>, isLarge = false): Promise<Result> {
    this.pause()
    const lost = this.#lost(isLarge ? this.#load.largeBodies : this.#load.bodies)
    const late = setTimeout(() => lost.to(tooSlowRejection()), this.#leftMs())
    try {
      const result = await lost.or(read())
      this.begin()
      return result
    } finally {
      clearTimeout(late)
      lost.no()
    }
  }

  /**
   * The pieces of an upload, as they arrive. An upload may take long, but it must keep the minimum
   * speed: each piece extends the deadline in proportion to its size.
   * @throws Rejection 408 · 503 if its slot is needed
   */
  async *upload(pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
    const { patienceMs } = this
    this.pause()
    const lost = this.#lost(this.#load.uploads)
    let leftMs = patienceMs
    try {
      for (;;) {
        const startedMs = performance.now()
        const late = setTimeout(() => lost.to(tooSlowRejection()), leftMs)
        const next = await lost.or(pieces.next()).finally(() => clearTimeout(late))
        if (next.done) return
        const waitedMs = performance.now() - startedMs
        leftMs = Math.min(patienceMs, leftMs - waitedMs + next.value.length / UPLOAD_BYTES_PER_MS)
        yield next.value
      }
    } finally {
      lost.no()
      this.#sinceMs = performance.now()
      void pieces.return?.()
      // The upload was admitted before its body was received, and uploads are few, so the limit does
      // not apply.
      this.#enter(true)
    }
  }

  /**
   * Limits the discarding of an unwanted body: the connection is closed if it takes too long or its
   * slot is needed.
   */
  limitDiscard(request: IncomingMessage): void {
    const { socket } = request
    const cut = (): void => void socket.destroy()
    const giveBack = this.#load.bodies.take(this.#ip, () => {
      this.#load.recordTurnedAway()
      cut()
    })
    const late = setTimeout(cut, this.#leftMs())
    const over = (): void => {
      clearTimeout(late)
      giveBack()
      socket.off('close', over)
    }
    // After its response, Node no longer emits `close` on the request when the connection closes.
    socket.once('close', over)
    request.once('end', over)
  }

  /**
   * Starts the response. Most clients read it at once; only a response that is still unread then takes
   * a slot.
   * @param isWhole whether the body is complete already
   */
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

  /** One deadline for the whole request: a handler after a slow body gets no additional time. */
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

/** The rest of the request is not read, so its connection cannot carry another request. */
const CLOSE = { Connection: 'close' }

const tooSlowRejection = (): Rejection =>
  new Rejection('tooSlow', 'The request body arrived too slowly', 'REQUEST_TIMEOUT', CLOSE)

const bodiesBusyRejection = (): Rejection =>
  new Rejection('unavailable', 'Too many requests with an incomplete body: try again', 'BODIES_BUSY', {
    ...CLOSE,
    'Retry-After': '1',
  })
