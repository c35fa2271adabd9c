/** Everything that can happen in a panel, done over HTTP, so that every event type is in its log at least once. */
import assert from 'node:assert/strict'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { resetSecondFactor } from '#panel/access/reset-second-factor'
import { setupToken } from '#panel/access/setup-token'
import { apiKeys } from '#panel/api-keys/decider'
import { sseTokens } from '#panel/auth/sse-token/decider'
import { config } from '#panel/config/decider'
import { panelLicense } from '#panel/license/decider'
import { notifications } from '#panel/notifications/decider'
import { userRoster, users } from '#panel/users/decider'
import { NOTIFICATION_KINDS } from '#panel/users/events'
import { png } from '#test/support/kernel/image-fixtures'
import { updatesAgents } from './panel-agent-updates-tale.ts'
import { hasApplications } from './panel-applications-tale.ts'
import { runsDeployments } from './panel-deployments-tale.ts'
import { connectsProviders } from './panel-git-tale.ts'
import { registered, signedIn, signIn, told } from './panel-people.ts'
import type { PanelTeller, Person } from './panel-people.ts'
import { belongs, runsProjects } from './panel-projects-tale.ts'
import { isReaped } from './panel-reaper-tale.ts'
import { keepsRegistries } from './panel-registries-tale.ts'
import { isScheduled } from './panel-schedules-tale.ts'
import { runsServers } from './panel-servers-tale.ts'
import { isUpdated } from './panel-system-tale.ts'
import { runsTasks } from './panel-tasks-tale.ts'
import { caller, codesOf, outdatedHash, PASSWORDS } from './telling.ts'
import type { Call } from './telling.ts'

const DAY_MS = 86_400_000
const SCOPES = ['platform:projects:view', 'platform:projects:manage']

/** The first account, which opens registration for others. */
async function begins(call: Call, teller: PanelTeller): Promise<Person> {
  const token = await setupToken(teller.panel)
  const email = 'ada@panel.test'
  await call('POST /api/auth/register', { body: { email, password: PASSWORDS[0], name: 'Ada', setupToken: token } })
  const ada = await signedIn(call, email)
  await call('PATCH /api/admin/settings/registrationOpen', { as: ada.as, body: { value: true } })
  return ada
}

/** With a license the panel has no limits, until the license is removed. */
async function isLicensed(teller: PanelTeller): Promise<void> {
  const licenseId = 'lic_golden'
  const features = { 'users.max': -1, 'projects.max': [-1, null, null] as [number, null, null] }
  const graceUntil = new Date(Date.now() + 5 * DAY_MS).toISOString()
  const held = {
    licenseId,
    reason: null,
    plan: 'team',
    features,
    expiresAt: null,
    graceUntil: null,
    source: 'ONLINE',
  } as const
  await told(teller, async (unit) => {
    await unit.decide(panelLicense, undefined, 'SetKey', { licenseId, licenseKey: 'the license key of Ada' })
    await unit.decide(panelLicense, undefined, 'NoteState', { ...held, state: 'ACTIVE' })
    await unit.decide(panelLicense, undefined, 'NoteRevalidation', { source: 'CACHE', state: 'ACTIVE' })
    await unit.decide(panelLicense, undefined, 'NoteState', { ...held, state: 'GRACE', reason: 'EXPIRED', graceUntil })
    await unit.decide(panelLicense, undefined, 'RemindOfGrace', {})
  })
}

async function registersTwice(call: Call, teller: PanelTeller): Promise<void> {
  const grace = await registered(call, teller, 'Grace')
  const again = (email: string) =>
    call('POST /api/auth/register', { body: { email, password: PASSWORDS[1], name: 'A stranger' } })
  await again(grace.email)
  const email = 'barbara@panel.test'
  await again(email)
  await again(email)
  await teller.settle()
  await call('POST /api/auth/reset-password', { body: { token: teller.mailed(email), password: PASSWORDS[1] } })
  await call('POST /api/auth/forgot-password', { body: { email: grace.email } })
  await teller.settle()
  await call('POST /api/auth/reset-password', { body: { token: teller.mailed(grace.email), password: PASSWORDS[2] } })
}

async function signsInAndOut(call: Call, teller: PanelTeller): Promise<void> {
  const { email } = await registered(call, teller, 'Hedy')
  await call('POST /api/auth/login', { body: { email, password: 'wrong' }, status: 401 })
  const { cookies } = await signIn(call, email)
  const { accessToken: as } = (await call('POST /api/auth/refresh', { body: {}, cookies })).body
  await call('POST /api/auth/refresh', { body: {}, cookies })
  await call('POST /api/auth/change-password', { as, body: { current: PASSWORDS[0], new: PASSWORDS[1] } })
  await signIn(call, email, PASSWORDS[1])
  await call('DELETE /api/auth/sessions', { as })
  const { sseToken } = (await call('POST /api/auth/sse-token', { as, body: {} })).body
  const made = (await teller.panel.store.readAll(0, 10_000)).findLast(({ type }) => type === 'SseTokenMade')!
  const { sseTokenId, path } = made.data as { sseTokenId: string; path: string }
  assert.ok(sseToken)
  await told(teller, (unit) => unit.decide(sseTokens, sseTokenId, 'UseSseToken', { path }))
  await call('POST /api/auth/logout', { as, body: {} })
}

/** An old account, whose password hash has the cost of that time. */
async function comesFromFormerTimes(call: Call, teller: PanelTeller): Promise<void> {
  const email = 'annie@panel.test'
  const emailKey = await emailKeyOf(teller.panel.vault, email)
  const passwordHash = await outdatedHash(PASSWORDS[0])
  await told(teller, async (unit) => {
    const about = { userId: unit.newId(), email, emailKey, name: 'Annie', passwordHash }
    await unit.decide(users, about.userId, 'AddUser', { ...about, role: 'USER', status: 'ACTIVE' })
    await unit.decide(userRoster, undefined, 'Enrol', { userId: about.userId, role: 'USER', isActive: true })
  })
  await signIn(call, email)
}

async function provesSecondFactors(call: Call, teller: PanelTeller): Promise<void> {
  for (const last of ['use', 'disable', 'reset'] as const) {
    const { as, email } = await registered(call, teller, `Katherine-${last}`)
    const { secret } = (await call('POST /api/auth/2fa/setup', { as, body: { password: PASSWORDS[0] } })).body
    const [before, now] = codesOf(teller.world, secret)
    const { backupCodes } = (
      await call('POST /api/auth/2fa/enable', { as, body: { password: PASSWORDS[0], code: before } })
    ).body
    if (last === 'use') {
      await signIn(call, email, PASSWORDS[0], now)
      await signIn(call, email, PASSWORDS[0], backupCodes[0])
    } else if (last === 'disable')
      await call('POST /api/auth/2fa/disable', { as, body: { password: PASSWORDS[0], code: now } })
    else await resetSecondFactor(teller.panel, email)
  }
}

async function looksAfterHerself(call: Call, { as }: Person): Promise<void> {
  const wanted = Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, kind !== 'PASSWORD']))
  await call('PATCH /api/users/me', { as, body: { name: 'Ada L.' } })
  await call('PUT /api/users/me/notification-preferences', { as, body: { notifications: wanted } })
  await call('POST /api/auth/me/onboarding/complete', { as })
  await call('POST /api/auth/profile/avatar', { as, bytes: png(16, 16) })
  await call('DELETE /api/auth/profile/avatar', { as })
}

async function administers(call: Call, teller: PanelTeller, { as }: Person): Promise<void> {
  const email = 'joan@panel.test'
  const joan = (await call('POST /api/admin/users', { as, body: { email, name: 'Joan', role: 'ADMIN' } })).body.user
  await teller.settle()
  await call('POST /api/auth/reset-password', { body: { token: teller.mailed(email), password: PASSWORDS[1] } })
  const path = `/api/admin/users/${joan.id}`
  const role = (await call('POST /api/admin/roles', { as, body: { name: 'Watchers', permissions: ['audit:view'] } }))
    .body
  const spare = (await call('POST /api/admin/roles', { as, body: { name: 'Nobody', permissions: [] } })).body
  await call(`PATCH /api/admin/roles/${role.id}`, { as, body: { permissions: ['audit:view', 'users:view'] } })
  await call(`DELETE /api/admin/roles/${spare.id}`, { as })
  await call(`PATCH ${path}/admin-permissions`, { as, body: { permissions: ['license:view'] } })
  await call(`PATCH ${path}/admin-role`, { as, body: { adminRoleId: role.id } })
  await call(`PATCH ${path}/status`, { as, body: { status: 'SUSPENDED' } })
  await call(`PATCH ${path}/status`, { as, body: { status: 'ACTIVE' } })
  await call(`PATCH ${path}/role`, { as, body: { role: 'USER' } })
  await call('PATCH /api/admin/quotas/defaults', { as, body: { projects: 50 } })
  await call(`PATCH /api/admin/quotas/users/${joan.id}`, { as, body: { projects: 7 } })
}

/** As if the environment sets none of the configuration. */
async function configures(call: Call, teller: PanelTeller, { id, as }: Person): Promise<void> {
  await call('PATCH /api/admin/config', { as, body: { retention: { notificationDays: 30 } } })
  const server = { host: 'smtp.panel.test', port: 465, tls: 'TLS', user: 'daybook', password: 'of the server' } as const
  const by = { id, role: 'SUPERADMIN' } as const
  const mail = { by, changes: { ...server, from: 'Daybook <daybook@panel.test>' }, given: {}, hasSender: false }
  await told(teller, async (unit) => {
    await unit.decide(config, undefined, 'ChangeMail', mail)
    await unit.decide(config, undefined, 'ChangeUrls', { by, changes: { panel: 'https://panel.test' }, given: {} })
    await unit.decide(config, undefined, 'NoteMailTest', { sent: false, step: 'CONNECT' })
  })
}

async function mintsKeys(call: Call, teller: PanelTeller, ada: Person): Promise<void> {
  const { as } = ada
  const { id: ownerId } = await registered(call, teller, 'Radia')
  const mint = async (more: object) =>
    (await call('POST /api/api-keys', { as, body: { name: 'CI of Radia', scopes: SCOPES, ...more } })).body.key
  const given = await mint({ ownerId, allowedIps: ['192.0.2.0/24'] })
  await mint({ expiresAt: new Date(Date.now() + 30 * DAY_MS).toISOString() })
  await call(`POST /api/admin/api-keys/${given.id}/revoke`, { as })
  await call(`POST /api/admin/api-keys/${given.id}/revoke`, { as })
  await call(`DELETE /api/admin/api-keys/${given.id}`, { as })
  const { id: apiKeyId } = await mint({ name: 'left lying about' })
  const idleSince = new Date(Date.now() - 100 * DAY_MS).toISOString()
  await told(teller, (unit) => unit.decide(apiKeys, ada.id, 'NoteIdle', { apiKeyId, idleSince }))
}

/** All notifications that are due by then, and what is done with them. */
async function isNotified(call: Call, teller: PanelTeller, { id: userId, as }: Person): Promise<void> {
  await teller.settle()
  const [first, second] = (await call('GET /api/notifications', { as })).body
  await call(`POST /api/notifications/${first.id}/read`, { as })
  await call(`DELETE /api/notifications/${second.id}`, { as })
  await call('POST /api/notifications/read-all', { as })
  const before = new Date(Date.now() + DAY_MS)
  await told(teller, (unit) => unit.decide(notifications, userId, 'ExpireNotifications', { userId, before }))
  await call('DELETE /api/notifications', { as })
}

async function erases(call: Call, teller: PanelTeller, { as }: Person): Promise<void> {
  const { id } = await registered(call, teller, 'Forgotten')
  await call(`DELETE /api/admin/users/${id}`, { as })
}

/** @throws AssertionError for an unexpected answer */
export async function tellOfPanel(teller: PanelTeller): Promise<void> {
  const call = caller(teller)
  const { chapter } = teller
  const ada = await chapter('settings', () => begins(call, teller))
  await chapter('license', () => isLicensed(teller))
  await chapter('auth', async () => {
    await registersTwice(call, teller)
    await signsInAndOut(call, teller)
    await comesFromFormerTimes(call, teller)
    await provesSecondFactors(call, teller)
  })
  await chapter('roles', () => administers(call, teller, ada))
  await chapter('api-keys', () => mintsKeys(call, teller, ada))
  const margaret = await chapter('teams', async () => {
    const person = await registered(call, teller, 'Margaret')
    await belongs(call, teller, { ada, margaret: person })
    return person
  })
  await chapter('projects', () => runsProjects(call, teller, { ada, margaret }))
  await chapter('notifications', () => isNotified(call, teller, margaret))
  await chapter('config', () => configures(call, teller, ada))
  await chapter('users', async () => {
    await looksAfterHerself(call, ada)
    await erases(call, teller, ada)
    await told(teller, (unit) => unit.decide(panelLicense, undefined, 'RemoveKey', {}))
    await teller.settle()
  })
  await chapter('servers', () => runsServers(call, teller, { ada, margaret }))
  await chapter('agent', async () => {
    await runsTasks(teller)
    await updatesAgents(teller)
  })
  await chapter('system', () => isUpdated(teller))
  await chapter('reaper', () => isReaped(teller))
  await chapter('registries', () => keepsRegistries(call, teller, ada))
  await chapter('applications', () => hasApplications(call, teller, ada))
  await chapter('deployments', () => runsDeployments(call, teller, ada))
  await chapter('git-providers', () => connectsProviders(call, teller, ada))
  await chapter('scheduled-deploys', () => isScheduled(call, teller, ada))
}
