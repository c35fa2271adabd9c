/**
 * A licensing service of the test file: a fresh database, a free port, real HTTP. Its read models are
 * compared at the end.
 */
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { EventStore } from '#kernel/events/store-port'
import type { Role } from '#licensing/access/permissions'
import { addStaff } from '#licensing/access/staff-accounts'
import { serve } from '#test/support/serve'
import { openLicensing, readModels } from '../../../src/composition/licensing.ts'
import type { LicensingSettings } from '../../../src/composition/licensing.ts'

export { SYSTEM } from '#test/support/serve'
export type { Reply } from '#test/support/serve'
export const STAFF_PASSWORD = 'a long enough passphrase 42'

/** Settings that a test changes. `store` wraps the event store, to make it fail. */
export interface StartOptions extends Partial<Omit<LicensingSettings, 'databaseUrl'>> {
  readonly wrapStore?: (store: EventStore) => EventStore
  /** Off for files whose tests break the read models on purpose. */
  readonly compareReadModels?: boolean
}

export type TestService = Awaited<ReturnType<typeof startService>>

/** Call at the top level of a test file: it registers its clean-up. */
export async function startService({ wrapStore, compareReadModels = true, ...given }: StartOptions = {}) {
  const people = new Map<string, Promise<{ id: string; email: string; accessToken: string }>>()
  const { opened: licensing, ...service } = await serve<LicensingSettings>({
    settings: (databaseUrl, eventStoreUrl) => ({
      eventStoreUrl,
      databaseUrl,
      secretKey: randomBytes(32),
      baseUrl: 'http://licensing.test',
      trustedProxies: { ranges: [], hops: 1 },
      authFailuresPerMinute: 1_000_000,
      metricsAllow: ['127.0.0.1', '::1'],
      mail: { from: { name: 'Daybook', address: 'daybook@licensing.test' }, folder: '/nowhere' },
      ...given,
    }),
    open: openLicensing,
    readModels,
    wrapStore,
    compareReadModels,
    onTimePassed: () => people.clear(),
  })
  const { call, run } = service

  const added = new Map<Role, string>()

  async function person(role: Role) {
    const email = `${role.toLowerCase()}@staff.test`
    const about = { email, name: role, roles: [role], password: STAFF_PASSWORD }
    const id = added.get(role) ?? (await addStaff(run, licensing.vault, about)).id
    added.set(role, id)
    await licensing.projector.catchUp()
    const login = await call('POST', '/api/admin/auth/login', { body: { email, password: STAFF_PASSWORD } })
    expect(login.status, login.text).toBe(200)
    return { id, email, accessToken: login.body.accessToken as string }
  }

  /** A member of staff with this role, created and signed in once per service. */
  const somebody = (role: Role) => {
    if (!people.has(role)) people.set(role, person(role))
    return people.get(role)!
  }

  async function staff(role: Role = 'SUPERADMIN'): Promise<string> {
    return (await somebody(role)).accessToken
  }

  /** Mints a machine token over HTTP and returns its secret. */
  async function token(permissions: readonly string[], more: object = {}): Promise<string> {
    const body = { name: `test ${permissions.join(' ')}`.slice(0, 100), permissions, ...more }
    const minted = await call('POST', '/api/admin/machine-tokens', { as: await staff(), body })
    expect(minted.status, minted.text).toBe(201)
    return minted.body.secret
  }

  return { ...service, licensing, staff, somebody, token }
}
