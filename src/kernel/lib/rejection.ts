/** The only planned error. Everything else that is thrown is a bug and answers 500 with its message hidden. */

const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  paymentRequired: 402,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  tooSlow: 408,
  conflict: 409,
  tooLarge: 413,
  unsupported: 415,
  tooMany: 429,
  headersTooLarge: 431,
  unavailable: 503,
} as const

export type RejectionKind = keyof typeof STATUS

/** `code` travels in the header Error-Code and `headers` beside it, so the body keeps exactly the seed's two fields. */
export class Rejection extends Error {
  readonly statusCode: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: RejectionKind, message: string, code?: string, headers: Record<string, string> = {}) {
    super(message)
    this.name = 'Rejection'
    this.statusCode = STATUS[kind]
    this.code = code ?? kind.replace(/[A-Z]/g, '_$&').toUpperCase()
    this.headers = headers
  }

  get body(): { statusCode: number; message: string } {
    return { statusCode: this.statusCode, message: this.message }
  }
}

/** Refuses what was asked. `code` is a machine-readable SCREAMING_SNAKE word, by default the kind's own. */
export function reject(kind: RejectionKind, message: string, code?: string, headers?: Record<string, string>): never {
  throw new Rejection(kind, message, code, headers)
}

/** The one answer for what does not exist, or must not be seen: nothing tells the two apart. */
export function found<Thing>(thing: Thing | undefined): Thing {
  return thing ?? reject('notFound', 'Not found')
}
