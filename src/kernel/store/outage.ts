/** Tells errors of an outage, which are answered with 503, from bugs, which are answered with 500. */

/**
 * Connection lost (08), ended by a timeout (25P03, 25P04), server shutting down or starting (57P):
 * a retry may succeed.
 */
const LOST_SQLSTATE = /^(?:08|25P03$|25P04$|57P)/
/**
 * Out of disk, memory or connections (53), disk failure (58), login refused (28), database missing (3D000),
 * standby (25006), timeout of a lock (55P03) or of a statement (57014).
 */
const BUSY_SQLSTATE = /^(?:28|3D000$|53|58|25006$|55P03$|57014$)/
const LOST_SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN'])
/** Errors of the driver without a code. */
const LOST_TEXT = /^Connection terminated|^Client has encountered a connection error/
const BUSY_TEXT = /^timeout exceeded when trying to connect|^Query read timeout|^timeout expired/

/** The connection broke, so the statement on it may or may not be committed. */
export function isConnectionLost(error: unknown): boolean {
  const { code, text } = marks(error)
  return LOST_SQLSTATE.test(code) || LOST_SOCKET.has(code) || LOST_TEXT.test(text)
}

/** The database cannot answer now. */
export function isUnavailable(error: unknown): boolean {
  const { code, text } = marks(error)
  return isConnectionLost(error) || BUSY_SQLSTATE.test(code) || UNKNOWN_HOST.has(code) || BUSY_TEXT.test(text)
}

/** Refused by a standby or a read-only primary; this connection may never accept a write again. */
export function isReadOnly(error: unknown): boolean {
  return marks(error).code === '25006'
}

function marks(error: unknown): { code: string; text: string } {
  if (!(error instanceof Error)) return { code: '', text: '' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { code, text: error.message }
}
