/** A panel of the test file: a fresh database, a free port, real HTTP. Its read models are compared at the end. */
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { hashPassword } from '#kernel/credentials/password'
import type { EventStore } from '#kernel/events/store-port'
import type { PlatformPermission, PlatformRole } from '#panel/access/permissions'
import { panelLicense } from '#panel/license/decider'
import { userRoster, users } from '#panel/users/decider'
import type { AccountStatus } from '#panel/users/events'
import type { AuditExceptions } from '#test/support/audit-trail-check'
import { serve } from '#test/support/serve'
import { openPanel, readModels } from '../../../src/composition/panel.ts'
import type { PanelSettings } from '../../../src/composition/panel.ts'

export type { Reply } from '#test/support/serve'
const UNLIMITED = { 'servers.max': -1, 'projects.max': -1, 'applications.max': -1, 'users.max': -1 }
export const PASSWORD = 'a long enough passphrase 42'

const WRONG_PROOFS = 'the fifth wrong password in a session ends it'

const UNCHANGED = 'a change that leaves all values as they are writes nothing'

const TWO_AGENTS = 'a copy of a host calls beside the agent, which is noted'

export const AUDIT_EXCEPTIONS: AuditExceptions = {
  recordedReads: { 'GET /api/servers/:id/install-command': 'the command has a token, so each showing is recorded' },
  silentChanges: {
    'PATCH /api/admin/roles/:roleId': UNCHANGED,
    'PATCH /api/admin/quotas/defaults': UNCHANGED,
    'PATCH /api/admin/quotas/users/:id': UNCHANGED,
    'PATCH /api/admin/quotas/servers/:id': UNCHANGED,
    'PATCH /api/registries/:id': UNCHANGED,
    'PATCH /api/servers/:id': UNCHANGED,
    'PATCH /api/servers/:id/access/:ruleId': UNCHANGED,
    'PATCH /api/projects/:id/quota': UNCHANGED,
    'PATCH /api/scheduled-deploys/:id': UNCHANGED,
    'POST /api/webhooks/applications/:id': 'a delivery that asks for nothing, or came before, is telemetry',
    'PATCH /api/projects/:id/resource-quota': UNCHANGED,
    'POST /api/applications/:id/deployments/:depId/cancel': 'a deployment that was cancelled before stays as it is',
    'POST /api/projects/:id/environments/:envId/promote-to/:dstEnvId':
      'a dry run, or one that promotes nothing, records nothing',
    'POST /api/applications/:id/transfer-project': 'an application that is there already stays as it is',
    'POST /api/git-providers/oauth/hosted-git/device/poll': 'a poll that finds nothing new records nothing',
    'PATCH /api/applications/:id/files/compose': UNCHANGED,
    'PATCH /api/applications/:id/files/dockerfile': UNCHANGED,
    'PATCH /api/applications/:id/auto-deploy': UNCHANGED,
    'PATCH /api/applications/:id/previews': UNCHANGED,
    'POST /api/git-providers/scan-monorepo-url': 'it reads a public repository, and changes nothing',
    'POST /api/agent/register': 'the same agent may repeat the call',
    'POST /api/agent/poll': 'a poll that finds nothing due records nothing',
    'POST /api/agent/heartbeat': 'beats are telemetry',
    'POST /api/agent/tasks/:id/progress': 'lines are telemetry',
    'POST /api/agent/transfers/:taskId/upload': 'bytes are telemetry',
    'POST /api/agent/tasks/:id/result': 'an end that was told before is answered again',
  },
  recordedRefusals: {
    'GET /api/git-providers/oauth/selfhosted-git/callback': 'a browser comes back by a GET, and is sent on by a 303',
    'POST /api/auth/login': 'somebody failed to sign in to an account that exists',
    'POST /api/auth/verify-email': 'somebody had the link, but no code of the second factor',
    'POST /api/auth/refresh': 'a refresh token that was used before ends the whole session',
    'POST /api/auth/change-password': WRONG_PROOFS,
    'POST /api/auth/2fa/setup': WRONG_PROOFS,
    'POST /api/auth/2fa/enable': WRONG_PROOFS,
    'POST /api/auth/2fa/disable': WRONG_PROOFS,
    'POST /api/agent/poll': TWO_AGENTS,
    'POST /api/agent/heartbeat': TWO_AGENTS,
    'POST /api/applications/:id/exec': 'it is recorded before its server says that it cannot run it',
  },
}

export interface TestUser {
  readonly id: string
  readonly email: string
  /** A session token. */
  readonly as: string
}

/** Settings that a test changes. */
export interface StartOptions extends Partial<Omit<PanelSettings, 'databaseUrl'>> {
  readonly wrapStore?: (store: EventStore) => EventStore
  readonly compareReadModels?: boolean
  /** Default: the panel as it is. */
  readonly open?: typeof openPanel
}

export type TestPanel = Awaited<ReturnType<typeof startPanel>>

/** Call at the top level of a test file: it registers its clean-up. */
export async function startPanel({
  wrapStore,
  compareReadModels = true,
  open = openPanel,
  ...given
}: StartOptions = {}) {
  const { opened: panel, ...service } = await serve<PanelSettings>({
    settings: (databaseUrl, eventStoreUrl) => ({
      eventStoreUrl,
      databaseUrl,
      secretKey: randomBytes(32),
      baseUrl: 'http://panel.test',
      trustedProxies: { ranges: [], hops: 1 },
      authFailuresPerMinute: 1_000_000,
      metricsAllow: ['127.0.0.1', '::1'],
      // A folder that no process can create, not even root.
      mail: { from: { name: 'Daybook', address: 'daybook@panel.test' }, folder: '/dev/null/mails' },
      ...given,
    }),
    open,
    readModels,
    auditExceptions: AUDIT_EXCEPTIONS,
    wrapStore,
    compareReadModels,
    onTimePassed: () => {},
  })
  const { call, run } = service
  const passwordHash = hashPassword(PASSWORD)
  let made = 0

  /** Creates an account by its own commands, without the routes. */
  async function account(role: PlatformRole, status: AccountStatus = 'ACTIVE'): Promise<{ id: string; email: string }> {
    made += 1
    const email = `${role.toLowerCase()}-${made}@panel.test`
    const emailKey = await emailKeyOf(panel.vault, email)
    const hash = await passwordHash
    const id = await run(async (unit) => {
      const userId = unit.newId()
      const about = { userId, email, emailKey, name: `${role} ${made}`, role, status, passwordHash: hash }
      await unit.decide(users, userId, 'AddUser', about)
      await unit.decide(userRoster, undefined, 'Enrol', { userId, role, isActive: status === 'ACTIVE' })
      return userId
    })
    await panel.projector.catchUp()
    return { id, email }
  }

  const grant = (userId: string, permissions: readonly PlatformPermission[]) =>
    run((unit) =>
      unit.decide(users, userId, 'GrantPermissions', { by: { id: 'test', role: 'SUPERADMIN' }, permissions }),
    )

  const login = (email: string, password: string = PASSWORD) =>
    call('POST', '/api/auth/login', { body: { email, password } })

  async function signIn(email: string, password?: string): Promise<string> {
    const reply = await login(email, password)
    expect(reply.status, reply.text).toBe(200)
    return reply.body.accessToken
  }

  /** A new account with this role, signed in; an ADMIN has these permissions. */
  async function somebody(
    role: PlatformRole = 'USER',
    permissions: readonly PlatformPermission[] = [],
  ): Promise<TestUser> {
    const { id, email } = await account(role)
    if (permissions.length > 0) await grant(id, permissions)
    return { id, email, as: await signIn(email) }
  }

  /** Activates a license with these features; by default one without limits. */
  const licensed = (features: Readonly<Record<string, number>> = UNLIMITED): Promise<unknown> =>
    run(async (unit) => {
      const license = { licenseId: 'lic_test', reason: null, plan: 'test', features, expiresAt: null, graceUntil: null }
      await unit.decide(panelLicense, undefined, 'SetKey', { licenseId: 'lic_test', licenseKey: 'of a test' })
      await unit.decide(panelLicense, undefined, 'NoteState', { ...license, state: 'ACTIVE', source: 'ONLINE' })
    })

  return { ...service, panel, account, login, signIn, somebody, licensed }
}
