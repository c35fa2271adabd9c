/** The session behind an access token, as the gate reads it on each request. */
import type { Lookup } from '../projections/lookup.ts'
import type { ReadDatabase } from '../projections/read-database.ts'

interface ExpiringSession {
  readonly expiresAt: string
}

/** @param find a look-up that finds no session whose account may not sign in */
export const liveSessionBy =
  <Session extends ExpiringSession>(find: Lookup<{ readonly id: string }, Session>) =>
  async (read: ReadDatabase, id: string, now: Date): Promise<Readonly<Session> | undefined> => {
    const session = await find(read, { id })
    return session && Date.parse(session.expiresAt) > now.getTime() ? session : undefined
  }
