/** Which errors mean “not now” and are answered 503, instead of “wrong”, which is a bug and answered 500. */

/** Connection lost (08), ended by a timeout (25P03, 25P04), server shutting down or starting (57P): another one may well do it. */
const LOST_SQLSTATE = /^(?:08|25P03$|25P04$|57P)/
/**
 * Out of disk, memory or connections (53), a disk that fails (58), a login that is refused (28) or a database that is gone (3D000),
 * a standby (25006), a lock or a statement that took too long.
 */
const BUSY_SQLSTATE = /^(?:28|3D000$|53|58|25006$|55P03$|57014$)/
const LOST_SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN'])
/** The driver gives these no code. */
const LOST_TEXT = /^Connection terminated|^Client has encountered a connection error/
const BUSY_TEXT = /^timeout exceeded when trying to connect|^Query read timeout|^timeout expired/

/** The connection broke: whether the statement on it was committed, nobody knows. */
export function isConnectionLost(error: unknown): boolean {
  const { code, text } = marks(error)
  return LOST_SQLSTATE.test(code) || LOST_SOCKET.has(code) || LOST_TEXT.test(text)
}

/** The database cannot answer now. */
export function isUnavailable(error: unknown): boolean {
  const { code, text } = marks(error)
  return isConnectionLost(error) || BUSY_SQLSTATE.test(code) || UNKNOWN_HOST.has(code) || BUSY_TEXT.test(text)
}

/** By a standby, or by a primary that was made read-only: over this connection perhaps for ever. */
export function isReadOnly(error: unknown): boolean {
  return marks(error).code === '25006'
}

function marks(error: unknown): { code: string; text: string } {
  if (!(error instanceof Error)) return { code: '', text: '' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { code, text: error.message }
}
