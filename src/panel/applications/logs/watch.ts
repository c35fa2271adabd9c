/** Looks again and again at what a stream of logs rests on: the session, its rights, and the secret variables. */
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { applicationTable } from '#projections/panel/applications'
import type { ApplicationRow } from '#projections/panel/applications'
import type { ProjectPermission } from '../../access/permissions.ts'
import { rightsIn } from '../../access/project-access.ts'
import { hasPermission } from '../../access/rights.ts'
import { callerOfSession, findLiveSession } from '../../access/user-caller.ts'

const LOOK_EVERY_MS = 3_000

interface Watched {
  readonly read: ReadDatabase
  readonly sid: string
  readonly application: Pick<ApplicationRow, 'id'>
  readonly permission: ProjectPermission
  now(): Date
}

/** The application as it is now. @returns undefined if the caller may not see it any more */
async function seen({ read, sid, application, permission, now }: Watched): Promise<ApplicationRow | undefined> {
  const at = now()
  const session = await findLiveSession(read, sid, at)
  const row = session && (await findRow(read, applicationTable, { id: application.id }))
  if (!row) return undefined
  const rights = await rightsIn(read, callerOfSession(session, at), row.projectId)
  return hasPermission(rights, permission, row.environmentId) ? row : undefined
}

/**
 * Calls `look` every few seconds, until it or the rights end the watch.
 * @param look with the application as it is now
 * @param onEnd the caller may not see it any more
 */
export function watchRights(
  watched: Watched,
  { look, onEnd }: { look(row: ApplicationRow): Promise<void>; onEnd(): void },
  signal: AbortSignal,
): void {
  const again = () => {
    const timer = setTimeout(() => {
      seen(watched)
        .then((row) => (row ? look(row) : onEnd()))
        // A database that does not answer now says nothing of the rights.
        .catch(() => {})
        .finally(() => !signal.aborted && again())
    }, LOOK_EVERY_MS)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
  again()
}
