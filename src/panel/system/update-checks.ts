/** Asks the licensing service for newer versions of the panel, and keeps what it offers. */
import type { Pool } from 'pg'
import { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import { compareVersions } from '#kernel/lib/version-order'
import { LicenseRefused } from '../../license-client/refusal.ts'
import type { OfferedVersion } from '../../license-client/versions.ts'
import { panelLicense } from '../license/decider.ts'
import type { RunInUnit } from '../license/lifecycle.ts'
import { licenseStore } from '../license/store.ts'
import { panelUpdates } from './decider.ts'
import { runningRelease } from './running-release.ts'
import type { RunningRelease } from './running-release.ts'

export const CHANNEL = 'stable'
const HOUR_MS = 3_600_000
/** So that not all panels ask at the same moment. */
const SPREAD = 0.1
const PROBLEM_CHARACTERS_MAX = 500

const LOAD = `SELECT next_at AS "nextAt", checked_at AS "checkedAt", problem, offered FROM telemetry.panel_update`
const SCHEDULE = `INSERT INTO telemetry.panel_update AS known (next_at) VALUES ($1)
  ON CONFLICT (id) DO UPDATE SET next_at = least(known.next_at, excluded.next_at)`
const NEVER = 'UPDATE telemetry.panel_update SET next_at = NULL'
const POSTPONE = 'UPDATE telemetry.panel_update SET next_at = $1'
const SAVE = `INSERT INTO telemetry.panel_update AS known (next_at, checked_at, problem, offered)
  VALUES ($1, $2, $3, coalesce($4::jsonb, '[]'))
  ON CONFLICT (id) DO UPDATE SET next_at = excluded.next_at, checked_at = excluded.checked_at,
    problem = excluded.problem, offered = coalesce($4::jsonb, known.offered)`

export const ReleaseFile = z.object({ name: z.string(), size: z.int(), sha256: z.string() })

export interface KnownOffers {
  readonly nextAt: string | null
  readonly checkedAt: string | null
  readonly problem: string | null
  readonly offered: readonly OfferedVersion[]
}

const NOTHING: KnownOffers = { nextAt: null, checkedAt: null, problem: null, offered: [] }

export const offersIn = async (telemetry: Pool): Promise<KnownOffers> =>
  (await telemetry.query<KnownOffers>(LOAD)).rows[0] ?? NOTHING

/** A check is due at once, or sooner. */
export const scheduleCheck = async (telemetry: Pool, at: Date): Promise<void> => {
  await telemetry.query(SCHEDULE, [at])
}

/**
 * The newest version that is newer than the running one, or the running one if its files are others than the one that
 * was installed.
 */
export function updateAmong(
  offered: readonly OfferedVersion[],
  { version, sha256 }: RunningRelease,
): OfferedVersion | undefined {
  const newest = offered.toSorted((one, other) => compareVersions(other.version, one.version))[0]
  const order = newest ? compareVersions(newest.version, version) : -1
  const isReplaced = order === 0 && sha256 !== null && newest!.artifacts.every((file) => file.sha256 !== sha256)
  return order > 0 || isReplaced ? newest : undefined
}

type CheckCall = Pick<HandlerContext, 'service' | 'telemetry' | 'now'> & { readonly run: RunInUnit }

/** Without a license key, no service is asked. @throws Rejection 503 while another process uses the license */
export async function checkForUpdates({ service, telemetry, now, run }: CheckCall): Promise<void> {
  const own = service(licenseStore)
  if (!(await run((unit) => unit.look(panelLicense)))) return void (await telemetry.query(NEVER))
  const nextAt = new Date(now.getTime() + HOUR_MS * (1 + SPREAD * (2 * Math.random() - 1)))
  // A key that is not activated yet, or whose service is not configured, may be later.
  if (!own || (await own.read()).memory.licenseKey === null) return void (await telemetry.query(POSTPONE, [nextAt]))
  const { offered, problem } = await own.withLock(({ client }) =>
    client.versions(CHANNEL).then((all) => ({ offered: all, problem: null }), problemOf),
  )
  await telemetry.query(SAVE, [nextAt, now, problem, offered && JSON.stringify(offered)])
  const running = service(runningRelease)
  const all = offered ?? (await offersIn(telemetry)).offered
  const update = updateAmong(all, running)
  await run((unit) =>
    unit.decide(panelUpdates, undefined, 'NoteVersions', {
      running: running.version,
      offered: update?.version ?? null,
    }),
  )
}

function problemOf(error: unknown): { readonly offered: null; readonly problem: string } {
  if (!(error instanceof LicenseRefused)) throw error
  return { offered: null, problem: error.message.slice(0, PROBLEM_CHARACTERS_MAX) }
}
