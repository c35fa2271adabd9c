/** The only expected error. Any other error is a bug: the reply is 500 and hides the message. */

const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  paymentRequired: 402,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  tooSlow: 408,
  conflict: 409,
  preconditionFailed: 412,
  tooLarge: 413,
  unsupported: 415,
  tooMany: 429,
  headersTooLarge: 431,
  unavailable: 503,
} as const

export type RejectionKind = keyof typeof STATUS

/**
 * `code` is sent in the header Error-Code, beside `headers`. The body has exactly two fields: statusCode and message.
 */
export class Rejection extends Error {
  readonly statusCode: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly #kind: RejectionKind

  constructor(kind: RejectionKind, message: string, code?: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'Rejection'
    this.statusCode = STATUS[kind]
    this.code = code ?? kind.replace(/[A-Z]/g, '_$&').toUpperCase()
    this.headers = headers
    this.#kind = kind
  }

  /** The same refusal of a request about several things. @param what such as `Application “Shop”` */
  about(what: string): Rejection {
    return new Rejection(this.#kind, `${what}: ${this.message}`, this.code, this.headers)
  }

  get body(): { statusCode: number; message: string } {
    return { statusCode: this.statusCode, message: this.message }
  }
}

/** Refuses the request. `code` is a machine-readable SCREAMING_SNAKE word; the default is the kind. */
export function reject(kind: RejectionKind, message: string, code?: string, headers?: Record<string, string>): never {
  throw new Rejection(kind, message, code, headers)
}

/**
 * The same 404 for a missing thing and for one that the caller must not see, so that the caller cannot tell them apart.
 */
export function found<Thing>(thing: Thing | undefined): Thing {
  return thing ?? reject('notFound', 'Not found')
}
