/** Read for each request with a server in its path: the server, and its access rules. */
import { jsonBuildObject } from 'kysely/helpers/postgres'
import { lookup } from '#kernel/projections/lookup'
import { serverAccessTable, serverTable } from '../servers.ts'
import type { ServerRow } from '../servers.ts'

const COLUMNS = Object.keys(serverTable.columns) as (keyof ServerRow)[]

/** The rules are null for a server that has none. One statement reads both, so that a removal between them opens nothing. */
export const findServerWithRules = lookup(serverTable, ['id'], (servers) =>
  servers.select(COLUMNS.map((column) => `servers.${column}` as const)).select((server) =>
    server
      .selectFrom(serverAccessTable.as('rule'))
      .whereRef('rule.serverId', '=', 'servers.id')
      .select(({ ref, fn }) =>
        fn
          .jsonAgg(
            jsonBuildObject({
              userId: ref('rule.userId'),
              teamId: ref('rule.teamId'),
              projectId: ref('rule.projectId'),
              level: ref('rule.level'),
              isGone: ref('rule.isGone'),
            }),
          )
          .as('all'),
      )
      .as('rules'),
  ),
)
