/** Whether an operation is offered for a record as it is now. */
import { isPossibleFrom } from '#api-client/operation'
import type { Operation } from '#api-client/operation'

type Fields = Readonly<Record<string, unknown>>

/**
 * A record that the page does not know is not judged.
 * @param fixed the fields that are sent as they are: a PATCH changes nothing if the record already holds them
 */
export function wouldChange(operation: Operation, record: object | undefined, fixed: Fields = {}): boolean {
  if (!record) return true
  const held = record as Fields
  const names = operation.method === 'PATCH' ? Object.keys(fixed) : []
  const isDone = names.length > 0 && names.every((name) => held[name] === fixed[name])
  return !isDone && isPossibleFrom(operation, record)
}
