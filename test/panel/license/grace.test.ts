/** The accounts that manage the license are warned before its grace ends: 14, 7, 3 and 1 days before, once each. */
import { expect, test } from 'vitest'
import { panelLicense } from '#panel/license/decider'
import type { LicenseState } from '#panel/license/decider'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser, TestPanel } from '../../support/panel/service.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const license = { licenseId: 'lic_test', reason: 'EXPIRED', plan: 'pro', features: {}, expiresAt: null } as const

const mailing = await startPanel()
const silent = await startPanel({ mail: undefined })

/** Sets the grace to end after this time, whatever its state before. */
async function graceOf(panel: TestPanel, leftMs: number, state: LicenseState['state'] = 'GRACE'): Promise<void> {
  const graceUntil = new Date(panel.panel.clock.now().getTime() + leftMs).toISOString()
  await panel.run(async (unit) => {
    await unit.decide(panelLicense, undefined, 'SetKey', { licenseId: 'lic_test', licenseKey: 'of a test' })
    await unit.decide(panelLicense, undefined, 'NoteState', { ...license, state, graceUntil, source: 'ONLINE' })
  })
}

const within = (days: number) =>
  `The grace period of your panel’s license ends within ${days === 1 ? 'a day' : `${days} days`}`

/** The warnings that the account was mailed. */
const mailed = ({ email }: Pick<TestUser, 'email'>): string[] =>
  mailing.mails.filter(({ to, subject }) => to === email && subject.includes('grace')).map(({ subject }) => subject)

/** Runs the next check of the license. */
async function looked(panel: TestPanel): Promise<void> {
  panel.passTime(HOUR_MS)
  await panel.settle()
}

async function noticed(panel: TestPanel, email: string): Promise<string[]> {
  await panel.panel.projector.catchUp()
  const reply = await panel.call('GET', '/api/notifications', { as: await panel.signIn(email) })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.map(({ title }: { title: string }) => title).filter((title: string) => title.includes('grace'))
}

test('14, 7, 3 and 1 days before the end, once each, and nothing before, after or between', async () => {
  const { email } = await mailing.account('SUPERADMIN')
  await graceOf(mailing, 16 * DAY_MS)
  const told: string[][] = []
  const after = async (ms: number) => {
    mailing.passTime(ms)
    await mailing.settle()
    await mailing.settle()
    told.push(mailed({ email }).slice(told.flat().length))
  }
  for (const ms of [DAY_MS, 2 * DAY_MS, 4 * DAY_MS, 2 * DAY_MS, 2 * DAY_MS, 3 * DAY_MS, DAY_MS, HOUR_MS, 3 * DAY_MS])
    await after(ms)
  expect(told).toEqual([[], [within(14)], [], [within(7)], [], [within(3)], [within(1)], [], []])
  expect(await noticed(mailing, email)).toHaveLength(4)
  const [mail] = mailing.mails.filter(({ to, subject }) => to === email && subject === within(7))
  expect(mail!.text).toContain('lic_test (plan pro) of the panel http://panel.test')
})

test('once also where everything that follows is done again', async () => {
  const { email } = await mailing.account('SUPERADMIN')
  await graceOf(mailing, 2 * DAY_MS)
  await looked(mailing)
  expect(mailed({ email })).toEqual([within(3)])
  await mailing.superuser.query(`DELETE FROM telemetry.work_effect WHERE effect LIKE 'license-grace-all%'`)
  const { position } = (await mailing.history()).findLast(({ type }) => type === 'LicenseGraceReminded')!
  for (const name of ['license-grace-mails', 'notify-license'])
    await mailing.superuser.query('INSERT INTO telemetry.work_pending (reaction, position) VALUES ($1, $2)', [
      name,
      position,
    ])
  await mailing.settle()
  await looked(mailing)
  expect(mailed({ email })).toEqual([within(3)])
  expect(await noticed(mailing, email)).toHaveLength(1)
})

test('is told to SUPERADMINs and who holds license:view, unless they do not want to hear of it', async () => {
  const [root, seeing, blind, user, unwilling] = [
    await mailing.somebody('SUPERADMIN'),
    await mailing.somebody('ADMIN', ['license:view']),
    await mailing.somebody('ADMIN', ['users:view']),
    await mailing.somebody(),
    await mailing.somebody('SUPERADMIN'),
  ]
  const all = ['NEW_DEVICE', 'SECOND_FACTOR', 'PASSWORD', 'API_KEY', 'MEMBERSHIP', 'LICENSE']
  const notifications = Object.fromEntries(all.map((kind) => [kind, kind !== 'LICENSE']))
  const wish = { as: unwilling.as, body: { notifications } }
  expect((await mailing.call('PUT', '/api/users/me/notification-preferences', wish)).status).toBeLessThan(300)
  await graceOf(mailing, 2 * DAY_MS, 'TAMPERED')
  await looked(mailing)
  expect([root, seeing, blind, user, unwilling].map((who) => mailed(who).length)).toEqual([1, 1, 0, 0, 0])
  for (const [who, times] of [
    [seeing, 1],
    [blind, 0],
    [unwilling, 0],
  ] as const)
    expect(await noticed(mailing, who.email)).toHaveLength(times)
})

test('without a mail server it is told in the panel', async () => {
  const { email } = await silent.account('SUPERADMIN')
  await graceOf(silent, 6 * DAY_MS)
  await looked(silent)
  expect(await noticed(silent, email)).toEqual(['The grace of the panel’s license ends within 7 days'])
  expect(silent.mails).toEqual([])
})
