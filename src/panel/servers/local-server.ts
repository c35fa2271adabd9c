import { reject } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { serverTable } from '#projections/panel/servers'

/** The id of the server that is the panel's own host. @throws Rejection 400 NO_LOCAL_SERVER */
export async function localServer(read: ReadDatabase): Promise<string> {
  const local = await serverTable.queryIn(read).select('id').where('kind', '=', 'LOCAL').executeTakeFirst()
  return local?.id ?? reject('invalid', 'The panel has no server on its own host: name a serverId', 'NO_LOCAL_SERVER')
}
