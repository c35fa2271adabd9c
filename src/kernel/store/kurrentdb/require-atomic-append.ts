/** Refuses a server without atomic appends at the start, before a partly written append can damage the history. */
import { AccessDeniedError, UnsupportedError } from '@kurrent/kurrentdb-client'
import type { KurrentDBClient } from '@kurrent/kurrentdb-client'
import { isServerUnavailable } from './connection.ts'

/** @throws Error with a message for the operator · any error that `isServerUnavailable` */
export async function requireAtomicAppend(client: KurrentDBClient): Promise<void> {
  try {
    // The client first requests the methods of the server. If the server has this one, its reply to an empty request
    // is ignored.
    await client.appendRecords([], [])
  } catch (error) {
    if (error instanceof UnsupportedError)
      throw new Error(
        'This event store cannot append to several streams at once with checks (AppendRecords), so an append could be partly written: ' +
          'use KurrentDB 26.1 or newer',
        { cause: error },
      )
    if (error instanceof AccessDeniedError)
      throw new Error('The event store refuses the credentials; check EVENT_STORE_URL', { cause: error })
    if (isServerUnavailable(error)) throw error
  }
}
