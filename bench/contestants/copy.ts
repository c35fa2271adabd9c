/** The upper bound of reading: Postgres' own COPY of Daybook's log in order. Its rows are counted and not parsed. */
import { to } from 'pg-copy-streams'
import { timed } from '../contestant.ts'
import type { Contestant, Run } from '../contestant.ts'
import { connected } from '../seeded.ts'

const NEW_LINE = 10

const copied = (url: string, events: number): Promise<Run> =>
  connected(url, (client) =>
    timed(async () => {
      const columns = 'pos, recorded_at, revision, id, stream, type, schema_version, data, metadata'
      const rows = client.query(
        to(`COPY (SELECT ${columns} FROM store.event WHERE pos <= ${events} ORDER BY pos) TO STDOUT`),
      )
      let read = 0
      for await (const bytes of rows)
        for (let at = bytes.indexOf(NEW_LINE); at >= 0; at = bytes.indexOf(NEW_LINE, at + 1)) read += 1
      return read
    }),
  )

export const copy: Contestant = { catchup: copied, rebuild: copied }
