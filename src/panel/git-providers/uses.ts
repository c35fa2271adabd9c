/** Which applications use a provider. */
import { reject } from '#kernel/lib/rejection'
import { countRows } from '#kernel/projections/count-rows'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { applicationTable } from '#projections/panel/applications'

const usersOf = (read: ReadDatabase, providerId: string) =>
  applicationTable
    .queryIn(read)
    .selectAll()
    // The compiler does not follow a path into one kind of source.
    .where((where) => where.ref('source', '->>').key('providerId' as never), '=', providerId as never)

/**
 * It says no names: a provider is used in projects that the caller may not see. An application that begins to use it at
 * this moment is not held back; its next fetch says that the provider was removed.
 * @throws Rejection 409 IN_USE
 */
export async function refuseUsed(read: ReadDatabase, providerId: string): Promise<void> {
  if ((await countRows(usersOf(read, providerId))) > 0)
    reject(
      'conflict',
      'Applications use this git provider: give them another one first, or remove it with detach=true',
      'IN_USE',
    )
}
