/** When agents were last heard of, and what they told of their hosts. This is telemetry. */
import type { Pool } from 'pg'
import { z } from 'zod'
import { RequestCoalescer } from '#kernel/lib/request-coalescer'

export interface Contact {
  readonly at: Date
  /** The process of the agent. */
  readonly run: string
  /** Null until the first beat of this process. */
  readonly beat: unknown
}

const READ = 'SELECT server_id AS id, at, run, beat FROM telemetry.server_contact WHERE server_id = ANY($1::uuid[])'
const PLANS = `SELECT server_id AS "serverId", at, beat->'plans' AS plans FROM telemetry.server_contact
  WHERE at > $1 AND beat ? 'plans'`
const SUPERSEDED_MAX = 20
/** A replaced process never comes back, so that two copies of a host do not take the place of each other for ever. */
const NOTE = `
  INSERT INTO telemetry.server_contact AS contact (server_id, at, run, beat)
  SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::jsonb[])
  ON CONFLICT (server_id) DO UPDATE SET at = greatest(contact.at, excluded.at), run = excluded.run,
    beat = CASE WHEN contact.run = excluded.run THEN coalesce(excluded.beat, contact.beat) ELSE excluded.beat END,
    superseded = CASE WHEN contact.run = excluded.run THEN contact.superseded
      ELSE (contact.run || contact.superseded)[1:${SUPERSEDED_MAX}] END
  WHERE excluded.run <> ALL (contact.superseded)
  RETURNING server_id AS "serverId"`

/** By the id of the server. A server that was never heard of has none. */
export async function contactsOf(telemetry: Pool, serverIds: readonly string[]): Promise<ReadonlyMap<string, Contact>> {
  if (serverIds.length === 0) return new Map()
  const { rows } = await telemetry.query<Contact & { id: string }>(READ, [serverIds])
  return new Map(rows.map(({ id, at, run, beat }) => [id, { at: new Date(at), run, beat }]))
}

export interface NewContact {
  readonly serverId: string
  readonly at: Date
  readonly run: string
  readonly beat?: object | undefined
}

/** What agents tell within this time is one statement. */
const GATHER_MS = 20
const batches = new WeakMap<Pool, RequestCoalescer<NewContact, boolean>>()

/**
 * A contact without a beat keeps the last one of the same process.
 * @returns false for a process that another one has replaced
 */
export function noteContact(telemetry: Pool, contact: NewContact): Promise<boolean> {
  const known = batches.get(telemetry)
  const options = { gatherMs: GATHER_MS, keyOf: ({ serverId }: NewContact) => serverId }
  const batch = known ?? new RequestCoalescer((contacts: readonly NewContact[]) => write(telemetry, contacts), options)
  batches.set(telemetry, batch)
  return batch.add(contact)
}

/** @param contacts of servers that differ. Sorted, so that two statements never wait for each other. */
async function write(telemetry: Pool, contacts: readonly NewContact[]): Promise<readonly boolean[]> {
  const sorted = contacts.toSorted((one, other) => (one.serverId < other.serverId ? -1 : 1))
  const values = [
    sorted.map(({ serverId }) => serverId),
    sorted.map(({ at }) => at.toISOString()),
    sorted.map(({ run }) => run),
    sorted.map(({ beat }) => beat && JSON.stringify(beat)),
  ]
  const { rows } = await telemetry.query<{ serverId: string }>({ name: 'note-contacts', text: NOTE, values })
  const taken = new Set(rows.map(({ serverId }) => serverId))
  return contacts.map(({ serverId }) => taken.has(serverId))
}

/** A process that was killed may have one request on its way. A second process that calls again is a copy of the host. */
const STRAY = `
  UPDATE telemetry.server_contact AS contact SET stray_at = $3::timestamptz, strays = CASE
      WHEN contact.stray_at IS NULL OR contact.stray_at < $3::timestamptz - interval '1 hour' THEN ARRAY[$2::uuid]
      WHEN $2 = ANY (contact.strays) THEN contact.strays ELSE contact.strays || $2::uuid END
  WHERE server_id = $1 RETURNING run, cardinality(strays) > 1 AS "isCopy"`

/**
 * Of a process that another one has replaced and that calls again.
 * @returns the present process, if there are two that replace each other
 */
export async function noteStray(telemetry: Pool, serverId: string, run: string, at: Date): Promise<string | undefined> {
  const { rows } = await telemetry.query<{ run: string; isCopy: boolean }>(STRAY, [serverId, run, at])
  return rows[0]?.isCopy === true ? rows[0].run : undefined
}

const HEARD = `
  WITH heard AS (
    INSERT INTO telemetry.agents_heard AS heard (since, at) VALUES ($1::timestamptz, $1::timestamptz)
    ON CONFLICT (only_one) DO UPDATE SET at = greatest(heard.at, excluded.at),
      since = CASE WHEN heard.at < excluded.at - $2 * interval '1 ms' THEN excluded.since ELSE heard.since END
    RETURNING since)
  SELECT since, (SELECT count(*)::int FROM telemetry.server_contact WHERE at > $1::timestamptz - interval '2 minutes') AS agents
  FROM heard`

/**
 * Says that a process of the panel listens.
 * @param gapMs a longer break ends the time in which the panel has listened
 * @returns since when it has, and the number of agents that called of late
 */
export async function noteListening(
  telemetry: Pool,
  at: Date,
  gapMs: number,
): Promise<{ readonly since: Date; readonly agents: number }> {
  const { rows } = await telemetry.query<{ since: Date; agents: number }>(HEARD, [at, gapMs])
  return { since: new Date(rows[0]!.since), agents: rows[0]!.agents }
}

const SILENT = `
  SELECT contact.server_id AS "serverId", contact.at FROM telemetry.server_contact AS contact
  JOIN read.servers AS server ON server.id = contact.server_id
  WHERE contact.at < $1 AND NOT server.is_offline AND server.facts IS NOT NULL ORDER BY contact.at LIMIT 200`

/** Servers that are not noted as offline. */
export async function silentServers(
  telemetry: Pool,
  before: Date,
): Promise<readonly { readonly serverId: string; readonly at: Date }[]> {
  const { rows } = await telemetry.query<{ serverId: string; at: Date }>(SILENT, [before])
  return rows.map(({ serverId, at }) => ({ serverId, at: new Date(at) }))
}

/** What the newest beats say of plans. */
export async function plansTold(telemetry: Pool, since: Date) {
  const { rows } = await telemetry.query<{ serverId: string; at: string; plans: Record<string, number> }>(PLANS, [
    since,
  ])
  return rows.map((row) => ({ ...row, at: new Date(row.at) }))
}

/** Of a removed server. */
export const forgetContact = (telemetry: Pool, serverId: string): Promise<unknown> =>
  telemetry.query('DELETE FROM telemetry.server_contact WHERE server_id = $1', [serverId])

/** What the host uses at the moment, of the newest beat. */
export const usedFields = { cpuPercent: z.number(), memoryUsedBytes: z.int(), diskUsedBytes: z.int() }
const Used = z.object(usedFields)

/** Null without a beat that tells it. */
export function usedBy(contact: Contact | undefined): z.output<typeof Used> | null {
  const told = Used.safeParse(contact?.beat)
  return told.success ? told.data : null
}
