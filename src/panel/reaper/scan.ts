/** Lists what nothing expects on all hosts, and keeps the list for a reap. */
import type { Pool } from 'pg'
import { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import { Rejection } from '#kernel/lib/rejection'
import { uuidv7 } from '#kernel/lib/uuid'
import { serverTable } from '#projections/panel/servers'
import { inventory, LeftItem } from '../../tasks/reaper.ts'
import { ask } from '../agent/asks.ts'
import { installationOf } from '../agent/installation.ts'
import { expectedOn } from './expected.ts'
import { flaggedOf } from './flagged.ts'

const SERVERS_AT_ONCE = 20
const KEPT_MS = 86_400_000

export const ScannedServer = z.object({
  serverId: z.uuid(),
  items: z.array(LeftItem),
  problem: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why the host could not be looked at, wholly or in part. Null: it was.'),
})
export type ScannedServer = z.output<typeof ScannedServer>

export interface Scan {
  readonly scanId: string
  readonly at: string
  readonly servers: readonly ScannedServer[]
}

const SAVE = 'INSERT INTO telemetry.reaper_scan (scan_id, at, servers) VALUES ($1, $2, $3)'
const FORGET = 'DELETE FROM telemetry.reaper_scan WHERE at < $1'
const LOAD = `SELECT scan_id AS "scanId", at, servers FROM telemetry.reaper_scan
  WHERE $1::uuid IS NULL OR scan_id = $1 ORDER BY at DESC, scan_id DESC LIMIT 1`

/** @param scanId undefined: the newest */
export const scanIn = async (telemetry: Pool, scanId: string | undefined): Promise<Scan | undefined> =>
  (await telemetry.query<Scan>(LOAD, [scanId ?? null])).rows[0]

type ScanCall = Pick<
  HandlerContext,
  'read' | 'telemetry' | 'vault' | 'service' | 'now' | 'run' | 'waitFor' | 'abortSignal'
>

export async function scanServers(call: ScanCall): Promise<Scan> {
  const { read, telemetry, vault, now } = call
  const rows = await serverTable
    .queryIn(read)
    .select('id')
    .where('registrationId', 'is not', null)
    .orderBy('id')
    .execute()
  const installation = await installationOf(vault)
  const servers: ScannedServer[] = []
  for (let from = 0; from < rows.length; from += SERVERS_AT_ONCE) {
    const some = rows.slice(from, from + SERVERS_AT_ONCE)
    servers.push(...(await Promise.all(some.map(({ id }) => scanServer(call, id, installation)))))
  }
  const scan = { scanId: uuidv7(), at: now.toISOString(), servers }
  await telemetry.query(FORGET, [new Date(now.getTime() - KEPT_MS)])
  await telemetry.query(SAVE, [scan.scanId, scan.at, JSON.stringify(servers)])
  return scan
}

const CUT = { code: 'LIST_CUT', message: 'There is more than the host can list: reap, and scan again' }

/** What is expected is read after the host was: what was placed between the two is not flagged. */
async function scanServer(call: ScanCall, serverId: string, installation: string): Promise<ScannedServer> {
  try {
    const { items, isCut } = await ask(call, inventory, serverId, { installation })
    const expected = await call.run((unit) => expectedOn(unit, call.read, serverId))
    return { serverId, items: flaggedOf(items, expected), problem: isCut ? CUT : null }
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    const { code, message } = error
    return { serverId, items: [], problem: { code, message } }
  }
}
