/** Half-written appends would be worse than none, so a server without atomic ones is refused before anything is written. */
import { AccessDeniedError, UnsupportedError } from '@kurrent/kurrentdb-client'
import type { KurrentDBClient } from '@kurrent/kurrentdb-client'
import { isServerUnavailable } from './connection.ts'

/** @throws a plain Error for people; whatever `isNotNow` of when the server cannot be asked */
export async function requireAtomicAppend(client: KurrentDBClient): Promise<void> {
  try {
    // The client asks the server for its methods first; whatever a server that knows this one thinks of an empty request is fine.
    await client.appendRecords([], [])
  } catch (error) {
    if (error instanceof UnsupportedError)
      throw new Error(
        'This event store cannot append to several streams at once with checks (AppendRecords), so an append could be half written: ' +
          'KurrentDB 26.1 or newer is needed',
        { cause: error },
      )
    if (error instanceof AccessDeniedError) throw new Error('The event store refuses the credentials', { cause: error })
    if (isServerUnavailable(error)) throw error
  }
}
