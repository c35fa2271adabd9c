/** An answer that is not 2xx. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly statusCode: number
  /** For programs, such as `STEP_UP_REQUIRED`; undefined if the answer does not come from the service. */
  readonly code: string | undefined
  /** Finds the request in the service's log and audit trail. */
  readonly requestId: string | undefined
  /** When the same request may be sent again. */
  readonly retryAfterMs: number | undefined

  /** @param message for people, as the service wrote it */
  constructor(message: string, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    super(message)
    this.statusCode = status
    this.code = headers.get('Error-Code') ?? undefined
    this.requestId = headers.get('X-Request-Id') ?? undefined
    this.retryAfterMs = millisecondsIn(headers.get('Retry-After'))
  }
}

/** A proxy may answer without the service, so the body need not be JSON. */
export async function refusalOf(answer: Response): Promise<Refusal> {
  const body: unknown = await answer.json().catch(() => undefined)
  const told = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  return new Refusal(typeof told === 'string' ? told : `The service answered ${answer.status}`, answer)
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function millisecondsIn(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
