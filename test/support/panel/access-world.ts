/** The accounts of the access matrix, their permissions, and their sessions and keys. */
import { userEvents } from '#panel/users/events'
import { grantsOf, scopesFor } from './access-expected.ts'
import { accessObjects } from './access-objects.ts'
import type { Row } from './access-table.ts'
import { apiKeyFixture } from './api-key-fixture.ts'
import type { MintedKey } from './api-key-fixture.ts'
import type { Person, KeyScopes } from './credentials.ts'
import { cookieIn, REFRESH_COOKIE } from './people.ts'
import { projectFixture } from './project-fixture.ts'
import type { Reply, TestUser, TestPanel } from './service.ts'

export type AccessWorld = Awaited<ReturnType<typeof accessWorld>>

const SESSION_MS = 15 * 60_000

/** Creates each value on first use. */
function remembering<Made>(): (name: unknown, make: () => Promise<Made>) => Promise<Made> {
  const all = new Map<string, Promise<Made>>()
  return (name, make) => {
    const spelled = JSON.stringify(name)
    const made = all.get(spelled) ?? make()
    all.set(spelled, made)
    return made
  }
}

/** @param built every requested route; keys have its scopes */
export async function accessWorld(panel: TestPanel, built: readonly Row[]) {
  await panel.licensed()
  const keys = apiKeyFixture(panel)

  const before = await panel.somebody('SUPERADMIN')
  const expiresAt = new Date(panel.panel.clock.now().getTime() + SESSION_MS).toISOString()
  const expiring = await keys.minted(before, { expiresAt })
  panel.passTime(SESSION_MS + 60_000)

  const root = await panel.somebody('SUPERADMIN')
  const [owner, neighbour, other] = [await panel.somebody(), await panel.somebody(), await panel.somebody()]
  const things = await accessObjects(panel, { root, owner, other })
  const elsewhere = {
    owner: await projectFixture(panel).project(owner),
    root: await projectFixture(panel).project(root),
  }
  await projectFixture(panel).project(neighbour)

  const people = remembering<TestUser>()
  async function somebody(person: Person, row: Row): Promise<TestUser> {
    if (person.inProject) return things.members[person.inProject]
    if (person.isElsewhere) return neighbour
    const permissions = grantsOf(person, row)
    return people([person.name, permissions], () => panel.somebody(person.role, permissions))
  }

  const minted = (more: object = {}): Promise<MintedKey> => keys.minted(root, { scopes: scopesFor(built), ...more })
  const keysMade = remembering<MintedKey>()

  async function refreshed(): Promise<string> {
    const { email } = await panel.account('SUPERADMIN')
    return cookieIn(await panel.login(email), REFRESH_COOKIE)!
  }
  const refreshing = remembering<string>()

  return {
    panel,
    keys,
    root,
    things,
    somebody,
    minted,
    /** The answers to a caller without a valid credential. */
    usual: remembering<Reply>(),
    /** A session token and a key that have run out since. */
    earlier: { as: before.as, key: expiring.secret },
    async suspend(userId: string): Promise<void> {
      const suspended = userEvents.UserStatusChanged({ userId, status: 'SUSPENDED' })
      await panel.run(async (unit) => unit.appendEvent(userEvents, userId, suspended))
      await panel.panel.projector.catchUp()
    },
    /** A new session for a route that ends the one it is called with. */
    async session(person: Person, row: Row): Promise<string> {
      const { as, email } = await somebody(person, row)
      return row.needs === 'cookie' ? panel.signIn(email) : as
    },
    async key(person: Person | undefined, row: Row, { scopes, only }: KeyTerms): Promise<string> {
      const minter = person ? await somebody(person, row) : root
      const projectIds = only && [only === 'here' ? things.project : person ? elsewhere.owner : elsewhere.root]
      const kind = person ? 'PERSONAL' : 'MACHINE'
      const terms = { scopes: scopesFor(built, row, scopes), kind, ...(projectIds && { projectIds }) }
      return (await keysMade([minter.id, terms], () => keys.minted(minter, terms))).secret
    },
    refreshToken: (row?: Row): Promise<string> =>
      row?.needs === 'cookie' ? refreshed() : refreshing('the one', refreshed),
    streamToken: async (): Promise<string> =>
      (await panel.call('POST', '/api/auth/sse-token', { as: root.as })).body.sseToken,
  }
}

interface KeyTerms {
  readonly scopes: KeyScopes
  readonly only?: 'here' | 'elsewhere'
}
