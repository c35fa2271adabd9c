/** The links between servers, as their agents measured them last. This is telemetry. */
import type { Pool } from 'pg'
import type { LINK_STATES, MeshLink } from '../../../tasks/mesh.ts'

export interface KnownLink {
  readonly from: string
  readonly to: string
  readonly state: (typeof LINK_STATES)[number]
  readonly rttMs: number | null
  readonly at: Date
}

/** The links that the agent tells no more are forgotten. */
const NOTE = `
  WITH told AS (
    SELECT DISTINCT ON (to_server) to_server, state, rtt_ms, $3::timestamptz - age_ms * interval '1 ms' AS at
    FROM jsonb_to_recordset($2::jsonb) AS link(to_server uuid, state text, rtt_ms double precision, age_ms double precision)
  ), forgotten AS (
    DELETE FROM telemetry.mesh_link WHERE from_server = $1 AND to_server NOT IN (SELECT to_server FROM told)
  )
  INSERT INTO telemetry.mesh_link (from_server, to_server, state, rtt_ms, at)
  SELECT $1, to_server, state, rtt_ms, at FROM told
  ON CONFLICT (from_server, to_server) DO UPDATE SET state = excluded.state, rtt_ms = excluded.rtt_ms, at = excluded.at`
const AMONG = `SELECT from_server AS "from", to_server AS "to", state, rtt_ms AS "rttMs", at
  FROM telemetry.mesh_link WHERE from_server = ANY($1::uuid[]) AND to_server = ANY($1::uuid[])`
const FORGET = 'DELETE FROM telemetry.mesh_link WHERE from_server = $1 OR to_server = $1'

export async function noteLinks(
  telemetry: Pool,
  from: string,
  links: readonly MeshLink[],
  now: Date,
): Promise<unknown> {
  const told = links.map(({ to, state, rttMs, ageMs }) => ({ to_server: to, state, rtt_ms: rttMs, age_ms: ageMs }))
  return telemetry.query(NOTE, [from, JSON.stringify(told), now])
}

export async function linksAmong(telemetry: Pool, serverIds: readonly string[]): Promise<readonly KnownLink[]> {
  if (serverIds.length < 2) return []
  const { rows } = await telemetry.query<KnownLink>(AMONG, [serverIds])
  return rows.map((row) => ({ ...row, at: new Date(row.at) }))
}

/** Of a removed server. */
export const forgetLinks = (telemetry: Pool, serverId: string): Promise<unknown> => telemetry.query(FORGET, [serverId])
